// Renders the forms of the pages before the sign-in, and keeps the state of their calls.

import { html, nothing, type TemplateResult } from 'lit'
import { enterButton } from '../../elements/enter-button.ts'
import { FieldFaults } from '../../elements/field-faults.ts'
import { faultView } from '../../elements/states.ts'
import { Attempt } from '../../lib/attempt.ts'
import { PublicPage } from '../../shell/page-element.ts'

/** A page with one form. */
export abstract class AccessPage extends PublicPage {
  protected readonly attempt = new Attempt(this)

  constructor() {
    super()
    new FieldFaults(this, () => this.attempt.error)
  }

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
        ${faultView(this.attempt.error)}
        <wa-button type="submit" variant="brand" class="wide" ?loading=${this.attempt.isBusy}>${button}</wa-button>
      </form>
      ${more}
    </div>`
  }

  readonly #onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const fields = Object.fromEntries(new FormData(event.target as HTMLFormElement)) as Record<string, string>
    await this.attempt.run(() => this.submit(fields))
  }
}

/** @returns The token of a one-time link, which follows `#`. */
export const tokenOfLink = (): string => location.hash.slice(1)
