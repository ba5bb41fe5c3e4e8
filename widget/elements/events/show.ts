// nc-show.

import { DomEvent } from '../../lib/dom-classes.ts'

/** The panel opens. */
export class NcShowEvent extends DomEvent {
  constructor() {
    super('nc-show', { bubbles: true, composed: true })
  }
}
