// <nc-home-lights>: sources, mail accounts, secrets and what was given up, each with a light; what is wrong comes first.

import { html, type TemplateResult } from 'lit'
import { badge, type Tone } from '../../elements/badge.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { formatCount } from '../../lib/format.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader, type Polled } from '../../lib/loader.ts'
import { Poller } from '../../lib/poller.ts'
import type { AppContext } from '../../shell/context.ts'
import { SECRETS } from '../environments/secret-kinds.ts'
import { type Light, lightOfIntegration, lightOfSecret, lightOfSource } from './light-of.ts'

const POLL_MS = 30_000
/** Rows that are shown; the pages have all. */
const SHOWN = 8

const ORDER: readonly Tone[] = ['bad', 'warn', 'info', 'quiet', 'good']

class NcHomeLights extends LightElement {
  static override properties = { context: { attribute: false } }

  declare context: AppContext
  readonly #lights = new Loader<Light[]>(this)

  constructor() {
    super()
    new Poller(this, POLL_MS, () => this.#load(true))
  }

  protected override firstUpdated(): void {
    void this.#load(false)
  }

  #load(quiet: boolean): Promise<Polled> {
    return this.#lights.load((signal) => this.#read(signal), { quiet })
  }

  async #read(signal: AbortSignal): Promise<Light[]> {
    const { api, sources, tenant, environment, link } = this.context
    const [ofSources, integrations, secrets, givenUp] = await Promise.all([
      sources.list(signal),
      api.integrations(signal),
      tenant.secrets(environment.id, signal),
      api.givenUp(signal),
    ])
    const lights: Light[] = [
      ...ofSources.data.map((one) => ({ name: one.name, href: link('source', one.id), ...lightOfSource(one) })),
      ...integrations.data.map((one) => ({
        ...{ name: one.name, href: link('integration', one.id) },
        ...lightOfIntegration(one),
      })),
      ...secrets.data.flatMap((one) => {
        const light = lightOfSecret(one)
        const name = SECRETS[one.kind].name
        return light === undefined ? [] : [{ name, href: link('secrets', environment.id), ...light }]
      }),
    ]
    if (integrations.way === 'none') {
      const note = 'This environment is in production and has no mail server: mails are skipped.'
      lights.push({ name: 'Email', href: link('integrations'), state: 'no mail server', tone: 'warn', note })
    }
    const { length } = givenUp.data
    if (length > 0) {
      const count = `${formatCount(length)}${givenUp.nextCursor === null ? '' : ' or more'}`
      const note = 'Run them again, or drop them.'
      lights.push({ name: 'Given up', href: link('given-up'), state: `${count} given up`, tone: 'bad', note })
    }
    return lights.sort((one, other) => ORDER.indexOf(one.tone) - ORDER.indexOf(other.tone))
  }

  override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="lights-title">
      <header class="card-head"><h2 id="lights-title">Connections</h2></header>
      ${this.#content()}
    </section>`
  }

  #content(): TemplateResult {
    const { value, state, error } = this.#lights
    if (state === 'failed') return failureView(error, () => void this.#load(false))
    if (value === undefined) return loadingView(3)
    if (value.length === 0) return html`<p class="none-found">No sources and no mail accounts yet.</p>`
    const more = value.length - SHOWN
    return html`<ul class="lights">
        ${value.slice(0, SHOWN).map(
          ({ name, href, state: word, tone, note }) => html`<li>
            <a class="row-link" href=${href}>${name}</a> ${badge(word, tone)}
            <p class="row-note">${note}</p>
          </li>`,
        )}
      </ul>
      ${more > 0 ? html`<p class="list-foot">${formatCount(more)} more on their pages.</p>` : ''}`
  }
}

customElements.define('nc-home-lights', NcHomeLights)
