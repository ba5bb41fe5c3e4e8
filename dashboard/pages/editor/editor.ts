// <nc-campaign-editor>: the draft of a campaign as a picture, beside the form of the selected step. It is saved as it is typed.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { CampaignEditorsAnswer } from '../../../contract/resources/campaign-editors.ts'
import { DraftSession } from '../../editor/draft-session.ts'
import { renameStep } from '../../editor/edits.ts'
import { openKeptDrafts } from '../../editor/kept-drafts.ts'
import { pathItems } from '../../editor/path-items.ts'
import { type Draft, formatPath, isObject, type Path, readAt } from '../../editor/step-tree.ts'
import { icon } from '../../elements/icon.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { Loader } from '../../lib/loader.ts'
import { Poller } from '../../lib/poller.ts'
import { AppPage } from '../../shell/page-element.ts'
import { editorHead, type View, viewOf } from './editor-head.ts'
import { EditorLists } from './editor-lists.ts'
import { faultList, stepOf } from './fault-list.ts'
import type { NcFlowEditor } from './flow-editor.ts'
import './flow-editor.ts'
import './forms/campaign-form.ts'
import type { FormElement } from './forms/form-element.ts'
import './forms/step-form.ts'
import './preview/editor-beside.ts'
import type { PathFound } from './preview/editor-path.ts'
import type { GoTo, Sample, SampleChanged } from './preview/sample.ts'
import { pendingView } from './publish/pending-view.ts'
import './publish/publish.ts'
import { knownPaths } from './known-paths.ts'
import type { CampaignChanged, NcPublish } from './publish/publish.ts'
import { conflictChoices } from './save-state.ts'
import { StepClipboard } from './step-clipboard.ts'

const POLL_MS = 5000

class NcCampaignEditor extends AppPage {
  static override properties = {
    ...AppPage.properties,
    selected: { state: true },
    others: { state: true },
    sample: { state: true },
    tried: { state: true },
  }

  /** The path of the selected step; undefined: the campaign itself. */
  declare protected selected: Path | undefined
  /** Who else has this editor open. */
  declare protected others: CampaignEditorsAnswer['editors']
  /** The event that the draft is tried with. */
  declare protected sample: Sample | undefined
  /** The steps that a run of that event comes to. */
  declare protected tried: PathFound['path']

  readonly #session = new Loader<DraftSession>(this)
  readonly #flow = createRef<NcFlowEditor>()
  readonly #form = createRef<FormElement>()
  readonly #publish = createRef<NcPublish>()
  readonly #lists = new EditorLists(this)

  constructor() {
    super()
    this.others = []
    this.tried = []
    new Poller(this, POLL_MS, () => this.#poll())
    new StepClipboard(this, () => this.#flow.value)
    this.addEventListener('keydown', this.#key)
  }

  protected override firstUpdated(): void {
    void this.#load()
    this.#lists.load(this.context)
  }

  protected override willUpdate(): void {
    const { trigger } = this.#session.value?.draft ?? {}
    if (isObject(trigger) && typeof trigger.event === 'string') this.#lists.follow(this.context, trigger.event)
    if (this.#view === 'json') void import('./forms/json-editor.ts')
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#session.value?.close()
  }

  async #load(): Promise<void> {
    const { api, me, setTitle, notify } = this.context
    await this.#session.load(() =>
      DraftSession.open(this, {
        read: () => api.campaign(this.routeId),
        write: (draft, revision) => api.putCampaign(this.routeId, draft, revision),
        kept: openKeptDrafts(`${me.person.id} ${this.routeId}`),
        mayChange: this.#mayChange,
      }),
    )
    const session = this.#session.value
    if (session === undefined) return
    setTitle(`Edit ${session.campaign.name}`)
    if (session.isRestored) notify('What was not saved at your last visit is here again.')
  }

  /** Who may not change it, reads it alone. */
  async #poll(): Promise<object> {
    const session = this.#session.value
    if (session === undefined) return {}
    try {
      if (!this.#mayChange) await session.refresh()
      else {
        const { revision, editors } = await this.context.api.campaignEditors(this.routeId)
        this.others = editors
        if (revision !== session.campaign.revision) await session.refresh()
      }
      return {}
    } catch (failure) {
      return { failure }
    }
  }

  get #mayChange(): boolean {
    return this.context.may('editor')
  }

  override render(): TemplateResult {
    const session = this.#session.value
    if (session === undefined) {
      const { state, error } = this.#session
      return html`<div class="page">
        <nav class="crumbs" aria-label="Breadcrumb"><a class="link" href=${this.context.link('campaigns')}>Campaigns</a></nav>
        <h1 tabindex="-1" class="sr">Campaign editor</h1>
        ${state === 'failed' ? failureView(error, () => void this.#load()) : loadingView()}
      </div>`
    }
    return html`<div class="editor">
      ${this.#head(session)}
      ${session.state.kind === 'conflict' ? conflictChoices(session.state.conflicts, (choices) => session.resolve(choices)) : nothing}
      <div class="editor-body">
        <div class="editor-flow">${this.#view === 'json' ? this.#json(session) : this.#picture(session)}</div>
        <div class="editor-side">${this.#side(session)}</div>
        <aside class="editor-beside" aria-label="Preview">${this.#beside(session)}</aside>
      </div>
    </div>`
  }

  get #view(): View {
    return viewOf(this.context)
  }

  #picture({ draft }: DraftSession): TemplateResult {
    return html`<nc-flow-editor
      ${ref(this.#flow)}
      .draft=${draft}
      .selected=${this.selected}
      .highlighted=${pathItems(draft, this.tried)}
      .enrichers=${this.#lists.enrichers}
      .mayChange=${this.#mayChange}
      .edit=${this.#edit}
      .select=${this.#select}
      @step-removed=${this.#onRemoved}
    ></nc-flow-editor>`
  }

  #json(session: DraftSession): TemplateResult {
    const change = (draft: Draft) => session.edit(draft, 'JSON', 'json')
    return html`<nc-json-editor .value=${session.draft} .faults=${session.faults} .mayChange=${this.#mayChange} .onChange=${change}></nc-json-editor>`
  }

  #head(session: DraftSession): TemplateResult {
    const { context, others } = this
    const head = editorHead({
      ...{ context, session, others, mayChange: this.#mayChange },
      undo: () => this.#undo(),
      redo: () => this.#redo(),
      publish: () => void this.#ask(session),
    })
    const answer = (step: 'approve' | 'decline' | 'withdraw') => () => void this.#publish.value?.[step]()
    return html`<header class="editor-head">
      ${head}
      ${pendingView(context, session.campaign, { approve: answer('approve'), decline: answer('decline'), withdraw: answer('withdraw') })}
      <nc-publish ${ref(this.#publish)} .context=${context} .campaign=${session.campaign} .draft=${session.draft} .sample=${this.sample} .warnings=${session.warnings} @campaign-changed=${({ campaign }: CampaignChanged) => session.take(campaign)} @go-to=${this.#onGoTo}></nc-publish>
    </header>`
  }

  #side(session: DraftSession): TemplateResult {
    const step = this.selected && readAt(session.draft, this.selected)
    return html`${faultList(session.faults, session.draft, this.#goTo)}
      ${isObject(step) && this.#mayChange && this.#view === 'picture' ? this.#stepTools() : nothing} ${this.#formView(session, step)}`
  }

  #beside({ draft, campaign }: DraftSession): TemplateResult {
    const id = this.selected && readAt(draft, [...this.selected, 'id'])
    return html`<nc-editor-beside .context=${this.context} .campaign=${campaign} .draft=${draft} .stepId=${typeof id === 'string' ? id : undefined} .mayChange=${this.#mayChange} @sample-changed=${this.#onSample} @path-found=${this.#onPath} @go-to=${this.#onGoTo}></nc-editor-beside>`
  }

  #formView(session: DraftSession, step: unknown): TemplateResult {
    const { draft, faults } = session
    const form = {
      draft,
      faultAt: (path: Path) => faults.find((fault) => fault.path === formatPath(path)),
      known: knownPaths(draft, this.#lists.learned, this.sample),
      choices: this.#lists.choices(this.context, draft),
      change: (path: Path, value: unknown, words: string) => session.change(path, value, words),
    }
    const rename = (path: Path, id: string) => session.edit(renameStep(session.draft, path, id), 'Name of a step')
    if (!isObject(step)) {
      return html`<nc-campaign-form ${ref(this.#form)} .isCreated=${true} .mayChange=${this.#mayChange} .draft=${draft} .faultAt=${form.faultAt} .known=${form.known} .choices=${form.choices} .change=${form.change}></nc-campaign-form>`
    }
    return html`<nc-step-form ${ref(this.#form)} .step=${step} .path=${this.selected} .rename=${rename} .mayChange=${this.#mayChange} .draft=${draft} .faultAt=${form.faultAt} .known=${form.known} .choices=${form.choices} .change=${form.change}></nc-step-form>`
  }

  #stepTools(): TemplateResult {
    const flow = () => this.#flow.value
    const tool = (name: string, label: string, keys: string, run: (event: Event) => void) =>
      html`<button type="button" class="icon-button" aria-label=${label} title=${`${label} (${keys})`} @click=${run}>${icon(name)}</button>`
    return html`<div class="step-tools" role="toolbar" aria-label="This step">
      ${tool('plus', 'Add a step after it', '+', ({ currentTarget }) => flow()?.addAfter(currentTarget as HTMLElement))}
      ${tool('chevron-up', 'Move up', 'Alt+↑', () => flow()?.move('up'))}
      ${tool('chevron-down', 'Move down', 'Alt+↓', () => flow()?.move('down'))}
      ${tool('copy', 'Duplicate', 'Ctrl+D', () => flow()?.duplicate())}
      ${tool('trash', 'Remove', 'Delete', () => flow()?.removeSelected())}
    </div>`
  }

  readonly #select = (path: Path | undefined): void => {
    this.selected = path
  }

  readonly #edit = (draft: Draft, words: string, select?: Path): void => {
    const session = this.#session.value
    if (session === undefined) return
    session.edit(draft, words)
    this.selected = select
  }

  /** Later the notice takes back no other edit. */
  readonly #onRemoved = (): void => {
    const words = this.#session.value?.undoable
    this.context.notify('The step is removed.', async () => {
      if (this.#session.value?.undoable === words) this.#undo()
    })
  }

  #undo(): void {
    this.#session.value?.undo()
    this.#keepSelection()
  }

  #redo(): void {
    this.#session.value?.redo()
    this.#keepSelection()
  }

  /** The selected step may be gone. */
  #keepSelection(): void {
    const session = this.#session.value
    if (this.selected !== undefined && session !== undefined && !isObject(readAt(session.draft, this.selected)))
      this.selected = undefined
  }

  readonly #onSample = ({ sample }: SampleChanged): void => {
    this.sample = sample
  }

  readonly #onPath = ({ path }: PathFound): void => {
    this.tried = path
  }

  readonly #onGoTo = ({ path }: GoTo): void => {
    const session = this.#session.value
    if (session !== undefined) this.#goTo(stepOf(session.draft, path), path)
  }

  async #ask(session: DraftSession): Promise<void> {
    await session.flush()
    await this.#publish.value?.ask()
  }

  readonly #goTo = (step: Path | undefined, field: Path): void => {
    this.selected = step
    void this.updateComplete.then(() => this.#form.value?.reveal(field))
  }

  readonly #key = (event: KeyboardEvent): void => {
    const session = this.#session.value
    if (session === undefined || !(event.ctrlKey || event.metaKey) || event.altKey) return
    const key = event.key.toLowerCase()
    const isRedo = key === 'y' || (key === 'z' && event.shiftKey)
    if (key === 'z' || isRedo) {
      event.preventDefault()
      if (isRedo) this.#redo()
      else this.#undo()
    } else if (key === 's') {
      event.preventDefault()
      void session.flush()
    }
  }
}

customElements.define('nc-campaign-editor', NcCampaignEditor)
