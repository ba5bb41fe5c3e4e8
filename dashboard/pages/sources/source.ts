// <nc-source>: one source: its address and state, last deliveries, mappings with a trial, secret, settings, and its removal.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { SourceAnswer } from '../../../contract/resources/source.ts'
import type { SourceDeliveryAnswer } from '../../../contract/resources/source-delivery.ts'
import type { SourceMapping } from '../../../contract/resources/source-mapping.ts'
import { age, copyable, facts, pageHead, time } from '../../elements/bits.ts'
import type { NcConfirm, Question } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { doubtBadge } from '../../elements/doubt-badge.ts'
import { icon } from '../../elements/icon.ts'
import { failureView, faultView, loadingView, messageOf } from '../../elements/states.ts'
import { Attempt } from '../../lib/attempt.ts'
import { formatCount } from '../../lib/format.ts'
import { Loader, type Polled } from '../../lib/loader.ts'
import { Poller } from '../../lib/poller.ts'
import { AppPage } from '../../shell/page-element.ts'
import './connect-card.ts'
import { type DeliveryActions, deliveriesCard } from './deliveries-card.ts'
import type { NcDeliveryBody } from './delivery-body.ts'
import './delivery-body.ts'
import type { MappingFaults } from './mapping-faults.ts'
import type { MappingsEdited } from './mappings-card.ts'
import './mappings-card.ts'
import { PLATFORMS } from './platforms.ts'
import { askToRun, runView } from './run-again.ts'
import type { SourceSaved } from './source-card.ts'
import './source-secret.ts'
import './source-settings.ts'
import './source-signature.ts'
import { isWaiting, lastDelivery, stateBadges } from './source-state.ts'
import './source-trial.ts'

const POLL_MS = 3000

interface LoadedSource {
  source: SourceAnswer
  deliveries: SourceDeliveryAnswer[]
}

class NcSource extends AppPage {
  static override properties = {
    ...AppPage.properties,
    draft: { state: true },
    faults: { state: true },
    showsAll: { state: true },
  }

  /** Mappings that are not saved; undefined: none are changed. */
  declare protected draft: SourceMapping[] | undefined
  declare protected faults: readonly ErrorDetail[]
  declare protected showsAll: boolean

  readonly #loaded = new Loader<LoadedSource>(this)
  readonly #toggle = new Attempt(this)
  readonly #confirm = createRef<NcConfirm>()
  readonly #body = createRef<NcDeliveryBody>()

  constructor() {
    super()
    this.faults = []
    this.showsAll = false
    new Poller(this, POLL_MS, () => this.#load(true))
  }

  protected override firstUpdated(): void {
    void this.#load()
  }

  #load(quiet = false): Promise<Polled> {
    const { sources, setTitle } = this.context
    const read = async (signal: AbortSignal) => {
      const [source, { data: deliveries }] = await Promise.all([
        sources.read(this.routeId, signal),
        sources.deliveries(this.routeId, signal),
      ])
      setTitle(source.name)
      return { source, deliveries }
    }
    return this.#loaded.load(read, { quiet })
  }

  readonly #onSaved = ({ source }: SourceSaved): void => {
    const { value } = this.#loaded
    if (value !== undefined) this.#loaded.value = { ...value, source }
    void this.#load(true)
  }

  readonly #onQuestion = ({ detail }: CustomEvent<Question>): void => this.#confirm.value?.ask(detail)

  override render(): TemplateResult {
    const { value, state, error } = this.#loaded
    return html`<div class="page" @source-saved=${this.#onSaved} @source-changed=${() => void this.#load(true)} @question=${this.#onQuestion}>
      <nav class="crumbs" aria-label="Breadcrumb"><a class="link" href=${this.context.link('sources')}>Sources</a></nav>
      ${
        value === undefined
          ? html`${pageHead('Source')} ${state === 'failed' ? failureView(error, () => void this.#load()) : loadingView()}`
          : this.#content(value)
      }
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
      <nc-delivery-body ${ref(this.#body)} .context=${this.context} .sourceId=${this.routeId}></nc-delivery-body>
    </div>`
  }

  #content({ source, deliveries }: LoadedSource): TemplateResult {
    const { context } = this
    const summary = html`${stateBadges(source)} <span>${PLATFORMS[source.provider].title}</span> ${copyable(source.url, 'address')} ${doubtBadge(context, 'source', source.id)}`
    return html`${pageHead(source.name, summary, this.#actions(source))} ${faultView(this.#toggle.error)}
      <div class="columns">
        <div class="column-main cards">
          ${isWaiting(source) ? html`<nc-connect-card .context=${context} .source=${source}></nc-connect-card>` : nothing}
          ${deliveriesCard(deliveries, this.#deliveryActions(source), this.showsAll ? undefined : this.#showAll)}
          ${this.#mappings(source)}
          ${this.#signature(source)}
          <nc-source-secret .context=${context} .source=${source}></nc-source-secret>
          <nc-source-settings .context=${context} .source=${source}></nc-source-settings>
        </div>
        <aside class="column-side" aria-label="About this source">${about(source)}</aside>
      </div>`
  }

  /** The scheme of a named platform is fixed. */
  #signature(source: SourceAnswer): TemplateResult | typeof nothing {
    const hasTrial = source.provider === 'hmac' || source.provider === 'standardwebhooks'
    if (!hasTrial || !this.context.may('admin')) return nothing
    return html`<nc-source-signature .context=${this.context} .source=${source}></nc-source-signature>`
  }

  #mappings(source: SourceAnswer): TemplateResult {
    const { context, draft, faults } = this
    const edited = ({ mappings }: MappingsEdited) => {
      const isSame = JSON.stringify(mappings) === JSON.stringify(source.mappings)
      this.draft = isSame ? undefined : mappings
    }
    const found = (event: MappingFaults) => {
      this.faults = event.faults
    }
    return html`<div class="cards" @mappings-edited=${edited} @mapping-faults=${found}>
      <nc-mappings-card .context=${context} .source=${source} .draft=${draft} .faults=${faults}></nc-mappings-card>
      <nc-source-trial .context=${context} .source=${source} .mappings=${draft ?? source.mappings}></nc-source-trial>
    </div>`
  }

  #deliveryActions(source: SourceAnswer): DeliveryActions {
    const { context } = this
    const begun = () => void this.#load(true)
    const stop = () =>
      void context.sources
        .stopRun(source.id)
        .catch((error: unknown) => context.notify(messageOf(error)))
        .then(begun)
    const run = runView(source.run, context.may('editor') ? stop : undefined)
    const actions = { linkToEvent: (id: string) => context.link('event', id), run }
    if (!context.may('editor')) return actions
    const ask = (question: Question) => this.#confirm.value?.ask(question)
    return {
      ...actions,
      view: (id) => this.#body.value?.show(id),
      ...(source.run?.state !== 'running' && { runAgain: () => askToRun(context, source, ask, begun) }),
    }
  }

  readonly #showAll = (): void => {
    this.showsAll = true
  }

  #actions(source: SourceAnswer): TemplateResult {
    const { may } = this.context
    const isPaused = source.status === 'paused'
    const toggle = html`<wa-button size="s" appearance="outlined" ?loading=${this.#toggle.isBusy} @click=${() => this.#pause(source)}>
      ${icon(isPaused ? 'play' : 'pause', 'start')}${isPaused ? 'Resume' : 'Pause'}
    </wa-button>`
    const remove = html`<wa-button size="s" appearance="outlined" variant="danger" @click=${() => this.#remove(source)}>${icon('trash', 'start')}Remove</wa-button>`
    return html`${may('editor') ? toggle : nothing} ${may('admin') ? remove : nothing}`
  }

  #pause({ id, name, status }: SourceAnswer): void {
    const { sources, notify } = this.context
    if (status === 'paused') {
      void this.#toggle.run(async () => {
        this.#show(await sources.resume(id))
        notify('Deliveries are tracked again.')
      })
      return
    }
    this.#confirm.value?.ask({
      title: `Pause ${name}`,
      text: html`<p>Deliveries are answered as if they were taken, and dropped: the platform keeps the address, and sends none of them again.</p>`,
      button: 'Pause',
      run: async () => {
        this.#show(await sources.pause(id))
        notify('The source is paused. Its deliveries are dropped.')
      },
    })
  }

  #show(source: SourceAnswer): void {
    const { value } = this.#loaded
    if (value !== undefined) this.#loaded.value = { ...value, source }
    void this.#load(true)
  }

  #remove({ id, name, provider }: SourceAnswer): void {
    const { sources, notify, router, link } = this.context
    this.#confirm.value?.ask({
      title: 'Remove this source',
      text: html`<p>Its address answers 404 from then on, for good: remove it at ${PLATFORMS[provider].title} as well. Its events stay.</p>`,
      button: 'Remove',
      isDangerous: true,
      typed: name,
      run: async () => {
        await sources.remove(id)
        this.draft = undefined
        notify(`The source ${name} is removed.`)
        router.go(link('sources'))
      },
    })
  }
}

function about(source: SourceAnswer): TemplateResult {
  const { id, counts, lastErrorAt, lastReceivedAt, lastError, createdAt, updatedAt } = source
  // Then the last delivery shows it.
  const isLast = lastErrorAt !== null && lastErrorAt >= (lastReceivedAt ?? '')
  return html`<section class="card">
    ${facts([
      ['ID', copyable(id, 'source ID')],
      ['Last delivery', lastDelivery(source)],
      ['Accepted', formatCount(counts.accepted)],
      ['Unreadable', formatCount(counts.unreadable)],
      ['Dropped in a pause', formatCount(counts.dropped)],
      ['Duplicates', formatCount(counts.duplicates)],
      ['Refused', formatCount(counts.refused)],
      [
        'Last fault',
        lastErrorAt === null || isLast ? null : html`${age(lastErrorAt)}<span class="row-note">${lastError}</span>`,
      ],
      ['Created', time(createdAt)],
      ['Changed', time(updatedAt)],
    ])}
  </section>`
}

customElements.define('nc-source', NcSource)
