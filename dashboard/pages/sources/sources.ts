// <nc-sources>: the places where platforms deliver to an environment, with the state of each, and the creation of one.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { SourceAnswer } from '../../../contract/resources/source.ts'
import { copyable, pageHead } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { icon } from '../../elements/icon.ts'
import type { NcShownOnce } from '../../elements/shown-once.ts'
import '../../elements/shown-once.ts'
import { emptyView, failureView, loadingView } from '../../elements/states.ts'
import { Loader, type Polled } from '../../lib/loader.ts'
import { Poller } from '../../lib/poller.ts'
import { AppPage } from '../../shell/page-element.ts'
import { newSourceOf } from './new-source.ts'
import './new-source.ts'
import { PLATFORMS } from './platforms.ts'
import { isDictated } from './secret-field.ts'
import { lastDelivery, stateBadges } from './source-state.ts'

const POLL_MS = 5000
/** Characters at the end of the id in the shortened address, which differs from others there. */
const SHOWN_ID = 8

class NcSources extends AppPage {
  readonly #list = new Loader<SourceAnswer[]>(this)
  readonly #confirm = createRef<NcConfirm>()
  readonly #once = createRef<NcShownOnce>()

  constructor() {
    super()
    new Poller(this, POLL_MS, () => this.#load(true))
  }

  protected override firstUpdated(): void {
    void this.#load()
  }

  #load(quiet = false): Promise<Polled> {
    const { sources } = this.context
    return this.#list.load(async (signal) => (await sources.list(signal)).data, { quiet })
  }

  override render(): TemplateResult {
    const isEmpty = this.#list.value?.length === 0
    const mayCreate = this.context.may('admin') && !isEmpty
    return html`<div class="page">
      ${pageHead('Sources', 'Where other platforms deliver: each item becomes a tracked event.', mayCreate ? this.#createButton() : nothing)}
      ${this.#content()}
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
      <nc-shown-once ${ref(this.#once)}></nc-shown-once>
    </div>`
  }

  #createButton(): TemplateResult {
    return html`<wa-button size="s" variant="brand" @click=${() => this.#create()}>${icon('plus', 'start')}Create a source</wa-button>`
  }

  #content(): TemplateResult {
    const { value, state, error } = this.#list
    if (state === 'failed') return failureView(error, () => void this.#load())
    if (value === undefined) return loadingView(5)
    if (value.length === 0) {
      return emptyView({
        icon: 'source',
        title: 'No sources yet',
        text: 'A source is an address to which a platform, such as Stripe, reports what happened there. Each report becomes a tracked event, and starts campaigns.',
        ...(this.context.may('admin') && { action: this.#createButton() }),
      })
    }
    return html`<div class="table-box">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" class="wide-only">Platform</th>
            <th scope="col" class="wide-only">State</th>
            <th scope="col" class="wide-only">Address</th>
            <th scope="col">Last delivery</th>
          </tr>
        </thead>
        <tbody>
          ${value.map((source) => this.#row(source))}
        </tbody>
      </table>
    </div>`
  }

  #row(source: SourceAnswer): TemplateResult {
    const { id, name, provider, url } = source
    const platform = PLATFORMS[provider].title
    return html`<tr>
      <th scope="row">
        <a class="row-link" href=${this.context.link('source', id)}>${name}</a><span class="row-note narrow-only">${platform}</span>
        <span class="narrow-only">${stateBadges(source)}</span>
      </th>
      <td class="wide-only">${platform}</td>
      <td class="wide-only">${stateBadges(source)}</td>
      <td class="wide-only">${copyable(url, `address of ${name}`, `…/${provider}/…${id.slice(-SHOWN_ID)}`)}</td>
      <td class="delivery-cell">${lastDelivery(source)}</td>
    </tr>`
  }

  #create(): void {
    const { sources } = this.context
    let made: { source: SourceAnswer; secret: string | undefined } | undefined
    this.#confirm.value?.ask({
      title: 'Create a source',
      text: html`<p>It begins with the usual events of its platform.</p>`,
      fields: html`<nc-new-source></nc-new-source>`,
      button: 'Create',
      run: async (form) => {
        const wanted = newSourceOf(form)
        const source = await sources.create(wanted)
        const isShown = !isDictated(PLATFORMS[wanted.provider])
        made = { source, secret: isShown ? source.verificationSecret : undefined }
      },
      afterwards: () => {
        if (made !== undefined) this.#connect(made.source, made.secret)
        made = undefined
      },
    })
  }

  /** Shows a secret that the server has made; else the page of the source has the steps. */
  #connect({ id, url, provider }: SourceAnswer, secret: string | undefined): void {
    const { router, link } = this.context
    const open = () => router.go(link('source', id))
    if (secret === undefined) {
      open()
      return
    }
    const { title, steps } = PLATFORMS[provider]
    this.#once.value?.show({
      title: `Connect ${title}`,
      text: 'Copy the secret now. Admins can show it again, which the audit log records.',
      values: [
        ['Address', url],
        ['Secret', secret],
      ],
      steps,
      onClosed: open,
    })
  }
}

customElements.define('nc-sources', NcSources)
