// <nc-new-organisation>: a person who is signed in founds another organisation, and goes on to its onboarding.

import { html, type TemplateResult } from 'lit'
import { field } from '../../elements/fields.ts'
import { ownPath } from '../../routing/prefix.ts'
import { AccessPage } from './access-form.ts'

class NcNewOrganisation extends AccessPage {
  protected override async submit({ name = '' }: Readonly<Record<string, string>>): Promise<void> {
    const { people, router } = this.context
    const { id } = await people.createOrganisation(name.trim())
    router.go(`${ownPath('/dashboard/onboarding')}?${new URLSearchParams({ org: id })}`, { replace: true })
  }

  override render(): TemplateResult {
    return this.form(
      'New organisation',
      'Create',
      field({ name: 'name', label: 'Name', type: 'text', autocomplete: 'organization' }),
      'You become its owner. It has its own members, environments and settings.',
      html`<a class="link access-back" href=${ownPath('/dashboard')}>Back to the dashboard</a>`,
    )
  }

  protected override firstUpdated(): void {
    void this.focusOn('#name')
  }
}

customElements.define('nc-new-organisation', NcNewOrganisation)
