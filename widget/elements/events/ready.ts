// nc-ready.

import { DomEvent } from '../../lib/dom-classes.ts'

/** The user is signed in and the inbox is there. */
export class NcReadyEvent extends DomEvent {
  constructor() {
    super('nc-ready', { bubbles: true, composed: true })
  }
}
