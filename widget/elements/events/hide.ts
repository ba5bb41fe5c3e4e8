// nc-hide.

import { DomEvent } from '../../lib/dom-classes.ts'

/** The panel closed. */
export class NcHideEvent extends DomEvent {
  constructor() {
    super('nc-hide', { bubbles: true, composed: true })
  }
}
