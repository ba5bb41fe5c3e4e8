// <nc-connection-band>: says since when a page that reads again and again is old, and why, and tries again.

import { html, nothing, type TemplateResult } from 'lit'
import { isEndOfSession } from '../api/client.ts'
import { icon } from '../elements/icon.ts'
import { messageOf } from '../elements/states.ts'
import { CONNECTION, findInterruption, retry } from '../lib/connection.ts'
import { formatTime } from '../lib/format.ts'
import { LightElement } from '../lib/light-element.ts'

class NcConnectionBand extends LightElement {
  override connectedCallback(): void {
    super.connectedCallback()
    addEventListener(CONNECTION, this.#onChange)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener(CONNECTION, this.#onChange)
  }

  readonly #onChange = (): void => this.requestUpdate()

  /** The end of a session has a band of its own. */
  override render(): TemplateResult {
    const found = findInterruption()
    const isShown = found !== undefined && !isEndOfSession(found.error)
    return html`<div class="band-place" role="status">${isShown ? band(found.since, found.error) : nothing}</div>`
  }
}

function band(since: number, error: unknown): TemplateResult {
  return html`<div class="band">
    ${icon('warning')}
    <span>Not up to date since ${formatTime(new Date(since).toISOString())}. ${error === undefined ? 'The server does not answer.' : messageOf(error)}</span>
    <button type="button" class="link-button" @click=${retry}>Try now</button>
  </div>`
}

customElements.define('nc-connection-band', NcConnectionBand)
