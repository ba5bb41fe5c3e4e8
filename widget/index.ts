// The package's root: classes, events and define, without any side effect.

export { define } from './elements/define-element.ts'
export {
  NcActionEvent,
  NcArriveEvent,
  NcCountsEvent,
  NcErrorEvent,
  NcFollowLinkEvent,
  NcHideEvent,
  NcOpenMessageEvent,
  NcReadyEvent,
  NcShowEvent,
} from './elements/events.ts'
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
