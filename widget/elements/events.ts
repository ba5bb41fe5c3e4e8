// Defines the events of the element. A page may prevent the default of those that can be cancelled.

import type { InboxMessage, MessageAction } from '../../contract/api.ts'
import { DomEvent } from '../lib/dom-classes.ts'

/** The user presses an action of a message. Prevented: its link is not followed; `clicked` is recorded all the same. */
export class NcActionEvent extends DomEvent {
  readonly message: InboxMessage
  readonly action: MessageAction

  constructor(message: InboxMessage, action: MessageAction) {
    super('nc-action', { bubbles: true, composed: true, cancelable: true })
    this.message = message
    this.action = action
  }
}

/** Messages came in while the page was there, oldest first. */
export class NcArriveEvent extends DomEvent {
  readonly messages: InboxMessage[]

  constructor(messages: InboxMessage[]) {
    super('nc-arrive', { bubbles: true, composed: true })
    this.messages = messages
  }
}

/** The counts changed: `unread` is the badge, `unopened` the "Unread" tab. */
export class NcCountsEvent extends DomEvent {
  readonly unread: number
  readonly unopened: number

  constructor(unread: number, unopened: number) {
    super('nc-counts', { bubbles: true, composed: true })
    this.unread = unread
    this.unopened = unopened
  }
}

/** Something was refused or could not be reached: `code` as in the error reference, or `client/…` for what happened in the page. */
export class NcErrorEvent extends DomEvent {
  readonly code: string
  readonly correlationId: string | null

  constructor(code: string, correlationId: string | null) {
    super('nc-error', { bubbles: true, composed: true })
    this.code = code
    this.correlationId = correlationId
  }
}

/** The user follows a link of a message. Prevented: the page does the navigation; `clicked` is recorded all the same. */
export class NcFollowLinkEvent extends DomEvent {
  readonly message: InboxMessage
  readonly link: string

  constructor(message: InboxMessage, link: string) {
    super('nc-follow-link', { bubbles: true, composed: true, cancelable: true })
    this.message = message
    this.link = link
  }
}

/** The panel closed. */
export class NcHideEvent extends DomEvent {
  constructor() {
    super('nc-hide', { bubbles: true, composed: true })
  }
}

/** The user opens a message. Prevented: no detail is shown; `opened` is recorded all the same. */
export class NcOpenMessageEvent extends DomEvent {
  readonly message: InboxMessage

  constructor(message: InboxMessage) {
    super('nc-open-message', { bubbles: true, composed: true, cancelable: true })
    this.message = message
  }
}

/** The user is signed in and the inbox is there. */
export class NcReadyEvent extends DomEvent {
  constructor() {
    super('nc-ready', { bubbles: true, composed: true })
  }
}

/** The panel opens. */
export class NcShowEvent extends DomEvent {
  constructor() {
    super('nc-show', { bubbles: true, composed: true })
  }
}
