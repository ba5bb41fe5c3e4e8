// <nc-publishing-card>: who publishes campaigns in an environment, and whether a second person approves it.

import { html, type TemplateResult } from 'lit'
import { PUBLISH_ROLES, type PublishRole } from '../../../contract/role.ts'
import { choiceField, textOf, tickField } from '../../elements/fields.ts'
import { EnvironmentCard } from './environment-card.ts'

const ROLES: readonly (readonly [PublishRole, string])[] = [
  ['editor', 'Editors, admins and owners'],
  ['admin', 'Admins and owners'],
]

class NcPublishingCard extends EnvironmentCard {
  override render(): TemplateResult {
    const { requirePublishApproval, publishRole } = this.environment
    return this.card({
      title: 'Publishing',
      name: 'publishing',
      fields: html`${tickField('requirePublishApproval', 'A second person approves what is published', requirePublishApproval, 'Whoever publishes asks first, and another person approves exactly that draft. The SDK secret key publishes and tests nothing then.')}
        ${choiceField('publishing', { name: 'publishRole', label: 'Who publishes and approves', value: publishRole, choices: ROLES, hint: 'Editors change drafts all the same, and ask where a second person approves.' })}`,
      mayChange: this.mayChange,
    })
  }

  protected override submit(form: FormData): Promise<void> {
    const role = textOf(form, 'publishRole')
    return this.saveSettings(
      {
        requirePublishApproval: form.has('requirePublishApproval'),
        publishRole: PUBLISH_ROLES.find((one) => one === role) ?? 'admin',
      },
      'Publishing is changed.',
    )
  }
}

customElements.define('nc-publishing-card', NcPublishingCard)
