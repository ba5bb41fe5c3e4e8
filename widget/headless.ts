// The inbox without any element, for pages that render everything themselves.

import { BUNDLED_CORE } from './inbox/bundled-core.ts'
import { type InboxOptions as AllOptions, Inbox } from './inbox/inbox.ts'
import { outsideZone } from './lib/zone.ts'

export type { InboxMessage } from '../contract/api.ts'
export { BundledInboxController as InboxController } from './inbox/bundled-core.ts'
export type { InboxCore, InboxStatus, MessageChange } from './inbox/core-types.ts'
export type { Inbox } from './inbox/inbox.ts'
export type { Credential, SignInReason, TokenProvider } from './transport/session.ts'

export type InboxOptions = Omit<AllOptions, 'parts' | 'afterPaint'>

/** Signs in at once and stays up to date until `stop`. */
export function createInbox(options: InboxOptions): Inbox {
  return outsideZone(() => new Inbox({ ...options, parts: BUNDLED_CORE }))
}
