// <nc-environment>: the settings of one environment, its tools, and its end by a typed confirmation.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import { until } from 'lit/directives/until.js'
import type { EnvironmentContents, EnvironmentDetail } from '../../../contract/resources/environment.ts'
import type { ConfigAnswer } from '../../../contract/resources/notification-config.ts'
import { badge, tag } from '../../elements/badge.ts'
import { age, copyable, facts, pageHead } from '../../elements/bits.ts'
import type { NcConfirm, Question } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { textField, textOf } from '../../elements/fields.ts'
import { icon } from '../../elements/icon.ts'
import { emptyView, failureView, loadingView } from '../../elements/states.ts'
import { tabsView } from '../../elements/tabs.ts'
import { Loader } from '../../lib/loader.ts'
import { appPath } from '../../routing/routes.ts'
import { AppPage } from '../../shell/page-element.ts'
import './access-card.ts'
import './check-token-card.ts'
import './copy-card.ts'
import type { EnvironmentSaved } from './environment-card.ts'
import './limits-card.ts'
import './provider-card.ts'
import './public-key-card.ts'
import './publishing-card.ts'
import './sandbox-card.ts'

interface LoadedEnvironment {
  environment: EnvironmentDetail
  configs: ConfigAnswer[]
  /** That of the organisation. */
  retentionDays: number | undefined
}

class NcEnvironment extends AppPage {
  readonly #loaded = new Loader<LoadedEnvironment>(this)
  readonly #confirm = createRef<NcConfirm>()

  protected override firstUpdated(): void {
    void this.#load()
  }

  async #load(): Promise<void> {
    const { tenant, people, org, setTitle } = this.context
    await this.#loaded.load(async (signal) => {
      const [environment, configs, { settings }] = await Promise.all([
        tenant.environment(this.routeId, signal),
        tenant.allConfigs(signal),
        people.organisation(org.id, signal),
      ])
      return { environment, configs, retentionDays: settings?.retentionDays }
    })
    const { value } = this.#loaded
    if (value !== undefined) setTitle(value.environment.name)
  }

  /** Shows what the server has stored, and gives the shell the name. */
  readonly #onSaved = ({ detail }: CustomEvent<EnvironmentSaved>): void => {
    const { notify, reloadEnvironments, setTitle } = this.context
    const { value } = this.#loaded
    if (value !== undefined) this.#loaded.value = { ...value, environment: detail.environment }
    notify(detail.notice)
    setTitle(detail.environment.name)
    this.requestUpdate()
    void reloadEnvironments()
  }

  /** A card asks in the dialog of the page. */
  readonly #onQuestion = ({ detail }: CustomEvent<Question>): void => this.#confirm.value?.ask(detail)

  /** Its faults are in a tab that may be hidden. */
  readonly #onNotSaved = ({ detail }: CustomEvent<Element>): void => {
    const tab = detail.closest('wa-tab-panel')?.getAttribute('name') ?? undefined
    this.context.router.setQuery({ tab: tab === 'access' ? undefined : tab }, { replace: true })
  }

  override render(): TemplateResult {
    const { value } = this.#loaded
    return html`<div class="page" @environment-saved=${this.#onSaved} @question=${this.#onQuestion} @part-not-saved=${this.#onNotSaved}>
      <nav class="crumbs" aria-label="Breadcrumb"><a class="link" href=${this.context.link('environments')}>Environments</a></nav>
      ${
        value === undefined
          ? html`${pageHead('Environment')} ${this.#loaded.state === 'failed' ? failureView(this.#loaded.error, () => void this.#load()) : loadingView()}`
          : this.#content(value)
      }
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </div>`
  }

  #content({ environment, configs, retentionDays }: LoadedEnvironment): TemplateResult {
    const { context } = this
    const { id, name, state, isProduction } = environment
    const secrets = html`<a class="link" href=${context.link('secrets', id, { env: id })}>Secrets and their rotation</a>`
    const summary = html`${badge(state)} ${isProduction ? tag('Production') : nothing} ${secrets}`
    return html`${pageHead(name, summary, this.#actions(environment))}
      <div class="columns">
        <div class="column-main cards">${environment.closedAt === null ? this.#cards(environment, configs) : closedView(environment)}</div>
        <aside class="column-side" aria-label="About this environment">${this.#about(environment, retentionDays)}</aside>
      </div>`
  }

  #cards(environment: EnvironmentDetail, configs: ConfigAnswer[]): TemplateResult {
    const { context } = this
    const signIn = () => html`<div class="cards">
      <nc-provider-card .context=${context} .environment=${environment}></nc-provider-card>
      <nc-public-key-card .context=${context} .environment=${environment}></nc-public-key-card>
      <nc-check-token-card .context=${context} .environment=${environment}></nc-check-token-card>
    </div>`
    const access = () =>
      html`<div class="cards">
        <nc-access-card .context=${context} .environment=${environment} .configs=${configs}></nc-access-card>
        <nc-publishing-card .context=${context} .environment=${environment}></nc-publishing-card>
      </div>`
    const sandbox = () => html`<nc-sandbox-card .context=${context} .environment=${environment}></nc-sandbox-card>`
    const limits = () => html`<nc-limits-card .context=${context} .environment=${environment}></nc-limits-card>`
    const copy = () => html`<nc-copy-card .context=${context} .environment=${environment}></nc-copy-card>`
    return tabsView(context, [
      { name: 'access', label: 'Access', content: access, isKept: true },
      { name: 'sign-in', label: 'Sign-in', content: signIn, isKept: true },
      { name: 'sandbox', label: 'E-mail sandbox', content: sandbox, isKept: true },
      { name: 'limits', label: 'Limits', content: limits, isKept: true },
      { name: 'copy', label: 'Copy campaigns', content: copy, isKept: true },
    ])
  }

  #about(
    { id, frontApiKey, region, host, createdAt, disabledAt, closedAt }: EnvironmentDetail,
    retentionDays: number | undefined,
  ): TemplateResult {
    const { environments } = this.context
    const lastEventAt = environments.find((one) => one.id === id)?.lastEventAt ?? null
    return html`<section class="card">
      ${facts([
        ['ID', copyable(id, 'environment ID')],
        ['Front API key', copyable(frontApiKey, 'Front API key')],
        ['Region', region.toUpperCase()],
        ['Host', host === null ? null : copyable(host, 'host')],
        ['Latest event', lastEventAt === null ? 'None yet' : age(lastEventAt)],
        ['Details kept', retentionDays === undefined ? null : `${retentionDays} days (organisation)`],
        ['Disabled', disabledAt === null ? null : age(disabledAt)],
        ['Closed', closedAt === null ? null : age(closedAt)],
        ['Created', age(createdAt)],
      ])}
    </section>`
  }

  #actions(environment: EnvironmentDetail): TemplateResult | typeof nothing {
    if (!this.context.may('admin')) return nothing
    const { disabled, closedAt } = environment
    if (closedAt !== null) return nothing
    return html`<wa-button size="s" appearance="outlined" @click=${() => this.#rename(environment)}>Rename</wa-button>
      <wa-button size="s" appearance="outlined" variant=${disabled ? 'neutral' : 'danger'} @click=${() => this.#toggle(environment)}>
        ${icon(disabled ? 'play' : 'pause', 'start')}${disabled ? 'Enable' : 'Disable'}
      </wa-button>
      ${
        // The server keeps the last one of an organisation.
        this.context.environments.length > 1
          ? html`<wa-button size="s" appearance="outlined" variant="danger" @click=${() => this.#delete(environment)}>${icon('trash', 'start')}Delete</wa-button>`
          : nothing
      }`
  }

  #rename({ id, name }: EnvironmentDetail): void {
    const { tenant } = this.context
    this.#confirm.value?.ask({
      title: 'Rename the environment',
      text: html`<p>Keys and links stay as they are.</p>`,
      fields: textField('rename', {
        name: 'name',
        label: 'Name',
        value: name,
        required: true,
        maxLength: 100,
        autofocus: true,
      }),
      button: 'Rename',
      run: async (form) => {
        const environment = await tenant.changeEnvironment(id, { name: textOf(form, 'name') })
        this.#onSaved(new CustomEvent('environment-saved', { detail: { environment, notice: 'The name is changed.' } }))
      },
    })
  }

  #delete({ id, name }: EnvironmentDetail): void {
    const { tenant, router, org, notify, reloadEnvironments } = this.context
    const contents = contentsText(tenant.environmentContents(id)).catch(
      () => 'All its users, messages and campaigns are removed for good. They could not be counted now.',
    )
    this.#confirm.value?.ask({
      title: `Delete ${name}`,
      text: html`<p aria-live="polite">${until(contents, 'Counting what it has …')}</p>
        <p>Its keys and sessions are refused at once, the addresses of its sources answer 404, and nothing more is sent. Nothing brings it back: to stop it for a while, disable it.</p>`,
      button: 'Delete',
      isDangerous: true,
      typed: name,
      run: async () => {
        await tenant.deleteEnvironment(id, name)
      },
      afterwards: () => {
        notify(`${name} is deleted. The audit log has who did it.`)
        void reloadEnvironments()
        // Without the environment that is gone, which would be told of again.
        router.go(appPath(org.id, 'environments'))
      },
    })
  }

  #toggle({ id, name, disabled }: EnvironmentDetail): void {
    const { tenant } = this.context
    this.#confirm.value?.ask({
      title: `${disabled ? 'Enable' : 'Disable'} ${name}`,
      text: html`<p>${disabled ? ENABLE : DISABLE}</p>`,
      button: disabled ? 'Enable' : 'Disable',
      isDangerous: !disabled,
      typed: name,
      run: async () => {
        const environment = await tenant.changeEnvironment(id, { disabled: !disabled })
        const notice = `${name} is ${disabled ? 'enabled' : 'disabled'}.`
        this.#onSaved(new CustomEvent('environment-saved', { detail: { environment, notice } }))
      },
    })
  }
}

/** @returns What is lost, in numbers. */
async function contentsText(contents: Promise<EnvironmentContents>): Promise<TemplateResult> {
  const { users, messages, campaigns } = await contents
  const parts = [counted(users, 'user'), counted(messages, 'message'), counted(campaigns, 'campaign')]
  return html`<strong>${parts.join(', ')}</strong> and all that belongs to them are removed for good: events, history, counts, sources, secrets and settings.`
}

/** Nothing of it can be read or changed. */
function closedView({ movedTo }: EnvironmentDetail): TemplateResult {
  const text =
    movedTo === null
      ? 'The operator of this deployment has closed it, such as for a move. Its calls are answered 503 and are to be repeated; its runs and mails wait.'
      : html`It has moved to <a class="link" href=${movedTo}>${movedTo}</a>.`
  return emptyView({ icon: 'pause', title: 'This environment is closed', text })
}

function counted(count: number, noun: string): string {
  const more = count >= MOST_COUNTED ? ' or more' : ''
  return `${count.toLocaleString('en')}${more} ${noun}${count === 1 ? '' : 's'}`
}

/** The server counts no further. */
const MOST_COUNTED = 1_000_000
const DISABLE =
  'All its keys are refused at once: events are not accepted, and no page shows notifications. Nothing is deleted, and it can be enabled again.'
const ENABLE = 'Its keys are accepted again, and pages show notifications.'

customElements.define('nc-environment', NcEnvironment)
