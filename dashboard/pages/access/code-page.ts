// Asks for the code of the second factor after a first form, where the answer to that wants one.

import { html, nothing, type TemplateResult } from 'lit'
import type { Me, SecondFactorNeeded } from '../../../contract/resources/own-account.ts'
import { ApiFailure } from '../../api/client.ts'
import { needsCode } from '../../api/people.ts'
import { field } from '../../elements/fields.ts'
import { AccessPage } from './access-form.ts'

type Fields = Readonly<Record<string, string>>

/** A page whose form signs in, with a code as a second step. */
export abstract class CodePage extends AccessPage {
  static override properties = { ...AccessPage.properties, wantsCode: { state: true } }

  declare wantsCode: boolean

  constructor() {
    super()
    this.wantsCode = false
  }

  protected abstract sendFirst(fields: Fields): Promise<Me | SecondFactorNeeded>
  protected abstract firstForm(): TemplateResult
  /** Shown below the code: the way to begin again. */
  protected wayBack(): unknown {
    return nothing
  }
  /** Called when the code came too late, or too many were wrong. */
  protected beginAnew(): void {}

  protected override async submit(fields: Fields): Promise<void> {
    if (this.wantsCode) return this.#sendCode(fields)
    const answer = await this.sendFirst(fields)
    if (!needsCode(answer)) return this.context.signedIn(answer)
    this.wantsCode = true
    void this.focusOn('#code')
  }

  async #sendCode({ code = '' }: Fields): Promise<void> {
    try {
      await this.context.signedIn(await this.context.people.sendCode(code.trim()))
    } catch (error) {
      if (error instanceof ApiFailure && error.body.reason === 'challenge-ended') this.beginAnew()
      throw error
    }
  }

  override render(): TemplateResult {
    return this.wantsCode ? this.#codeForm() : this.firstForm()
  }

  #codeForm(): TemplateResult {
    const fields = html`${field({
      name: 'code',
      label: 'Code',
      type: 'text',
      autocomplete: 'one-time-code',
      hint: 'The six digits of your app, or one of your recovery codes.',
    })}
    ${this.wayBack()}`
    return this.form('Enter your code', 'Sign in', fields)
  }
}
