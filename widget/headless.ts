// The inbox without DOM, for pages that draw everything themselves.

import { BUNDLED_CORE } from './inbox/bundled-core.ts'
import { type ControllerOptions, createInboxController, type InboxController } from './inbox/inbox-controller.ts'

export type { InboxMessage } from '../contract/api.ts'
export type { InboxCore, MessageChange } from './inbox/core-types.ts'
export type { InboxController, InboxStatus } from './inbox/inbox-controller.ts'
export type { Credential, SignInReason, TokenProvider } from './transport/session.ts'

export type InboxOptions = Omit<ControllerOptions, 'parts' | 'afterPaint'>

/** Signs in at once and keeps itself up to date until `stop`. */
export function createInbox(options: InboxOptions): InboxController {
  return createInboxController({ ...options, parts: BUNDLED_CORE })
}
