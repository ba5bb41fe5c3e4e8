// Base class of the cards that change an environment: they report what the server has stored.

import type { EnvironmentChangeInput, EnvironmentDetail } from '../../../contract/resources/environment.ts'
import type { Question } from '../../elements/confirm-dialog.ts'
import { FormCard } from '../../elements/form-card.ts'
import { toWords } from '../../lib/format.ts'
import type { AppContext } from '../../shell/context.ts'

/** Detail of the event `environment-saved`. */
export interface EnvironmentSaved {
  environment: EnvironmentDetail
  /** For the person. */
  notice: string
}

export const ORIGINS_HINT = 'One a line, such as https://app.example.com or https://*.example.com. Empty: any site.'

export abstract class EnvironmentCard extends FormCard {
  static override properties = {
    context: { attribute: false },
    environment: { attribute: false },
  }

  declare context: AppContext
  declare environment: EnvironmentDetail

  protected get mayChange(): boolean {
    return this.context.may('admin')
  }

  protected async saveSettings(change: EnvironmentChangeInput, notice: string): Promise<void> {
    const environment = await this.context.tenant.changeEnvironment(this.environment.id, change)
    const detail: EnvironmentSaved = { environment, notice }
    this.dispatchEvent(new CustomEvent('environment-saved', { detail, bubbles: true }))
  }

  /** Asks before sign-ins stop to work. @param what Such as "the public key". */
  protected confirmRemoval(change: EnvironmentChangeInput, what: string): void {
    this.ask({
      title: `Remove ${what}`,
      text: 'Users can no longer sign in by it, and the widget sessions that it granted end.',
      button: 'Remove',
      isDangerous: true,
      run: () => this.saveSettings(change, `${toWords(what)} is removed.`),
    })
  }

  /** Asks in the dialog of the page. */
  protected ask(question: Question): void {
    this.dispatchEvent(new CustomEvent('question', { detail: question, bubbles: true }))
  }
}
