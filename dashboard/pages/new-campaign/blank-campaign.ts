// <nc-blank-campaign>: a new campaign of one message, from its name, its event and the title.

import { html, type TemplateResult } from 'lit'
import { textField, textOf } from '../../elements/fields.ts'
import { FormCard } from '../../elements/form-card.ts'
import type { AppContext } from '../../shell/context.ts'
import { createDraft, goToDraft } from './create-campaign.ts'
import './name-and-key.ts'

class NcBlankCampaign extends FormCard {
  static override properties = { context: { attribute: false } }

  declare context: AppContext

  protected override async submit(form: FormData): Promise<void> {
    const id = await createDraft(this.context, {
      key: textOf(form, 'key'),
      name: textOf(form, 'name'),
      trigger: { event: textOf(form, 'event') },
      steps: [{ id: 'message', type: 'inbox', title: textOf(form, 'title') }],
    })
    goToDraft(this.context, id)
  }

  override render(): TemplateResult {
    return this.card({
      title: 'From blank',
      name: 'blank',
      text: 'One event, and one message into the inbox. Everything else can be added later.',
      fields: html`<nc-name-and-key scope="new-blank" .context=${this.context}></nc-name-and-key>
        ${textField('new-blank', { name: 'event', label: 'Event', required: true, isMono: true, placeholder: 'order.shipped', hint: 'The name that your backend tracks.' })}
        ${textField('new-blank', { name: 'title', label: 'Title of the message', required: true, placeholder: 'Order {{ event.properties.orderId }} is on its way', hint: 'Liquid: values of the event and the user in double braces.' })}`,
      button: 'Create the draft',
      mayChange: true,
    })
  }
}

customElements.define('nc-blank-campaign', NcBlankCampaign)
