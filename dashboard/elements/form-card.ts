// Base class of cards with one form: sends it, keeps what was typed when that fails, and shows each fault. Secrets that
// were saved do not stay in it. A form of settings has no button of its own: the bar of the page saves it.

import { html, nothing, type TemplateResult } from 'lit'
import { keyed } from 'lit/directives/keyed.js'
import { Attempt } from '../lib/attempt.ts'
import { type FormValues, listChanges, valuesOf } from '../lib/form-changes.ts'
import { LightElement } from '../lib/light-element.ts'
import { type SaveOutcome, UnsavedPart } from '../lib/unsaved.ts'
import { enterButton } from './enter-button.ts'
import { FieldFaults } from './field-faults.ts'
import { NOT_SAVED } from './save-bar.ts'
import { faultView } from './states.ts'

const SECRETS = '[type=password], [data-secret]'

export interface CardForm {
  title: string
  /** Prefix of the ids in the card. */
  name: string
  text?: unknown
  fields: unknown
  /** The label of the button that sends the form; undefined for settings, which the bar of the page saves. */
  button?: string | undefined
  /** Without it, the fields show their values and there is no button. */
  mayChange: boolean
  /** Further buttons. */
  tools?: unknown
  /** Below the form. */
  result?: unknown
}

export abstract class FormCard extends LightElement {
  protected readonly attempt = new Attempt(this)
  readonly #part: UnsavedPart
  #title = ''
  #isSettings = false
  /** What is stored, as the form has it. */
  #stored: FormValues = new Map()
  #isEdited = false
  /** Another one makes the form anew, from what is stored. */
  #round = 0

  constructor() {
    super()
    new FieldFaults(this, () => this.attempt.error)
    this.#part = new UnsavedPart(this, {
      title: () => this.#title,
      changes: () => (this.#isSettings ? this.listChanges() : []),
      save: () => this.#saveAsPart(),
      discard: () => this.#discard(),
    })
  }

  /** Sends the form. A failure is shown below the fields. @returns `asked`: a dialog asks first, and nothing is saved yet */
  // biome-ignore lint/suspicious/noConfusingVoidType: most cards ask nothing
  protected abstract submit(form: FormData): Promise<void | 'asked'>

  /** Forgets what the card keeps beside its form. */
  protected reset(): void {}

  /** @returns The labels of what differs from what is stored. */
  protected listChanges(): readonly string[] {
    const form = this.#form
    return form === null || !this.#isEdited ? [] : listChanges(form, this.#stored)
  }

  /** What the form has is stored now. */
  protected settle(): void {
    this.#isEdited = false
    this.requestUpdate()
  }

  get #form(): HTMLFormElement | null {
    return this.querySelector<HTMLFormElement>('.card-form')
  }

  protected override updated(_changed: Map<string, unknown>): void {
    const form = this.#form
    if (!this.#isEdited && form !== null) this.#stored = valuesOf(form)
  }

  protected card({ title, name, text, fields, button, mayChange, tools, result }: CardForm): TemplateResult {
    this.#title = title
    this.#isSettings = button === undefined && mayChange
    const foot = html`${enterButton}
      ${
        button === undefined && (tools === undefined || tools === nothing)
          ? nothing
          : html`<div class="card-foot">
              ${button === undefined ? nothing : html`<wa-button size="s" type="submit" variant="brand" ?loading=${this.attempt.isBusy}>${button}</wa-button>`}
              ${tools ?? nothing}
            </div>`
      }`
    const form = html`<form class="card-form" @submit=${this.#onSubmit} @input=${this.#onEdit} @change=${this.#onEdit}>
        <fieldset class="card-fields" ?disabled=${!mayChange}>${fields}</fieldset>
        ${faultView(this.attempt.error)} ${mayChange ? foot : nothing}
      </form>`
    return html`<section class="card" aria-labelledby=${`${name}-title`}>
      <header class="card-head"><h2 id=${`${name}-title`}>${title}</h2></header>
      ${text === undefined ? nothing : html`<p class="card-text">${text}</p>`} ${keyed(this.#round, form)}
      ${result ?? nothing}
    </section>`
  }

  readonly #onEdit = (): void => {
    this.#isEdited = true
    this.#part.look()
  }

  readonly #onSubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    void this.#send(event.target as HTMLFormElement)
  }

  async #send(form: HTMLFormElement): Promise<SaveOutcome> {
    let hasAsked = false
    const isDone = await this.attempt.run(async () => {
      hasAsked = (await this.submit(new FormData(form))) === 'asked'
    })
    if (!isDone) return 'failed'
    if (hasAsked) return 'asked'
    for (const field of form.querySelectorAll<HTMLInputElement>(SECRETS)) field.value = ''
    this.settle()
    await this.updateComplete
    return 'saved'
  }

  async #saveAsPart(): Promise<SaveOutcome> {
    const form = this.#form
    if (form === null) return 'failed'
    if (form.checkValidity()) return this.#send(form)
    this.dispatchEvent(new CustomEvent(NOT_SAVED, { bubbles: true, detail: this }))
    // What contains the card may have to show it first.
    await new Promise(requestAnimationFrame)
    form.reportValidity()
    return 'failed'
  }

  #discard(): void {
    this.attempt.clear()
    this.reset()
    this.#round += 1
    this.settle()
  }
}
