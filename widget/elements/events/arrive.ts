// nc-arrive: messages came in while the page was there.

import type { InboxMessage } from '../../../contract/api.ts'
import { DomEvent } from '../../lib/dom-classes.ts'

/** Oldest first. */
export class NcArriveEvent extends DomEvent {
  readonly messages: InboxMessage[]

  constructor(messages: InboxMessage[]) {
    super('nc-arrive', { bubbles: true, composed: true })
    this.messages = messages
  }
}
