// nc-error: something was refused or could not be reached.

import { DomEvent } from '../../lib/dom-classes.ts'

/** `code` as in the error reference, or `client/…` for what happened in the page. */
export class NcErrorEvent extends DomEvent {
  readonly code: string
  readonly correlationId: string | null

  constructor(code: string, correlationId: string | null) {
    super('nc-error', { bubbles: true, composed: true })
    this.code = code
    this.correlationId = correlationId
  }
}
