// nc-action: the user presses an action of a message.

import type { InboxMessage, MessageAction } from '../../../contract/api.ts'
import { DomEvent } from '../../lib/dom-classes.ts'

/** Prevented: its link is not followed; `clicked` is recorded all the same. */
export class NcActionEvent extends DomEvent {
  readonly message: InboxMessage
  readonly action: MessageAction

  constructor(message: InboxMessage, action: MessageAction) {
    super('nc-action', { bubbles: true, composed: true, cancelable: true })
    this.message = message
    this.action = action
  }
}
