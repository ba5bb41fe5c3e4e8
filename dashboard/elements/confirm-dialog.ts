// <nc-confirm>: asks before a change, and where much is at stake, for a word to type. Shows the failure of the change.

import '@awesome.me/webawesome/dist/components/dialog/dialog.js'
import { html, nothing, type TemplateResult } from 'lit'
import { Attempt } from '../lib/attempt.ts'
import { LightElement } from '../lib/light-element.ts'
import { shownProduction } from '../lib/shown-environment.ts'
import { enterButton } from './enter-button.ts'
import { FieldFaults } from './field-faults.ts'
import { faultView } from './states.ts'

export interface Question {
  title: string
  text: unknown
  /** The label of the button that does it; absent: there is nothing to do. */
  button?: string
  isDangerous?: boolean
  /** The text to type before the button works. */
  typed?: string
  /** Additional fields, inside the dialog's form. */
  fields?: TemplateResult
  /** Does it. @param form With the values of the fields. */
  run(form: FormData): Promise<void>
  /** Called when the dialog has closed after a success, and the focus is in the page again. */
  afterwards?(): void
}

export class NcConfirm extends LightElement {
  static override properties = {
    question: { state: true },
    isOpen: { state: true },
    typed: { state: true },
  }

  declare question: Question | undefined
  declare isOpen: boolean
  declare typed: string

  readonly #attempt = new Attempt(this)
  #isDone = false

  constructor() {
    super()
    this.isOpen = false
    this.typed = ''
    new FieldFaults(this, () => this.#attempt.error)
  }

  ask(question: Question): void {
    this.#isDone = false
    this.#attempt.clear()
    Object.assign(this, { question, isOpen: true, typed: '' })
  }

  /** Closes it without doing anything. */
  close(): void {
    this.isOpen = false
  }

  override render(): TemplateResult | typeof nothing {
    const { question } = this
    if (question === undefined) return nothing
    const isReady = isTyped(this.typed, question.typed)
    return html`<wa-dialog
      label=${question.title}
      ?open=${this.isOpen}
      @wa-after-hide=${this.#onHidden}
    >
      <form id="confirm-form" class="dialog-form" @submit=${this.#onSubmit}>
        ${inProduction()}
        <div class="dialog-text">${question.text}</div>
        ${question.fields ?? nothing} ${this.#typedField(question)} ${enterButton}
        ${faultView(this.#attempt.error)}
        <div class="dialog-buttons">
          <wa-button size="s" appearance="outlined" data-dialog="close">${question.button === undefined ? 'Close' : 'Cancel'}</wa-button>
          ${this.#submitButton(question, isReady)}
        </div>
      </form>
    </wa-dialog>`
  }

  #submitButton({ button, isDangerous }: Question, isReady: boolean): TemplateResult | typeof nothing {
    if (button === undefined) return nothing
    return html`<wa-button size="s" type="submit" variant=${isDangerous ? 'danger' : 'brand'} ?disabled=${!isReady} ?loading=${this.#attempt.isBusy}>${button}</wa-button>`
  }

  #typedField({ typed }: Question): TemplateResult | typeof nothing {
    if (typed === undefined) return nothing
    const set = ({ target }: Event) => {
      this.typed = (target as HTMLInputElement).value
    }
    return html`<div class="field">
      <label for="confirm-typed">Type <code>${typed}</code> to confirm</label>
      <input id="confirm-typed" class="input" autocomplete="off" spellcheck="false" autofocus .value=${this.typed} @input=${set} />
    </div>`
  }

  readonly #onHidden = (event: Event): void => {
    if (event.target !== event.currentTarget) return
    const next = this.#isDone ? this.question?.afterwards : undefined
    Object.assign(this, { isOpen: false, question: undefined })
    // The dialog gives the focus back first.
    if (next !== undefined) setTimeout(next)
  }

  readonly #onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const { question } = this
    if (question?.button === undefined) return
    if (!isTyped(this.typed, question.typed)) return
    const isDone = await this.#attempt.run(() => question.run(new FormData(event.target as HTMLFormElement)))
    // Another question may have taken its place meanwhile.
    if (!isDone || this.question !== question) return
    this.#isDone = true
    this.isOpen = false
  }
}

function inProduction(): TemplateResult | typeof nothing {
  const name = shownProduction()
  if (name === undefined) return nothing
  return html`<p class="in-production">In <strong>${name}</strong>: production, with real users.</p>`
}

/** Spaces around a name cannot be seen. */
const isTyped = (typed: string, wanted: string | undefined): boolean =>
  wanted === undefined || typed.trim() === wanted.trim()

customElements.define('nc-confirm', NcConfirm)
