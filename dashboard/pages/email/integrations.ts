// <nc-integrations>: the providers of mail of an environment, in the order in which they are tried, and a form for another.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { EmailIntegrationAnswer, EmailProviderAnswer } from '../../../contract/resources/email-integration.ts'
import type { MailWay } from '../../../contract/tenant.ts'
import { badge } from '../../elements/badge.ts'
import { age, pageHead } from '../../elements/bits.ts'
import type { NcShownOnce } from '../../elements/shown-once.ts'
import '../../elements/shown-once.ts'
import { emptyView, failureView, loadingView } from '../../elements/states.ts'
import { Loader } from '../../lib/loader.ts'
import { AppPage } from '../../shell/page-element.ts'
import type { IntegrationSaved } from './integration-card.ts'
import './domain-check.ts'
import { stateBadge } from './integration-state.ts'
import './integration-card.ts'

interface Shown {
  integrations: EmailIntegrationAnswer[]
  providers: EmailProviderAnswer[]
  way: MailWay
}

class NcIntegrations extends AppPage {
  readonly #shown = new Loader<Shown>(this)
  readonly #once = createRef<NcShownOnce>()

  protected override firstUpdated(): void {
    this.#load()
  }

  #load(): void {
    const { api } = this.context
    void this.#shown.load(async (signal) => {
      const [integrations, providers] = await Promise.all([api.integrations(signal), api.emailProviders(signal)])
      const inTurn = integrations.data.toReversed().sort((one, other) => one.priority - other.priority)
      return { integrations: inTurn, providers: providers.data, way: integrations.way }
    })
  }

  override render(): TemplateResult {
    const { value, state, error } = this.#shown
    return html`<div class="page">
      ${pageHead('Email', 'Accounts with providers that send this environment’s mails. The first one sends; the next one takes over when it is out of reach.')}
      ${
        value === undefined
          ? state === 'failed'
            ? failureView(error, () => this.#load())
            : loadingView(4)
          : this.#content(value)
      }
      <nc-shown-once ${ref(this.#once)}></nc-shown-once>
    </div>`
  }

  #content({ integrations, providers, way }: Shown): TemplateResult {
    const titleOf = (name: string) => providers.find((provider) => provider.name === name)?.title ?? name
    return html`${way === 'none' ? NO_SERVER : nothing}
      ${integrations.length === 0 ? EMPTY : table(integrations, titleOf, (id) => this.context.link('integration', id))}
      <nc-domain-check .context=${this.context}></nc-domain-check>
      ${
        this.context.may('admin')
          ? html`<nc-integration-card .context=${this.context} .providers=${providers} @integration-saved=${this.#saved}></nc-integration-card>`
          : nothing
      }`
  }

  readonly #saved = ({ integration }: IntegrationSaved): void => {
    const { router, link } = this.context
    const open = () => router.go(link('integration', integration.id))
    const { webhookCredentials: made, webhookUrl } = integration
    if (made === undefined) {
      open()
      return
    }
    this.#once.value?.show({
      title: 'Password of the webhook',
      text: 'Give the provider this address with user and password. They are not shown again.',
      values: [
        ['Address', webhookUrl ?? ''],
        ['User', made.username],
        ['Password', made.password],
      ],
      onClosed: open,
    })
  }
}

function table(
  integrations: readonly EmailIntegrationAnswer[],
  titleOf: (name: string) => string,
  linkOf: (id: string) => string,
): TemplateResult {
  return html`<div class="table-box">
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Provider</th>
          <th scope="col">State</th>
          <th scope="col" class="number wide-only">Priority</th>
          <th scope="col" class="wide-only">Last sent</th>
        </tr>
      </thead>
      <tbody>
        ${integrations.map(
          (one) => html`<tr>
            <th scope="row"><a class="row-link" href=${linkOf(one.id)}>${one.name}</a></th>
            <td>${titleOf(one.provider)}</td>
            <td>${stateBadge(one)}</td>
            <td class="number wide-only">${one.priority}</td>
            <td class="wide-only">${one.state.lastSentAt === null ? '–' : age(one.state.lastSentAt)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

const NO_SERVER = html`<p role="status">
  ${badge('no mail server', 'bad')} This environment is in production: without an integration or SMTP_URL its mails are skipped (no-provider).
</p>`

const EMPTY = emptyView({
  icon: 'mail',
  title: 'No integrations yet',
  text: 'Without one, mails go by the server’s own SMTP_URL, or to its mailbox.',
})

customElements.define('nc-integrations', NcIntegrations)
