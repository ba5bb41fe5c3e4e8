// nc-counts: the numbers changed.

import { DomEvent } from '../../lib/dom-classes.ts'

/** `unread` is the badge, `unopened` the "Unread" tab. */
export class NcCountsEvent extends DomEvent {
  readonly unread: number
  readonly unopened: number

  constructor(unread: number, unopened: number) {
    super('nc-counts', { bubbles: true, composed: true })
    this.unread = unread
    this.unopened = unopened
  }
}
