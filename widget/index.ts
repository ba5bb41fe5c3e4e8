// The package's root: classes, events and define, without any side effect.

export { define } from './elements/define-element.ts'
export { NcActionEvent } from './elements/events/action.ts'
export { NcArriveEvent } from './elements/events/arrive.ts'
export { NcCountsEvent } from './elements/events/counts.ts'
export { NcErrorEvent } from './elements/events/error.ts'
export { NcFollowLinkEvent } from './elements/events/follow-link.ts'
export { NcHideEvent } from './elements/events/hide.ts'
export { NcOpenMessageEvent } from './elements/events/open-message.ts'
export { NcReadyEvent } from './elements/events/ready.ts'
export { NcShowEvent } from './elements/events/show.ts'
export { NotificationCenter } from './elements/notification-center.ts'
export type {
  AuthType,
  NotificationCenterAttributes,
  NotificationCenterEventMap,
  NotificationCenterListeners,
  NotificationCenterProperties,
} from './elements/tag.ts'
export { BundledInboxController as InboxController } from './inbox/bundled-core.ts'
export type { InboxControllerOptions } from './inbox/inbox-controller.ts'
