// nc-open-message: the user opens a message.

import type { InboxMessage } from '../../../contract/api.ts'
import { DomEvent } from '../../lib/dom-classes.ts'

/** Prevented: no detail is shown; `opened` is recorded all the same. */
export class NcOpenMessageEvent extends DomEvent {
  readonly message: InboxMessage

  constructor(message: InboxMessage) {
    super('nc-open-message', { bubbles: true, composed: true, cancelable: true })
    this.message = message
  }
}
