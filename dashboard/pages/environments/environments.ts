// <nc-environments>: the environments of the organisation, and the creation of one with its secrets, shown once.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { CreatedEnvironment, ListedEnvironment } from '../../../contract/resources/environment.ts'
import type { SecretKind } from '../../../contract/tenant.ts'
import { badge, tag } from '../../elements/badge.ts'
import { age, pageHead } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { linesOf, textField, textOf, tickField } from '../../elements/fields.ts'
import { icon } from '../../elements/icon.ts'
import type { NcShownOnce } from '../../elements/shown-once.ts'
import '../../elements/shown-once.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'
import { ORIGINS_HINT } from './environment-card.ts'
import { SECRETS } from './secret-kinds.ts'

class NcEnvironments extends AppPage {
  readonly #list = new Loader<ListedEnvironment[]>(this)
  readonly #confirm = createRef<NcConfirm>()
  readonly #shownOnce = createRef<NcShownOnce>()

  protected override firstUpdated(): void {
    this.#load()
  }

  #load(): void {
    const { people, org } = this.context
    void this.#list.load(async (signal) => (await people.environments(org.id, signal)).data)
  }

  override render(): TemplateResult {
    const create = html`<wa-button size="s" variant="brand" @click=${() => this.#create()}>${icon('plus', 'start')}Create an environment</wa-button>`
    const text = 'Each has its own keys, users, campaigns and history.'
    return html`<div class="page">
      ${pageHead('Environments', text, this.context.may('admin') ? create : nothing)}
      ${this.#content()}
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
      <nc-shown-once ${ref(this.#shownOnce)}></nc-shown-once>
    </div>`
  }

  #content(): TemplateResult {
    const environments = this.#list.value
    if (this.#list.state === 'failed') return failureView(this.#list.error, () => this.#load())
    if (environments === undefined) return loadingView(4)
    return html`<div class="table-box">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Environment</th>
            <th scope="col" class="wide-only">State</th>
            <th scope="col" class="wide-only">Region</th>
            <th scope="col">Latest event</th>
            <th scope="col" class="wide-only">Created</th>
            <th scope="col" class="wide-only"><span class="sr">Links</span></th>
          </tr>
        </thead>
        <tbody>
          ${environments.map((environment) => this.#row(environment))}
        </tbody>
      </table>
    </div>`
  }

  #row({ id, name, isProduction, state, region, host, lastEventAt, createdAt }: ListedEnvironment): TemplateResult {
    const { link } = this.context
    return html`<tr>
      <th scope="row">
        <a class="row-link" href=${link('environment', id, { env: id })}>${name}</a> ${isProduction ? tag('Production') : nothing}
        <span class="row-note wide-only">${id}</span>
        <span class="row-note narrow-only">${badge(state)}</span>
      </th>
      <td class="wide-only">${badge(state)}</td>
      <td class="wide-only">${region.toUpperCase()}${host === null ? nothing : html`<span class="row-note">${host}</span>`}</td>
      <td>${lastEventAt === null ? html`<span class="none">None yet</span>` : age(lastEventAt)}</td>
      <td class="wide-only">${age(createdAt)}</td>
      <td class="row-actions wide-only"><a class="link" href=${link('secrets', id, { env: id })} aria-label=${`Secrets of ${name}`}>Secrets</a></td>
    </tr>`
  }

  #create(): void {
    const { people, org, reloadEnvironments } = this.context
    let made: CreatedEnvironment | undefined
    this.#confirm.value?.ask({
      title: 'Create an environment',
      text: html`<p>It begins without users and campaigns, and with keys of its own.</p>`,
      fields: html`${textField('new', { name: 'name', label: 'Name', required: true, maxLength: 100, autofocus: true })}
        ${textField('new', { name: 'origins', label: 'Allowed origins', rows: 3, isMono: true, hint: ORIGINS_HINT })}
        ${tickField('isProduction', 'Real users are in it (production)', false)}`,
      button: 'Create',
      run: async (form) => {
        made = await people.createEnvironment(org.id, {
          name: textOf(form, 'name'),
          isProduction: form.has('isProduction'),
          allowedOrigins: linesOf(form, 'origins'),
        })
        this.#load()
        await reloadEnvironments()
      },
      afterwards: () => {
        if (made !== undefined) this.#showSecrets(made)
        made = undefined
      },
    })
  }

  #showSecrets({ name, secrets }: CreatedEnvironment): void {
    this.#shownOnce.value?.show({
      title: `The keys of ${name}`,
      text: 'Copy them now: the SDK secret key is not shown again.',
      values: Object.entries(secrets).map(([kind, value]) => [SECRETS[kind as SecretKind].name, value]),
    })
  }
}

customElements.define('nc-environments', NcEnvironments)
