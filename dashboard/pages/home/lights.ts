// <nc-home-lights>: sources, mail accounts, secrets and what was given up, each with a light; what is wrong comes first.

import { html, type TemplateResult } from 'lit'
import type { EmailIntegrationAnswer } from '../../../contract/resources/email-integration.ts'
import type { SecretRotation } from '../../../contract/resources/secret.ts'
import type { SourceAnswer } from '../../../contract/resources/source.ts'
import { badge, type Tone } from '../../elements/badge.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { formatAge, formatCount } from '../../lib/format.ts'
import { LightElement } from '../../lib/light-element.ts'
import { Loader, type Polled } from '../../lib/loader.ts'
import { Poller } from '../../lib/poller.ts'
import type { AppContext } from '../../shell/context.ts'
import { SECRETS } from '../environments/secret-kinds.ts'

const POLL_MS = 30_000
const HOUR_MS = 60 * 60 * 1000
/** A source without a delivery for this long is silent. */
const SILENT_MS = 7 * 24 * HOUR_MS
/** Rows that are shown; the pages have all. */
const SHOWN = 8

export interface Light {
  name: string
  href: string
  state: string
  tone: Tone
  note: string
}

const ORDER: readonly Tone[] = ['bad', 'warn', 'info', 'quiet', 'good']

export function lightOfSource(
  source: Pick<SourceAnswer, 'status' | 'lastReceivedAt' | 'lastErrorAt' | 'lastError'>,
  now = Date.now(),
): Pick<Light, 'state' | 'tone' | 'note'> {
  const { status, lastReceivedAt, lastErrorAt, lastError } = source
  if (status === 'paused') return { state: 'paused', tone: 'warn', note: 'What arrives is dropped.' }
  if (lastErrorAt !== null && (lastReceivedAt === null || lastErrorAt >= lastReceivedAt))
    return { state: 'failing', tone: 'bad', note: lastError ?? '' }
  if (lastReceivedAt === null) return { state: 'not connected yet', tone: 'quiet', note: 'Nothing has arrived.' }
  const note = `Last delivery ${formatAge(lastReceivedAt, now)}`
  if (now - Date.parse(lastReceivedAt) > SILENT_MS) return { state: 'silent', tone: 'warn', note }
  return { state: 'receiving', tone: 'good', note }
}

export function lightOfIntegration({
  state,
}: Pick<EmailIntegrationAnswer, 'state'>): Pick<Light, 'state' | 'tone' | 'note'> {
  const { lastSentAt, lastErrorAt, lastError } = state
  if (lastErrorAt !== null && (lastSentAt === null || lastSentAt < lastErrorAt))
    return { state: 'failing', tone: 'bad', note: lastError ?? '' }
  if (lastSentAt === null) return { state: 'not used yet', tone: 'quiet', note: 'No mail was sent by it.' }
  return { state: 'sending', tone: 'good', note: `Last mail ${formatAge(lastSentAt)}` }
}

/** @returns undefined for a secret that nothing has to be done about. */
export function lightOfSecret(
  { until, previous }: Pick<SecretRotation, 'until' | 'previous'>,
  now = Date.now(),
): Pick<Light, 'state' | 'tone' | 'note'> | undefined {
  if (until === null) return undefined
  const isUsed = previous?.lastUsedAt != null && now - Date.parse(previous.lastUsedAt) < HOUR_MS
  const note = `The old value ends ${formatAge(until, now)}${isUsed ? ', and is still used' : ''}.`
  return { state: 'rotating', tone: isUsed ? 'bad' : 'warn', note }
}

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
