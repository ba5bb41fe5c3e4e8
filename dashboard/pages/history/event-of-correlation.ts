// <nc-event-of-correlation>: the event with a correlation id of which no message came, with a link to it.

import { html, nothing, type TemplateResult } from 'lit'
import type { TrackedEventAnswer } from '../../../contract/resources/tracked-event.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader } from '../../lib/loader.ts'
import type { AppContext } from '../../shell/context.ts'

class NcEventOfCorrelation extends LightElement {
  static override properties = { context: { attribute: false }, correlationId: { attribute: false } }

  declare context: AppContext
  declare correlationId: string

  readonly #event = new Loader<TrackedEventAnswer | undefined>(this)
  #asked = ''

  protected override willUpdate(): void {
    if (this.correlationId === this.#asked) return
    this.#asked = this.correlationId
    const query = { correlationId: this.correlationId, limit: 1 }
    void this.#event.load(async (signal) => (await this.context.api.events(query, signal)).data[0])
  }

  override render(): TemplateResult | typeof nothing {
    const event = this.#event.value
    if (event === undefined) return nothing
    return html`<p class="list-foot" role="status">
      The event <a class="link" href=${this.context.link('event', event.eventId)}>${event.name}</a> has this correlation ID. No message came of it.
    </p>`
  }
}

customElements.define('nc-event-of-correlation', NcEventOfCorrelation)
