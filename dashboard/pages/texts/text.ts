// <nc-translation> and <nc-snippet>: the messages of a locale, and one snippet, to change and to remove them.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import { pageHead } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { icon } from '../../elements/icon.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { InvalidInput } from '../../lib/invalid-input.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'
import './text-card.ts'

const SAVED = 'The text is saved. Published campaigns keep theirs until they are published again.'

abstract class TextPage extends AppPage {
  readonly #text = new Loader<string>(this)
  readonly #confirm = createRef<NcConfirm>()
  protected abstract readonly about: string
  protected abstract readonly heading: string
  protected abstract readonly label: string
  protected abstract readonly hint: unknown
  /** What happens when it is removed. */
  protected abstract readonly loss: string

  protected abstract readText(signal: AbortSignal): Promise<string>
  protected abstract writeText(text: string): Promise<unknown>
  protected abstract removeText(): Promise<unknown>

  protected override firstUpdated(): void {
    this.context.setTitle(this.routeId)
    this.#load()
  }

  #load(quiet = false): void {
    void this.#text.load((signal) => this.readText(signal), { quiet })
  }

  override render(): TemplateResult {
    const { value, state, error } = this.#text
    const remove = html`<wa-button size="s" appearance="outlined" variant="danger" @click=${() => this.#ask()}>${icon('trash', 'start')}Remove</wa-button>`
    const mayChange = this.context.may('editor')
    const card = (text: string) =>
      html`<nc-text-card .heading=${this.heading} .label=${this.label} .hint=${this.hint} .text=${text} .mayChange=${mayChange} .save=${this.#save}></nc-text-card>`
    return html`<div class="page">
      <nav class="crumbs" aria-label="Breadcrumb"><a class="link" href=${this.context.link('texts')}>Texts</a></nav>
      ${pageHead(this.routeId, this.about, value !== undefined && mayChange ? remove : nothing)}
      ${value !== undefined ? card(value) : state === 'failed' ? failureView(error, () => this.#load()) : loadingView()}
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </div>`
  }

  readonly #save = async (text: string): Promise<void> => {
    await this.writeText(text)
    this.context.notify(SAVED)
    this.#load(true)
  }

  #ask(): void {
    const { notify, router, link } = this.context
    this.#confirm.value?.ask({
      title: `Remove ${this.routeId}`,
      text: html`<p>${this.loss}</p>`,
      button: 'Remove',
      isDangerous: true,
      typed: this.routeId,
      run: async () => {
        await this.removeText()
        notify(`${this.routeId} is removed.`)
        router.go(link('texts'))
      },
    })
  }
}

class NcTranslation extends TextPage {
  protected override readonly about = 'The messages of a language'
  protected override readonly heading = 'Messages'
  protected override readonly label = 'JSON'
  protected override readonly hint =
    html`By key, in ICU’s format: <code>{ "order": { "shipped": "{count, plural, one {# order} other {# orders}} shipped" } }</code> is printed by <code>{{ "order.shipped" | t: count: 2 }}</code>.`
  protected override readonly loss =
    'Campaigns that are published from then on have the messages of the default language in its place.'

  protected override async readText(signal: AbortSignal): Promise<string> {
    return JSON.stringify((await this.context.api.translation(this.routeId, signal)).messages, null, 2)
  }

  protected override writeText(text: string): Promise<unknown> {
    return this.context.api.putTranslation(this.routeId, toMessages(text))
  }

  protected override removeText(): Promise<unknown> {
    return this.context.api.removeTranslation(this.routeId)
  }
}

class NcSnippet extends TextPage {
  protected override readonly about = 'A part that several templates print'
  protected override readonly heading = 'Template'
  protected override readonly label = 'Liquid'
  protected override readonly hint =
    html`Liquid, with the data of the template that renders it and its arguments: <code>{% render "signature", name: "Ada" %}</code> gives it <code>{{ name }}</code>.`
  protected override readonly loss = 'Campaigns that render it cannot be published from then on.'

  protected override async readText(signal: AbortSignal): Promise<string> {
    return (await this.context.api.snippet(this.routeId, signal)).source
  }

  protected override writeText(text: string): Promise<unknown> {
    return this.context.api.putSnippet(this.routeId, text)
  }

  protected override removeText(): Promise<unknown> {
    return this.context.api.removeSnippet(this.routeId)
  }
}

/** @throws InvalidInput for what is no object in JSON */
function toMessages(text: string): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new InvalidInput(`This is no JSON: ${error instanceof Error ? error.message : text}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidInput('This must be an object: { "key": "message" }.')
  }
  return value
}

customElements.define('nc-translation', NcTranslation)
customElements.define('nc-snippet', NcSnippet)
