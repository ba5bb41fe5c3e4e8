// Base class of cards with one form: sends it, keeps what was typed when that fails, and shows each fault. Secrets that
// were saved do not stay in it.

import { html, nothing, type TemplateResult } from 'lit'
import { Attempt } from '../lib/attempt.ts'
import { LightElement } from '../lib/light-element.ts'
import { enterButton } from './enter-button.ts'
import { FieldFaults } from './field-faults.ts'
import { faultView } from './states.ts'

const SECRETS = '[type=password], [data-secret]'

export interface CardForm {
  title: string
  /** Prefix of the ids in the card. */
  name: string
  text?: unknown
  fields: unknown
  /** The label of the button that sends the form. */
  button: string
  /** Without it, the fields show their values and there is no button. */
  mayChange: boolean
  /** Further buttons. */
  tools?: unknown
  /** Below the form. */
  result?: unknown
}

export abstract class FormCard extends LightElement {
  protected readonly attempt = new Attempt(this)

  constructor() {
    super()
    new FieldFaults(this, () => this.attempt.error)
  }

  /** Sends the form. A failure is shown below the fields. */
  protected abstract submit(form: FormData): Promise<void>

  protected card({ title, name, text, fields, button, mayChange, tools, result }: CardForm): TemplateResult {
    return html`<section class="card" aria-labelledby=${`${name}-title`}>
      <header class="card-head"><h2 id=${`${name}-title`}>${title}</h2></header>
      ${text === undefined ? nothing : html`<p class="card-text">${text}</p>`}
      <form class="card-form" @submit=${this.#onSubmit}>
        <fieldset class="card-fields" ?disabled=${!mayChange}>${fields}</fieldset>
        ${faultView(this.attempt.error)}
        ${
          mayChange
            ? html`${enterButton}
              <div class="card-foot">
                <wa-button size="s" type="submit" variant="brand" ?loading=${this.attempt.isBusy}>${button}</wa-button>
                ${tools ?? nothing}
              </div>`
            : nothing
        }
      </form>
      ${result ?? nothing}
    </section>`
  }

  readonly #onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const isSaved = await this.attempt.run(() => this.submit(new FormData(form)))
    if (isSaved) for (const field of form.querySelectorAll<HTMLInputElement>(SECRETS)) field.value = ''
  }
}
