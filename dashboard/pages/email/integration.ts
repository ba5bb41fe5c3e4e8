// <nc-integration>: one account with a provider of mail: its settings, its state, a test mail, the webhook, and its removal.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { EmailIntegrationAnswer, EmailProviderAnswer } from '../../../contract/resources/email-integration.ts'
import { copyable, facts, pageHead, time } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { icon } from '../../elements/icon.ts'
import type { NcShownOnce } from '../../elements/shown-once.ts'
import '../../elements/shown-once.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'
import type { IntegrationSaved } from './integration-card.ts'
import './integration-card.ts'
import './integration-test.ts'
import { stateBadge } from './integration-state.ts'

interface Shown {
  integration: EmailIntegrationAnswer
  providers: EmailProviderAnswer[]
}

class NcIntegration extends AppPage {
  readonly #shown = new Loader<Shown>(this)
  readonly #confirm = createRef<NcConfirm>()
  readonly #once = createRef<NcShownOnce>()

  protected override firstUpdated(): void {
    this.#load()
  }

  #load(quiet = false): void {
    const { api } = this.context
    const read = async (signal: AbortSignal) => {
      const [integration, providers] = await Promise.all([
        api.integration(this.routeId, signal),
        api.emailProviders(signal),
      ])
      this.context.setTitle(integration.name)
      return { integration, providers: providers.data }
    }
    void this.#shown.load(read, { quiet })
  }

  override render(): TemplateResult {
    const { value, state, error } = this.#shown
    const remove = html`<wa-button size="s" appearance="outlined" variant="danger" @click=${() => this.#remove()}>${icon('trash', 'start')}Remove</wa-button>`
    const mayRemove = value !== undefined && this.context.may('admin')
    return html`<div class="page">
      <nav class="crumbs" aria-label="Breadcrumb"><a class="link" href=${this.context.link('integrations')}>Email</a></nav>
      ${pageHead(value?.integration.name ?? 'Email', undefined, mayRemove ? remove : nothing)}
      ${
        value === undefined
          ? state === 'failed'
            ? failureView(error, () => this.#load())
            : loadingView()
          : this.#content(value)
      }
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
      <nc-shown-once ${ref(this.#once)}></nc-shown-once>
    </div>`
  }

  #content({ integration, providers }: Shown): TemplateResult {
    const { context } = this
    const { state, webhookUrl } = integration
    return html`<div class="columns">
      <div class="column-main">
        ${context.may('admin') ? html`<nc-integration-test .context=${context} .integrationId=${integration.id}></nc-integration-test>` : nothing}
        <nc-integration-card .context=${context} .providers=${providers} .integration=${integration} @integration-saved=${this.#saved}></nc-integration-card>
      </div>
      <aside class="column-side" aria-label="About this integration">
        <section class="card">
          ${facts([
            ['State', stateBadge(integration)],
            ...accountFacts(integration, providers),
            ['Last sent', state.lastSentAt === null ? null : time(state.lastSentAt)],
            ['Last fault', state.lastErrorAt === null ? null : time(state.lastErrorAt)],
            ['In its words', state.lastError],
            ['Last report', state.lastWebhookAt === null ? null : time(state.lastWebhookAt)],
            ['Webhook', webhookUrl === null ? 'It reports nothing' : copyable(webhookUrl, 'webhook address')],
            ['Created', time(integration.createdAt)],
            ['Changed', time(integration.updatedAt)],
          ])}
        </section>
      </aside>
    </div>`
  }

  readonly #saved = ({ integration }: IntegrationSaved): void => {
    this.context.notify('The integration is saved. Mails go by it at once.')
    this.#load(true)
    const { webhookCredentials: made, webhookUrl } = integration
    if (made === undefined) return
    this.#once.value?.show({
      title: 'New password of the webhook',
      text: 'Give the provider this address with user and password. They are not shown again.',
      values: [
        ['Address', webhookUrl ?? ''],
        ['User', made.username],
        ['Password', made.password],
      ],
    })
  }

  #remove(): void {
    const { api, notify, router, link } = this.context
    const integration = this.#shown.value?.integration
    if (integration === undefined) return
    this.#confirm.value?.ask({
      title: 'Remove this integration',
      text: html`<p>Its credentials are deleted, and its webhook answers no more: reports of mails that are on their way are lost.</p>`,
      button: 'Remove',
      isDangerous: true,
      typed: integration.name,
      async run() {
        await api.removeIntegration(integration.id)
        notify(`The integration ${integration.name} is removed.`)
        router.go(link('integrations'))
      },
    })
  }
}

/** What can be read of the credentials, with the labels of the form. */
function accountFacts({ account, provider }: EmailIntegrationAnswer, providers: readonly EmailProviderAnswer[]) {
  const fields = providers.find(({ name }) => name === provider)?.fields ?? []
  return fields.flatMap(({ name, label }) => {
    const value = account[name]
    return value === undefined ? [] : [[label, value] as [string, string]]
  })
}

customElements.define('nc-integration', NcIntegration)
