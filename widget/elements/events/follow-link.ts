// nc-follow-link: the user follows a link of a message.

import type { InboxMessage } from '../../../contract/api.ts'
import { DomEvent } from '../../lib/dom-classes.ts'

/** Prevented: the page does the navigation; `clicked` is recorded all the same. */
export class NcFollowLinkEvent extends DomEvent {
  readonly message: InboxMessage
  readonly link: string

  constructor(message: InboxMessage, link: string) {
    super('nc-follow-link', { bubbles: true, composed: true, cancelable: true })
    this.message = message
    this.link = link
  }
}
