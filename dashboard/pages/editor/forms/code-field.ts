// <nc-code-field>: code in a plain text area, until the editor of code is loaded and takes its place.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import type { NcCodeEditor } from './code/code-editor.ts'
import { CodeElement } from './code/code-element.ts'
import type { CodeLanguage } from './code/languages.ts'
import type { Form, Tied } from './form-field.ts'
import { applyTyped } from './text-change.ts'

/** Loads the editor of code; it is a large part of what the page loads. */
const loadEditor = (): Promise<unknown> => import('./code/code-editor.ts')

class NcCodeField extends CodeElement {
  static override properties = {
    ...CodeElement.properties,
    name: {},
    described: {},
    isLoaded: { state: true },
  }

  /** The id of the field. */
  declare name: string
  declare described: string | undefined
  declare protected isLoaded: boolean

  /** The selection of the text area, if it had the focus when the editor came. */
  #selected: [number, number] | undefined

  constructor() {
    super()
    this.isLoaded = false
  }

  /** In the page, where labels and styles reach the text area. */
  protected override createRenderRoot(): HTMLElement {
    return this
  }

  protected override firstUpdated(): void {
    // Without the editor the text area stays: a lost connection takes no field away.
    loadEditor().then(this.#onLoad, () => {})
  }

  readonly #onLoad = (): void => {
    const area = this.querySelector('textarea')
    if (area !== null && document.activeElement === area) this.#selected = [area.selectionStart, area.selectionEnd]
    this.isLoaded = true
  }

  protected override updated(_changed: PropertyValues): void {
    if (this.#selected === undefined || !this.isLoaded) return
    this.querySelector<NcCodeEditor>('nc-code-editor')?.select(...this.#selected)
    this.#selected = undefined
  }

  readonly #onTyped = (typed: string): void => {
    this.text = applyTyped(this.text, typed)
    this.onText(this.text)
  }

  override render(): TemplateResult {
    const { name, label, text, described, isInvalid } = this
    if (this.isLoaded) {
      return html`<nc-code-editor id=${name} class="input code-input" .label=${label} .language=${this.language} .text=${text} .rows=${this.rows} .isInvalid=${isInvalid} .mayChange=${this.mayChange} .marks=${this.marks} .known=${this.known} .onText=${this.#onTyped}></nc-code-editor>`
    }
    const input = ({ target }: Event) => this.#onTyped((target as HTMLTextAreaElement).value)
    return html`<textarea id=${name} class="input mono" rows=${this.rows} aria-label=${label} .value=${live(text)} aria-describedby=${described ?? nothing} aria-invalid=${isInvalid ? 'true' : nothing} ?readonly=${!this.mayChange} spellcheck="false" autocapitalize="none" @input=${input}></textarea>`
  }
}

customElements.define('nc-code-field', NcCodeField)

export interface CodeSpec {
  label: string
  language: CodeLanguage
  text: string
  rows: number
  onText(text: string): void
}

/** The control of a field with code; the fault is marked where the API names a position. */
export function codeInput(form: Form, { id, described, fault }: Tied, spec: CodeSpec): TemplateResult {
  const marks = fault?.position === undefined ? [] : [{ from: fault.position, message: fault.message }]
  return html`<nc-code-field .name=${id} .label=${spec.label} .language=${spec.language} .text=${spec.text} .rows=${spec.rows} .described=${described} .isInvalid=${fault !== undefined} .mayChange=${form.mayChange} .marks=${marks} .known=${form.known} .onText=${spec.onText}></nc-code-field>`
}
