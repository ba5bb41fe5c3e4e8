// <nc-publish-review>: what publishing would change, in words and side by side; what stays on the old version; and checks.

import { html, nothing, type TemplateResult } from 'lit'
import type { CampaignAnswer } from '../../../../contract/resources/campaign.ts'
import type { TextChange, TextChangesAnswer } from '../../../../contract/resources/campaign-trial.ts'
import type { MailWarning } from '../../../../contract/resources/mail.ts'
import { ApiFailure } from '../../../api/client.ts'
import type { Draft } from '../../../editor/step-tree.ts'
import { icon } from '../../../elements/icon.ts'
import { segments } from '../../../elements/segments.ts'
import { failureView, loadingView } from '../../../elements/states.ts'
import { formatCount } from '../../../lib/format.ts'
import { LightElement } from '../../../lib/light-element.ts'
import { Loader } from '../../../lib/loader.ts'
import type { AppContext } from '../../../shell/context.ts'
import { GoTo, type Sample, triedWith } from '../preview/sample.ts'
import { type Check, type CheckedWith, checksOf } from './checks.ts'
import { type Difference, differenceWords } from './difference-words.ts'
import { isShownWhole, pairWords, valueWords } from './field-words.ts'
import { linePairs } from './line-pairs.ts'
import { placeOfStep } from './place-words.ts'

const FORMS = [
  ['words', 'In words'],
  ['sides', 'Side by side'],
] as const

interface Read {
  /** Undefined before the first publication. */
  before: Draft | undefined
  /** Runs that wait on the current version; undefined where that is not known. */
  waiting: number | undefined
  checks: Check[]
  /** Of the translations and snippets that the draft uses. */
  texts: TextChangesAnswer
}

export class NcPublishReview extends LightElement {
  static override properties = {
    context: { attribute: false },
    campaign: { attribute: false },
    draft: { attribute: false },
    sample: { attribute: false },
    warnings: { attribute: false },
    form: { state: true },
  }

  declare context: AppContext
  declare campaign: CampaignAnswer
  /** What would be published. */
  declare draft: Draft
  declare sample: Sample | undefined
  /** Of the last save. */
  declare warnings: readonly MailWarning[]
  declare protected form: (typeof FORMS)[number][0]

  readonly #read = new Loader<Read>(this)

  constructor() {
    super()
    this.form = 'words'
    this.warnings = []
  }

  /** Whether an error keeps the draft from being published; false while that is not known. */
  get hasErrors(): boolean {
    return this.#read.value?.checks.some(({ kind }) => kind === 'error') ?? false
  }

  protected override firstUpdated(): void {
    void this.#load()
  }

  async #load(): Promise<void> {
    const { api } = this.context
    const { id, currentVersion } = this.campaign
    await this.#read.load(async (signal) => {
      const [version, stats, known, texts] = await Promise.all([
        currentVersion === null ? undefined : api.version(id, currentVersion, signal),
        currentVersion === null
          ? undefined
          : unlessRefused(api.flowStats(id, { window: '7d', version: currentVersion }, signal)),
        this.#known(signal),
        this.#textChanges(signal),
      ])
      return { before: version?.definition, waiting: stats?.runs.waiting, checks: checksOf(known), texts }
    })
  }

  /** What people may not read, or what fails, is not checked. */
  async #known(signal: AbortSignal): Promise<CheckedWith> {
    const { api, tenant, environment } = this.context
    const { draft } = this
    const named = draft.notificationConfigId
    const configId = typeof named === 'string' ? named : environment.notificationConfigId
    const [tried, integrations, config] = await Promise.all([
      this.#try(signal),
      unlessRefused(api.integrations(signal)),
      configId === null ? undefined : unlessRefused(tenant.config(configId, signal)),
    ])
    return {
      draft,
      ...tried,
      warnings: this.warnings,
      way: integrations?.way,
      categories: config?.categories.map(({ key }) => key),
      siteUrl:
        config === undefined
          ? configId === null
            ? environment.siteUrl
            : undefined
          : (config.siteUrl ?? environment.siteUrl),
    }
  }

  /** A draft with faults takes no texts; the checks list its faults. */
  async #textChanges(signal: AbortSignal): Promise<TextChangesAnswer> {
    try {
      return await this.context.api.textChanges(this.campaign.id, this.draft, signal)
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.body.code !== 'campaign/invalid-definition') throw error
      return { changes: [], total: 0 }
    }
  }

  async #try(signal: AbortSignal): Promise<Pick<CheckedWith, 'faults' | 'doubts'>> {
    try {
      const { doubts } = await this.context.api.dryRunCampaign(
        this.campaign.id,
        triedWith(this.draft, this.sample),
        signal,
      )
      // Without an event, each variable would be unknown.
      return { faults: [], doubts: this.sample === undefined ? undefined : doubts }
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.body.code !== 'campaign/invalid-definition') throw error
      return { faults: error.body.details ?? [], doubts: undefined }
    }
  }

  override render(): TemplateResult {
    const { value, state, error } = this.#read
    if (state === 'failed') return failureView(error, () => void this.#load())
    if (value === undefined) return loadingView(5)
    return html`${this.#changes(value)} ${this.#stays(value)} ${this.#checks(value.checks)}`
  }

  #changes({ before, texts }: Read): TemplateResult {
    if (before === undefined) return html`<p>This is its first version.</p>`
    const differences = differenceWords(before, this.draft)
    if (differences.length + texts.total === 0) return html`<p>Nothing differs from the published version.</p>`
    if (differences.length === 0)
      return html`<p>The draft is that of the published version.</p>${textChangesView(texts)}`
    const choose = (form: (typeof FORMS)[number][0]) => {
      this.form = form
    }
    return html`<section aria-labelledby="publish-changes">
      <header class="publish-head"><h3 id="publish-changes">${count(differences.length, 'change')}</h3>${segments('Changes', FORMS, this.form, choose)}</header>
      ${this.form === 'words' ? html`<ul class="publish-changes">${differences.map((one) => this.#difference(one))}</ul>` : sides('Both definitions side by side', JSON.stringify(before, null, 2), JSON.stringify(this.draft, null, 2))}
    </section>
    ${texts.total === 0 ? nothing : textChangesView(texts)}`
  }

  #difference({ words, stepId, kind }: Difference): TemplateResult {
    const place = stepId === undefined ? undefined : placeOfStep(this.draft, stepId)
    return html`<li data-kind=${kind}>${icon(ICONS[kind])} ${place === undefined ? html`<span>${words}</span>` : this.#jump(words, place)}</li>`
  }

  #jump(words: string, { path, stepId }: { path: Check['path']; stepId?: string }): TemplateResult {
    if (path === undefined) return html`<span>${words}</span>`
    return html`<button type="button" class="publish-jump" @click=${() => this.dispatchEvent(new GoTo(path, stepId))}>${words}</button>`
  }

  #stays({ waiting }: Read): TemplateResult | typeof nothing {
    const { currentVersion } = this.campaign
    if (currentVersion === null) return nothing
    const rest = 'They finish on it; the new version is for events from now on.'
    if (waiting === undefined) return html`<p>Runs that have begun stay on version ${currentVersion}. ${rest}</p>`
    if (waiting === 0) return html`<p>No run waits on version ${currentVersion}.</p>`
    return html`<p><strong>${count(waiting, 'run')}</strong> ${waiting === 1 ? 'waits' : 'wait'} on version ${currentVersion}, and ${waiting === 1 ? 'stays' : 'stay'} there. ${rest}</p>`
  }

  #checks(checks: readonly Check[]): TemplateResult {
    if (checks.length === 0) return html`<p class="publish-good">${icon('check')} The checks found nothing.</p>`
    const errors = checks.filter(({ kind }) => kind === 'error').length
    const words = [
      ...(errors === 0 ? [] : [count(errors, 'error')]),
      ...(errors === checks.length ? [] : [count(checks.length - errors, 'warning')]),
    ]
    return html`<section aria-labelledby="publish-checks">
      <h3 id="publish-checks">${words.join(', ')}</h3>
      <ul class="publish-checks">${checks.map((check) => this.#check(check))}</ul>
    </section>`
  }

  #check({ kind, words, path, stepId, page }: Check): TemplateResult {
    const { link, environment } = this.context
    const configId = this.draft.notificationConfigId ?? environment.notificationConfigId
    const href =
      page === 'integrations'
        ? link('integrations')
        : page === 'config' && typeof configId === 'string'
          ? link('config', configId)
          : undefined
    return html`<li data-kind=${kind}>
      ${icon(kind === 'error' ? 'circle-xmark' : 'warning')}
      <span><span class="sr">${kind === 'error' ? 'Error: ' : 'Warning: '}</span>${this.#jump(words, { path, ...(stepId !== undefined && { stepId }) })}
      ${href === undefined ? nothing : html`<a class="link" href=${href}>${page === 'config' ? 'The notification config' : 'Mail accounts'}</a>`}</span>
    </li>`
  }
}

const ICONS: Record<Difference['kind'], string> = {
  added: 'plus',
  removed: 'minus',
  changed: 'circle',
  moved: 'grip-vertical',
}

const count = (number: number, one: string): string => `${formatCount(number)} ${one}${number === 1 ? '' : 's'}`

function textChangesView({ changes, total }: TextChangesAnswer): TemplateResult {
  const more = total - changes.length
  return html`<section aria-labelledby="publish-texts">
    <h3 id="publish-texts">${count(total, 'text')} changed</h3>
    <ul class="publish-changes">
      ${changes.map((one) => html`<li data-kind=${kindOfText(one)}>${icon(ICONS[kindOfText(one)])} ${textView(one)}</li>`)}
    </ul>
    ${more > 0 ? html`<p>${formatCount(more)} more.</p>` : nothing}
  </section>`
}

const kindOfText = ({ before, after }: TextChange): Difference['kind'] =>
  before === null ? 'added' : after === null ? 'removed' : 'changed'

/** Whoever approves can read all of a text, not its beginning alone. */
function textView(change: TextChange): TemplateResult {
  const { before, after } = change
  const [name, words] = [nameOfText(change), textWords(change)]
  if ([before, after].every((text) => text === null || isShownWhole(text))) return html`<span>${name}${words}</span>`
  return html`<details>
    <summary>${name}${words}</summary>
    ${sides(`${name} side by side`, before ?? '', after ?? '')}
  </details>`
}

function nameOfText({ kind, name, locale }: TextChange): string {
  return {
    snippet: `Snippet “${name}”`,
    translation: `Translation “${name}” in ${locale}`,
    'default-locale': 'Default locale of the translations',
  }[kind]
}

function textWords({ before, after }: TextChange): string {
  if (before === null) return ` is used now: ${valueWords('text', after)}`
  return after === null ? ` is gone: it was ${valueWords('text', before)}` : `: ${pairWords('text', before, after)}`
}

function sides(label: string, before: string, after: string): TemplateResult {
  const rows = linePairs(before, after)
  return html`<div class="sides" tabindex="0" role="region" aria-label=${label}>
    <table>
      <thead><tr><th scope="col">Published</th><th scope="col">New</th></tr></thead>
      <tbody>
        ${rows.map(({ kind, left, right }) =>
          kind === 'gap'
            ? html`<tr data-kind="gap"><td colspan="2">…</td></tr>`
            : html`<tr data-kind=${kind}><td ?data-is=${left !== undefined}>${left ?? nothing}</td><td ?data-is=${right !== undefined}>${right ?? nothing}</td></tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** @returns undefined for what the role may not read, or the server does not have */
async function unlessRefused<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ApiFailure && (error.status === 403 || error.status === 404)) return undefined
    throw error
  }
}

customElements.define('nc-publish-review', NcPublishReview)
