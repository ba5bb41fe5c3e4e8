// <nc-config>: one notification config, edited beside a live preview. Nothing is stored before "Save".

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { ConfigAnswer } from '../../../contract/resources/notification-config.ts'
import { ApiFailure } from '../../api/client.ts'
import type { ConfigFields } from '../../api/tenant.ts'
import { tag } from '../../elements/badge.ts'
import { copyable, pageHead } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import '../../elements/save-bar.ts'
import { conflictView, findConflict, whoChanged } from '../../elements/conflict.ts'
import { doubtBadge } from '../../elements/doubt-badge.ts'
import { choiceField } from '../../elements/fields.ts'
import { segments } from '../../elements/segments.ts'
import { failureView, faultView, loadingView } from '../../elements/states.ts'
import { Attempt } from '../../lib/attempt.ts'
import { Loader } from '../../lib/loader.ts'
import { UnsavedPart } from '../../lib/unsaved.ts'
import { AppPage } from '../../shell/page-element.ts'
import { categoryEditor } from './category-editor.ts'
import './config-preview.ts'
import { lookEditor } from './look-editor.ts'
import './text-editor.ts'

const PARTS = [
  ['inbox', 'Inbox'],
  ['mail', 'Mail'],
] as const
type Part = (typeof PARTS)[number][0]

const CHANGES = [
  ['name', 'Name'],
  ['categories', 'Categories'],
  ['widget', 'Look and texts'],
  ['email', 'Mail'],
  ['siteUrl', 'Site'],
] as const

class NcConfig extends AppPage {
  static override properties = {
    ...AppPage.properties,
    draft: { state: true },
    locale: { state: true },
  }

  /** What is shown and edited. */
  declare draft: ConfigFields | undefined
  /** The language of the texts and the preview. */
  declare locale: string

  readonly #stored = new Loader<ConfigAnswer>(this)
  readonly #attempt = new Attempt(this)
  readonly #confirm = createRef<NcConfirm>()

  constructor() {
    super()
    this.locale = 'en'
    new UnsavedPart(this, {
      title: () => 'Notification config',
      changes: () => this.#changes,
      save: async () => ((await this.#save(this.#stored.value?.revision ?? 'any')) ? 'saved' : 'failed'),
      discard: () => {
        if (this.#stored.value !== undefined) this.#show(this.#stored.value)
      },
    })
  }

  protected override firstUpdated(): void {
    void this.#load()
  }

  async #load(): Promise<void> {
    await this.#stored.load((signal) => this.context.tenant.config(this.routeId, signal))
    if (this.#stored.value !== undefined) this.#show(this.#stored.value)
  }

  #show(config: ConfigAnswer): void {
    this.#stored.value = config
    this.draft = contentOf(config)
    this.#attempt.clear()
    this.context.setTitle(config.name)
  }

  get #changes(): string[] {
    const { draft } = this
    if (this.#stored.value === undefined || draft === undefined) return []
    const stored = contentOf(this.#stored.value)
    return CHANGES.filter(([name]) => JSON.stringify(draft[name]) !== JSON.stringify(stored[name])).map(
      ([, words]) => words,
    )
  }

  readonly #change = (change: Partial<ConfigFields>): void => {
    if (this.draft !== undefined) this.draft = { ...this.draft, ...change }
  }

  get #part(): Part {
    return this.context.query.get('part') === 'mail' ? 'mail' : 'inbox'
  }

  protected override willUpdate(): void {
    if (this.#part === 'mail') void import('./mail-settings.ts')
  }

  override render(): TemplateResult {
    const stored = this.#stored.value
    const { draft } = this
    return html`<div class="page">
      <nav class="crumbs" aria-label="Breadcrumb"><a class="link" href=${this.context.link('configs')}>Notification configs</a></nav>
      ${
        stored === undefined || draft === undefined
          ? html`${pageHead('Notification config')} ${this.#stored.state === 'failed' ? failureView(this.#stored.error, () => void this.#load()) : loadingView()}`
          : this.#content(stored, draft)
      }
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </div>`
  }

  #content(stored: ConfigAnswer, draft: ConfigFields): TemplateResult {
    const mayChange = this.context.may('editor')
    const users = this.context.environments.filter(({ notificationConfigId }) => notificationConfigId === stored.id)
    const summary = html`${copyable(stored.id, 'config ID')} ${users.map(({ name }) => tag(`Default of ${name}`))} ${doubtBadge(this.context, 'layout', stored.id)}`
    return html`${pageHead(stored.name, summary, mayChange ? nothing : html`<p class="hint">Your role may look, and not change.</p>`)}
      <div class="config-parts">
        ${segments('Part', PARTS, this.#part, (part) => this.context.router.setQuery({ part: part === 'mail' ? part : undefined }))}
      </div>
      ${this.#failure()} ${this.#part === 'mail' ? this.#mail(draft, mayChange) : this.#inbox(stored, draft, mayChange)}`
  }

  #failure(): TemplateResult {
    const { error } = this.#attempt
    const conflict = findConflict(error)
    if (conflict === undefined) return faultView(error)
    return conflictView(
      conflict,
      () => void this.#load(),
      () => void this.#save('any'),
    )
  }

  #mail({ email, siteUrl }: ConfigFields, mayChange: boolean): TemplateResult {
    const own = this.context.environments.find(({ notificationConfigId }) => notificationConfigId === this.routeId)
    return html`<nc-mail-settings
      .context=${this.context}
      .configId=${this.routeId}
      .email=${email}
      .siteUrl=${siteUrl}
      .inheritedSite=${own?.siteUrl ?? null}
      .locale=${this.locale}
      .mayChange=${mayChange}
      @email-changed=${({ detail }: CustomEvent<ConfigFields['email']>) => this.#change({ email: detail })}
      @site-changed=${({ detail }: CustomEvent<string | null>) => this.#change({ siteUrl: detail })}
    ></nc-mail-settings>`
  }

  #inbox(stored: ConfigAnswer, draft: ConfigFields, mayChange: boolean): TemplateResult {
    return html`<div class="columns config-columns">
      <div class="column-main cards">
        <fieldset class="cards" ?disabled=${!mayChange} aria-label="Look and categories">
          ${lookEditor(draft, this.#change)} ${categoryEditor(draft.categories, mayChange, (categories) => this.#change({ categories }))}
        </fieldset>
        <nc-text-editor
          .texts=${draft.widget.texts}
          .locale=${this.locale}
          .mayChange=${mayChange}
          @locale-chosen=${({ detail }: CustomEvent<string>) => this.#choose(detail)}
          @texts-changed=${({ detail }: CustomEvent<ConfigFields['widget']['texts']>) => this.#change({ widget: { ...draft.widget, texts: detail } })}
        ></nc-text-editor>
      </div>
      <aside class="column-side config-side" aria-label="Preview">
        <nc-config-preview .config=${withNames(draft)} .locale=${this.locale}></nc-config-preview>
        ${this.#defaultOf(stored)} ${this.#removal(stored)}
      </aside>
    </div>`
  }

  #choose(locale: string): void {
    this.locale = locale
  }

  async #save(revision: number | 'any'): Promise<boolean> {
    const { draft } = this
    if (draft === undefined) return false
    return this.#attempt.run(async () => {
      this.#show(await this.context.tenant.putConfig(this.routeId, withNames(draft), revision))
      this.context.notify('The config is saved. Open pages have it at their next sign-in.')
    })
  }

  /** An environment has one default; admins choose it here or on the page of the environment. */
  #defaultOf({ id, name }: ConfigAnswer): TemplateResult | typeof nothing {
    const { environments, may } = this.context
    const others = environments.filter(({ notificationConfigId }) => notificationConfigId !== id)
    if (!may('admin') || others.length === 0) return nothing
    const ask = () =>
      this.#confirm.value?.ask({
        title: `Make “${name}” the default`,
        text: html`<p>The inbox of that environment, and its campaigns that name no config, take it at once.</p>`,
        fields: choiceField('default', {
          name: 'environment',
          label: 'Environment',
          value: others[0]?.id ?? '',
          choices: others.map((one) => [one.id, one.name]),
        }),
        button: 'Make it the default',
        run: async (form) => {
          const { tenant, notify, reloadEnvironments } = this.context
          const changed = await tenant.changeEnvironment(String(form.get('environment')), { notificationConfigId: id })
          notify(`“${name}” is the default of ${changed.name}.`)
          await reloadEnvironments()
        },
      })
    return html`<wa-button size="s" appearance="outlined" @click=${ask}>Make it the default of an environment</wa-button>`
  }

  #removal({ id, name, revision }: ConfigAnswer): TemplateResult | typeof nothing {
    if (!this.context.may('admin')) return nothing
    const ask = () =>
      this.#confirm.value?.ask({
        title: `Delete “${name}”`,
        text: html`<p>Its categories, look, texts and mail settings are gone for good. Messages that were sent stay as they are. It cannot be deleted while an environment or a campaign names it.</p>`,
        typed: name,
        button: 'Delete',
        isDangerous: true,
        run: async () => {
          await this.context.tenant.removeConfig(id, revision).catch(explainConflict)
          this.draft = undefined
          this.#stored.value = undefined
        },
        afterwards: () => {
          this.context.notify(`“${name}” is deleted.`)
          this.context.router.go(this.context.link('configs'))
        },
      })
    return html`<wa-button size="s" appearance="outlined" variant="danger" @click=${ask}>Delete this config</wa-button>`
  }
}

/** The dialog cannot show what was changed. */
function explainConflict(error: unknown): never {
  const conflict = findConflict(error)
  if (conflict === undefined) throw error
  throw new ApiFailure(409, { message: `${whoChanged(conflict)}. Close this, reload the page, and look at it again.` })
}

/** A category without a name has its key for users. */
const withNames = (draft: ConfigFields): ConfigFields => ({
  ...draft,
  categories: draft.categories.map((one) => ({ ...one, name: one.name.trim() || one.key })),
})

const contentOf = ({ name, categories, widget, email, siteUrl }: ConfigAnswer): ConfigFields => ({
  name,
  categories,
  widget,
  email,
  siteUrl,
})

customElements.define('nc-config', NcConfig)
