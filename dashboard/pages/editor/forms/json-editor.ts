// <nc-json-editor>: the whole definition as JSON. The draft follows while the text is JSON; faults of the API stand at their places.

import { html, nothing, type TemplateResult } from 'lit'
import { type Draft, isObject, type Path, parsePath } from '../../../editor/step-tree.ts'
import { LightElement } from '../../../lib/light-element.ts'
import type { CodeMark } from './code/code-element.ts'
import type * as Places from './code/json-places.ts'
import type { SyntaxFault } from './code/json-places.ts'
import './code-field.ts'

const ID = 'definition-json'

export class NcJsonEditor extends LightElement {
  static override properties = {
    value: { attribute: false },
    faults: { attribute: false },
    mayChange: { type: Boolean },
    onChange: { attribute: false },
    places: { state: true },
    fault: { state: true },
  }

  declare value: Draft
  /** As the API reports them. */
  declare faults: readonly { path: string; message: string }[]
  declare mayChange: boolean
  /** Called while the text is a JSON object that is not the value. */
  declare onChange: (draft: Draft) => void
  /** The parser, which comes with the editor of code. */
  declare protected places: typeof Places | undefined
  declare protected fault: SyntaxFault | undefined

  #text = ''
  #value: Draft | undefined

  constructor() {
    super()
    this.faults = []
    this.mayChange = false
  }

  protected override firstUpdated(): void {
    // Without the parser, the browser's own says less of a fault.
    import('./code/json-places.ts').then(
      (places) => {
        this.places = places
        this.fault = places.findSyntaxFault(this.#text)
      },
      () => {},
    )
  }

  protected override willUpdate(): void {
    if (this.value === this.#value) return
    this.#value = this.value
    if (sameJson(this.#text, this.value)) return
    this.#text = JSON.stringify(this.value, null, 2)
    this.fault = undefined
  }

  readonly #onText = (text: string): void => {
    this.#text = text
    this.requestUpdate()
    this.fault = this.places?.findSyntaxFault(text) ?? plainFault(text)
    if (this.fault !== undefined || sameJson(text, this.value)) return
    const draft = JSON.parse(text) as Draft
    this.#value = draft
    this.onChange(draft)
  }

  /** Selects the place of a value. */
  async reveal(path: Path): Promise<void> {
    const places = this.places ?? (await import('./code/json-places.ts'))
    const place = places.placeOf(this.#text, path)
    const field = this.querySelector<HTMLElement & { select?(from: number, to: number): void }>(`#${ID}`)
    if (place !== undefined && field instanceof HTMLTextAreaElement) {
      field.focus()
      field.setSelectionRange(place.from, place.to)
    } else if (place !== undefined) field?.select?.(place.from, place.to)
  }

  #marks(): CodeMark[] {
    const { places, fault } = this
    if (fault !== undefined) return [fault]
    if (places === undefined) return []
    return this.faults.flatMap(({ path, message }) => {
      const place = places.placeOf(this.#text, parsePath(path, this.value))
      return place === undefined ? [] : [{ ...place, message: path === '' ? message : `${path}: ${message}` }]
    })
  }

  override render(): TemplateResult {
    const { fault, mayChange } = this
    const marks = this.#marks()
    return html`<div class="field json-editor">
      <label for=${ID}>Definition</label>
      <nc-code-field .name=${ID} .label=${'Definition'} .language=${'json'} .text=${this.#text} .rows=${24} .described=${`${ID}-note`} .isInvalid=${marks.length > 0} .mayChange=${mayChange} .marks=${marks} .onText=${this.#onText}></nc-code-field>
      <p class=${fault === undefined ? 'hint' : 'field-fault'} id=${`${ID}-note`} role="status">${
        fault === undefined
          ? mayChange
            ? 'Each change is one of the campaign while this is JSON.'
            : nothing
          : `${fault.message} The campaign stays as it was.`
      }</p>
    </div>`
  }
}

function sameJson(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value)
  } catch {
    return false
  }
}

/** Until the parser is loaded. */
function plainFault(text: string): SyntaxFault | undefined {
  try {
    if (isObject(JSON.parse(text))) return undefined
  } catch {
    // The same words for what is no JSON and for what is no object.
  }
  return { from: 0, to: 0, line: 1, message: 'This is no JSON object.' }
}

customElements.define('nc-json-editor', NcJsonEditor)
