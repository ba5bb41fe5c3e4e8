// <nc-first-steps>: from the keys to the first message in a real inbox beside; each step shows by a light that it is done.

import { html, nothing, type TemplateResult } from 'lit'
import type { GalleryCampaign } from '../../../contract/gallery/gallery-campaign.ts'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import type { EnvironmentDetail } from '../../../contract/resources/environment.ts'
import type { SecretRotation } from '../../../contract/resources/secret.ts'
import type { TrackedEventAnswer } from '../../../contract/resources/tracked-event.ts'
import { age, pageHead } from '../../elements/bits.ts'
import { segments } from '../../elements/segments.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { LeaveGuard } from '../../lib/leave-guard.ts'
import { Loader, type Polled } from '../../lib/loader.ts'
import { handOverKeys, type MadeEnvironment, takeKeys } from '../../lib/made-keys.ts'
import { Poller } from '../../lib/poller.ts'
import { ownPath } from '../../routing/prefix.ts'
import { parseRoute } from '../../routing/routes.ts'
import { AppPage } from '../../shell/page-element.ts'
import { eventOf } from '../campaigns/definition.ts'
import { codeBlock } from './code-block.ts'
import './first-campaign.ts'
import { keptKeys, keysOf } from './keys-card.ts'
import './live-inbox.ts'
import {
  eventSnippet,
  type FirstEvent,
  INSTALLS,
  LANGUAGES,
  type Language,
  type SnippetValues,
  tagSnippet,
  tokenSnippet,
} from './snippets.ts'
import { light, noRole, noTestUser, step, tagLight, wholeWay } from './step-card.ts'
import { type WidgetLight, widgetLightOf } from './widget-light.ts'

const POLL_MS = 3000

interface Progress {
  detail: EnvironmentDetail
  secrets: readonly SecretRotation[]
  /** Active campaigns. */
  campaigns: readonly CampaignAnswer[]
  /** The newest one. */
  event: TrackedEventAnswer | undefined
}

class NcFirstSteps extends AppPage {
  static override properties = {
    ...AppPage.properties,
    made: { state: true },
    isKept: { state: true },
    language: { state: true },
    gallery: { state: true },
    chosen: { state: true },
    testUser: { state: true },
    isHere: { state: true },
  }

  /** The new environments with their keys; none on a later visit. */
  declare protected made: readonly MadeEnvironment[]
  /** The person has copied the keys. */
  declare protected isKept: boolean
  declare protected language: Language
  declare protected gallery: readonly GalleryCampaign[]
  declare protected chosen: GalleryCampaign | undefined
  declare protected testUser: string | undefined
  /** A message is in the inbox. */
  declare protected isHere: boolean

  readonly #progress = new Loader<Progress>(this)
  readonly #poller = new Poller(this, POLL_MS, () => this.#load(true))

  constructor() {
    super()
    Object.assign(this, { made: [], gallery: [], isKept: false, isHere: false, language: 'curl' })
    new LeaveGuard(this, () =>
      this.made.length === 0 || this.isKept ? undefined : 'Leave? The keys are not shown again.',
    )
  }

  protected override firstUpdated(): void {
    if (!this.context.may('admin')) {
      this.#poller.isOn = false
      return
    }
    this.made = takeKeys(this.context.org.id)
    void this.#load(false)
    void this.#loadGallery()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    // Another environment is chosen: its page is another element.
    if (!this.isKept && parseRoute(location.pathname).page === 'first-steps') handOverKeys(this.made)
  }

  async #loadGallery(): Promise<void> {
    const { GALLERY } = await import('../../../contract/gallery/gallery.ts')
    // Those whose message comes at once.
    this.gallery = GALLERY.filter(({ definition }) => definition.steps[0]?.type === 'inbox')
    this.chosen ??= this.gallery.find(({ definition }) => definition.key === 'order-shipped')
  }

  async #load(quiet: boolean): Promise<Polled> {
    const { tenant, api, environment } = this.context
    const polled = await this.#progress.load(
      async (signal) => {
        const [detail, secrets, campaigns, events] = await Promise.all([
          tenant.environment(environment.id, signal),
          tenant.secrets(environment.id, signal),
          api.campaigns({ status: 'active', limit: 100 }, signal),
          api.events({ limit: 1 }, signal),
        ])
        return { detail, secrets: secrets.data, campaigns: campaigns.data, event: events.data[0] }
      },
      { quiet },
    )
    if (this.isHere && this.#isWhole()) this.#poller.isOn = false
    return polled
  }

  /** Whether each step is done. */
  #isWhole(): boolean {
    const { value } = this.#progress
    if (value === undefined || value.event === undefined || value.campaigns.length === 0) return false
    return lightOf(value).state === 'signed-in'
  }

  override render(): TemplateResult {
    const { value, state, error } = this.#progress
    return html`<div class="page">
      ${pageHead('First steps', 'From the keys to a message in the inbox, in a few minutes.')}
      ${this.context.may('admin') ? '' : noRole()}
      ${state === 'failed' ? failureView(error, () => void this.#load(false)) : nothing}
      ${value === undefined ? (this.context.may('admin') && state !== 'failed' ? loadingView() : nothing) : this.#steps(value)}
    </div>`
  }

  #steps(progress: Progress): TemplateResult {
    const { isProduction } = this.context.environment
    return html`<div class="columns first-steps">
      <div class="column-main">
        ${this.#keys(progress.detail)} ${this.#tag(progress)} ${this.#campaign(progress)} ${this.#event(progress)}
      </div>
      <aside class="column-side" aria-label="The inbox of your test user">
        <section class="card live-card" aria-labelledby="live-title">
          <header class="card-head"><h2 id="live-title">The inbox, live</h2>${this.#arrival()}</header>
          ${isProduction ? noTestUser(this.context) : html`<nc-live-inbox .context=${this.context} @test-user=${this.#onTestUser} @message-here=${this.#onMessage}></nc-live-inbox>`}
        </section>
        ${this.isHere ? wholeWay(this.context) : nothing}
      </aside>
    </div>`
  }

  #keys({ frontApiKey }: EnvironmentDetail): TemplateResult {
    const { environment, link } = this.context
    const keep = () => {
      this.isKept = true
    }
    if (this.made.length === 0) {
      return step(
        1,
        'Keys',
        light('good', 'Made'),
        keptKeys(frontApiKey, environment.name, link('secrets', environment.id)),
      )
    }
    const lists = this.made.map((one) => keysOf(one, this.made.length === 1))
    if (this.isKept) {
      const again = html`<details><summary>Show them until you leave this page</summary>${lists}</details>`
      return step(1, 'Keys', light('good', 'Copied'), again)
    }
    const content = html`<p class="card-text">Copy them now: an SDK secret key is not shown again.</p>
      ${lists}
      <div class="card-foot"><wa-button size="s" variant="brand" @click=${keep}>I have copied the keys</wa-button></div>`
    return step(1, 'Keys', light('warn', 'Copy them now'), content)
  }

  #tag(progress: Progress): TemplateResult {
    const values = this.#values(progress.detail)
    const name = wordsOf(this.language, 'Shell')
    return step(
      2,
      'The tag on your page',
      tagLight(lightOf(progress)),
      html`<p class="card-text">It shows the bell. <code>TOKEN</code> proves who the visitor is; your backend makes it for each of your users.</p>
        ${codeBlock(tagSnippet(values), 'tag')}
        ${this.#languages('Shell')}
        ${codeBlock(tokenSnippet(this.language, { ...values, userId: 'USER_ID' }), `token by ${name}`)}`,
    )
  }

  #campaign({ campaigns }: Progress): TemplateResult {
    const { context } = this
    const active = this.#activeOf(campaigns)
    const content =
      active !== undefined
        ? html`<p class="card-text">
            <a class="link" href=${context.link('campaign', active.id)}>${active.name}</a> is active, and waits for the event
            <code>${eventOf(active.draft)}</code>.
          </p>`
        : this.chosen === undefined
          ? loadingView(3)
          : html`<p class="card-text">It says what becomes of an event.</p>
              <nc-first-campaign .context=${context} .choices=${this.gallery} .chosen=${this.chosen} @choose=${this.#onChoose} @published=${this.#reload}></nc-first-campaign>`
    return step(
      3,
      'A campaign',
      active === undefined ? light('quiet', 'None is active yet') : light('good', 'Active'),
      content,
    )
  }

  #event(progress: Progress): TemplateResult {
    const { event, detail, campaigns } = progress
    const first = this.#firstEvent(campaigns)
    const install = INSTALLS[this.language]
    const name = wordsOf(this.language)
    return step(
      4,
      'The first event',
      event === undefined
        ? light('quiet', 'Waiting for one')
        : light('good', html`${event.name} came ${age(event.receivedAt)}`),
      html`<p class="card-text">Run it where your backend runs: its message is for your test user, so you see it here.</p>
        ${this.#languages()}
        ${install === undefined ? nothing : html`<p class="hint">Needs <code>${install}</code>.</p>`}
        ${codeBlock(eventSnippet(this.language, this.#values(detail), first), `first event by ${name}`)}`,
    )
  }

  /** @param shell What the first one is called here. */
  #languages(shell = 'curl'): TemplateResult {
    const choices = LANGUAGES.map(([language]) => [language, wordsOf(language, shell)] as const)
    return segments('Language', choices, this.language, (language) => {
      this.language = language
    })
  }

  #values({ host, frontApiKey, id }: EnvironmentDetail): SnippetValues {
    const { secrets = {} } = this.made.find((one) => one.id === id) ?? {}
    return {
      host: (host ?? location.origin + ownPath('')).replace(/\/$/, ''),
      keys: { ...secrets, frontApiKey },
      userId: this.testUser ?? 'u_42',
    }
  }

  /** The active campaign that the event is for: one of the gallery before others. */
  #activeOf(campaigns: readonly CampaignAnswer[]): CampaignAnswer | undefined {
    return campaigns.find(({ draft }) => this.#sampleOf(eventOf(draft)) !== undefined) ?? campaigns[0]
  }

  readonly #sampleOf = (event: string): GalleryCampaign | undefined =>
    this.gallery.find(({ definition }) => definition.trigger.event === event)

  #firstEvent(campaigns: readonly CampaignAnswer[]): FirstEvent {
    const active = this.#activeOf(campaigns)
    const name =
      active === undefined ? (this.chosen?.definition.trigger.event ?? 'order.shipped') : eventOf(active.draft)
    return { name, properties: this.#sampleOf(name)?.sample ?? {} }
  }

  #arrival(): TemplateResult {
    return this.isHere ? light('good', 'The message is here') : light('quiet', 'Waiting for a message')
  }

  readonly #onTestUser = ({ detail }: CustomEvent<string>): void => {
    this.testUser = detail
  }
  readonly #onMessage = (): void => {
    this.isHere = true
  }
  readonly #onChoose = ({ detail }: CustomEvent<GalleryCampaign>): void => {
    this.chosen = detail
  }
  readonly #reload = (): void => void this.#load(true)
}

const lightOf = ({ secrets, detail }: Progress): WidgetLight =>
  widgetLightOf(secrets, detail.identityProvider !== null || detail.publicKey !== null)

const wordsOf = (language: Language, shell = 'curl'): string =>
  language === 'curl' ? shell : (LANGUAGES.find(([one]) => one === language)?.[1] ?? language)

customElements.define('nc-first-steps', NcFirstSteps)
