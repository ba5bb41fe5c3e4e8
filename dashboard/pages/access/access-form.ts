// Renders the forms of the pages before the sign-in, and keeps the state of their calls.

import { html, nothing, type TemplateResult } from 'lit'
import { enterButton } from '../../elements/enter-button.ts'
import { faultView } from '../../elements/states.ts'
import { PublicPage } from '../../shell/page-element.ts'

export interface FieldSpec {
  name: string
  label: string
  type: 'email' | 'password' | 'text' | 'url' | 'number'
  autocomplete: AutoFill
  hint?: string
  required?: boolean
  /** What the field begins with. */
  value?: string
  /** Values to choose from; others may be typed. */
  list?: readonly string[]
}

/** Browsers of people with a password manager fill in by these. */
type AutoFill = 'username' | 'current-password' | 'new-password' | 'name' | 'one-time-code' | 'organization' | 'off'

/** A field with its label, in the page itself, so that password managers find it. */
export function field(spec: FieldSpec): TemplateResult {
  const hintId = `${spec.name}-hint`
  return html`<div class="field">
    <label for=${spec.name}>${spec.label}</label>
    <input
      id=${spec.name}
      name=${spec.name}
      class="input"
      type=${spec.type}
      value=${spec.value ?? nothing}
      autocomplete=${spec.autocomplete}
      list=${spec.list === undefined ? nothing : `${spec.name}-list`}
      aria-describedby=${spec.hint === undefined ? nothing : hintId}
      autocapitalize="none"
      spellcheck="false"
      ?required=${spec.required ?? true}
    />
    ${spec.list === undefined ? nothing : html`<datalist id=${`${spec.name}-list`}>${spec.list.map((one) => html`<option value=${one}></option>`)}</datalist>`}
    ${spec.hint === undefined ? nothing : html`<p class="hint" id=${hintId}>${spec.hint}</p>`}
  </div>`
}

/** A page with one form. */
export abstract class AccessPage extends PublicPage {
  #isBusy = false
  #error: unknown

  /** Sends the form. */
  protected abstract submit(fields: Readonly<Record<string, string>>): Promise<void>

  /** @param more Other ways on, below the form. */
  protected form(
    title: string,
    button: string,
    fields: unknown,
    text: unknown = nothing,
    more: unknown = nothing,
  ): TemplateResult {
    return html`<div class="access">
      <div class="access-mark" aria-hidden="true"></div>
      <h1 tabindex="-1">${title}</h1>
      ${text === nothing ? nothing : html`<p class="access-text">${text}</p>`}
      <form class="access-form" @submit=${this.#onSubmit}>
        ${fields} ${enterButton}
        ${faultView(this.#error)}
        <wa-button type="submit" variant="brand" class="wide" ?loading=${this.#isBusy}>${button}</wa-button>
      </form>
      ${more}
    </div>`
  }

  readonly #onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const fields = Object.fromEntries(new FormData(event.target as HTMLFormElement)) as Record<string, string>
    await this.attempt(() => this.submit(fields))
  }

  /** Does one thing at a time. A failure is shown above the button. */
  protected async attempt(work: () => Promise<void>): Promise<void> {
    if (this.#isBusy) return
    this.#show(true, undefined)
    try {
      await work()
      this.#show(false, undefined)
    } catch (error) {
      this.#show(false, error)
    }
  }

  #show(isBusy: boolean, error: unknown): void {
    this.#isBusy = isBusy
    this.#error = error
    this.requestUpdate()
  }
}

/** @returns The token of a one-time link, which follows `#`. */
export const tokenOfLink = (): string => location.hash.slice(1)

export const NEW_PASSWORD: FieldSpec = {
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'A few words are easier to remember than symbols.',
}
