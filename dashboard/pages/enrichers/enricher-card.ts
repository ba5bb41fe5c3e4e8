// <nc-enricher-card>: the address, time limit and cache of an enricher.

import type { TemplateResult } from 'lit'
import type { EnricherAnswer } from '../../../contract/resources/enricher.ts'
import { FormCard } from '../../elements/form-card.ts'
import type { AppContext } from '../../shell/context.ts'
import { enricherFields, settingsOf } from './enricher-form.ts'

class NcEnricherCard extends FormCard {
  static override properties = {
    context: { attribute: false },
    enricher: { attribute: false },
  }

  declare context: AppContext
  declare enricher: EnricherAnswer

  override render(): TemplateResult {
    return this.card({
      title: 'Settings',
      name: 'enricher',
      fields: enricherFields(this.enricher),
      mayChange: this.context.may('admin'),
    })
  }

  protected override async submit(form: FormData): Promise<void> {
    await this.context.api.putEnricher(this.enricher.name, settingsOf(form))
    this.context.notify('The enricher is saved. Runs use the new settings at once.')
    this.dispatchEvent(new Event('enricher-saved'))
  }
}

customElements.define('nc-enricher-card', NcEnricherCard)
