// <nc-layout-editor>: the layout of mails as plain text with numbered lines, its format, and its faults by line.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { EmailLook } from '../../../contract/resources/notification-config.ts'
import type { LayoutFormat } from '../../../contract/tenant.ts'
import { icon } from '../../elements/icon.ts'
import { segments } from '../../elements/segments.ts'
import { LightElement } from '../../lib/light-element.ts'
import { placeOf } from './text-place.ts'

export type Layout = Pick<EmailLook, 'layout' | 'layoutFormat'>

const FORMATS = [
  ['html', 'HTML'],
  ['mjml', 'MJML'],
] as const

class NcLayoutEditor extends LightElement {
  static override properties = {
    layout: { attribute: false },
    layoutFormat: { attribute: false },
    faults: { attribute: false },
    mayChange: { attribute: false },
    loadStarting: { attribute: false },
    isLoading: { state: true },
  }

  declare layout: string | null
  declare layoutFormat: LayoutFormat
  /** Those of the layout alone. */
  declare faults: readonly ErrorDetail[]
  declare mayChange: boolean
  /** Reads the layout to begin with, of a format; undefined where it could not be read. */
  declare loadStarting: (format: LayoutFormat) => Promise<string | undefined>
  declare protected isLoading: boolean

  readonly #text = createRef<HTMLTextAreaElement>()
  readonly #lines = createRef<HTMLElement>()

  override render(): TemplateResult {
    const { layout, layoutFormat, mayChange, faults } = this
    const text = layout ?? ''
    const count = text.split('\n').length
    return html`<section class="card" aria-labelledby="layout-title">
      <header class="card-head">
        <h2 id="layout-title">Layout</h2>
        <div class="card-tools">
          ${mayChange ? segments('Format', FORMATS, layoutFormat, (chosen) => this.#emit({ layout, layoutFormat: chosen })) : nothing}
        </div>
      </header>
      <p class="card-text">
        Liquid around each mail, with <code>{{ content }}</code> where the mail itself stands. It may print
        <code>subject</code>, <code>preheader</code>, <code>senderName</code> and <code>unsubscribeUrl</code>. Empty: the standard layout.
      </p>
      <div class="code-field" data-faulty=${faults.length > 0 ? '' : nothing}>
        <pre class="code-lines" aria-hidden="true" ${ref(this.#lines)}>${Array.from({ length: count }, (_, at) => at + 1).join('\n')}</pre>
        <textarea
          id="layout-text"
          class="input mono"
          rows="20"
          wrap="off"
          spellcheck="false"
          autocomplete="off"
          autocapitalize="none"
          aria-label="Layout"
          aria-describedby="layout-faults"
          aria-invalid=${faults.length > 0}
          placeholder="The standard layout"
          ?readonly=${!mayChange}
          .value=${text}
          @input=${this.#onInput}
          @scroll=${this.#onScroll}
          ${ref(this.#text)}
        ></textarea>
      </div>
      <ul class="code-faults" id="layout-faults" aria-live="polite">
        ${faults.map((fault) => this.#fault(fault, text))}
      </ul>
      ${mayChange && text === '' ? this.#start() : nothing}
    </section>`
  }

  #start(): TemplateResult {
    const words = this.layoutFormat === 'html' ? 'Begin with the standard layout' : 'Begin with a layout in MJML'
    return html`<div class="card-foot">
      <wa-button size="s" appearance="outlined" ?loading=${this.isLoading} @click=${this.#insert}>${icon('plus', 'start')}${words}</wa-button>
    </div>`
  }

  #fault({ message, position }: ErrorDetail, text: string): TemplateResult {
    if (position === undefined) return html`<li>${message}</li>`
    const { line, column } = placeOf(text, position)
    return html`<li>
      <button type="button" class="link-button" @click=${() => this.#select(position)}>Line ${line}, column ${column}</button>
      ${message}
    </li>`
  }

  readonly #insert = async (): Promise<void> => {
    const { layoutFormat } = this
    this.isLoading = true
    const layout = await this.loadStarting(layoutFormat)
    this.isLoading = false
    if (layout !== undefined) this.#emit({ layout, layoutFormat })
    void this.focusOn('#layout-text')
  }

  readonly #onInput = ({ target }: Event): void => {
    const { value } = target as HTMLTextAreaElement
    this.#emit({ layout: value === '' ? null : value, layoutFormat: this.layoutFormat })
  }

  readonly #onScroll = ({ target }: Event): void => {
    if (this.#lines.value !== undefined) this.#lines.value.scrollTop = (target as HTMLTextAreaElement).scrollTop
  }

  /** Marks the line of a fault, and puts the cursor at its place. */
  #select(position: number): void {
    const area = this.#text.value
    if (area === undefined) return
    const { line } = placeOf(area.value, position)
    const end = area.value.indexOf('\n', position)
    area.focus()
    area.setSelectionRange(position, end < 0 ? area.value.length : end)
    const lineHeight = area.scrollHeight / area.value.split('\n').length
    area.scrollTo({ top: Math.max(0, (line - 4) * lineHeight), left: 0 })
  }

  #emit(detail: Layout): void {
    this.dispatchEvent(new CustomEvent('layout-changed', { detail }))
  }
}

customElements.define('nc-layout-editor', NcLayoutEditor)
