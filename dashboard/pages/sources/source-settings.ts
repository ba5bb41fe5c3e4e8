// <nc-source-settings>: the name of a source, and what it takes from its platform.

import { html, type TemplateResult } from 'lit'
import { textField, textOf, tickField } from '../../elements/fields.ts'
import { SourceCard } from './source-card.ts'

class NcSourceSettings extends SourceCard {
  override render(): TemplateResult {
    const { name, provider, requireV3, allowUnsignedBatchTail } = this.source
    return this.card({
      title: 'Settings',
      name: 'settings',
      fields: html`${textField('settings', { name: 'name', label: 'Name', value: name, required: true, maxLength: 100 })}
        ${provider === 'hubspot' ? tickField('requireV3', 'Refuse signatures of versions 1 and 2', requireV3, 'They are weaker, and have no time.') : ''}
        ${provider === 'segment' ? tickField('allowUnsignedBatchTail', 'Take whole batches', allowUnsignedBatchTail, 'Segment signs the first item of a batch alone: who knows the address could add others.') : ''}`,
      mayChange: this.mayChange,
    })
  }

  protected override submit(form: FormData): Promise<void> {
    const settings = {
      name: textOf(form, 'name'),
      requireV3: form.has('requireV3'),
      allowUnsignedBatchTail: form.has('allowUnsignedBatchTail'),
    }
    return this.saveSettings(settings, 'The source is saved. Deliveries follow it at once.')
  }
}

customElements.define('nc-source-settings', NcSourceSettings)
