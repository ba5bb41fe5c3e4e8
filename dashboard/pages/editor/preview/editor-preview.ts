// <nc-editor-preview>: the message of one step of a draft, rendered by the code that sends, as its user would see it.

import { html, nothing, type TemplateResult } from 'lit'
import type { MessageContent } from '../../../../contract/api.ts'
import type { CampaignAnswer } from '../../../../contract/resources/campaign.ts'
import type { PreviewAnswer } from '../../../../contract/resources/campaign-trial.ts'
import type { ComposedMail } from '../../../../contract/resources/mail.ts'
import type { ConfigFields } from '../../../api/tenant.ts'
import { choiceField } from '../../../elements/fields.ts'
import '../../../elements/mail-view.ts'
import '../../../elements/message-preview.ts'
import { type Draft, type DraftStep, walkSteps } from '../../../editor/step-tree.ts'
import { segments } from '../../../elements/segments.ts'
import { loadingView } from '../../../elements/states.ts'
import { LightElement } from '../../../lib/light-element.ts'
import { Loader } from '../../../lib/loader.ts'
import type { AppContext } from '../../../shell/context.ts'
import { mailLine } from './mail-line.ts'
import { localesOf } from './preview-locales.ts'
import { doubtsView, faultsView, goFrom } from './render-faults.ts'
import { type Sample, triedWith } from './sample.ts'

/** Typing waits so long before the server is asked; it answers in a few milliseconds. */
const PAUSE_MS = 100

interface Rendered {
  stepId: string
  type: unknown
  answer: PreviewAnswer
  at: string
}

export class NcEditorPreview extends LightElement {
  static override properties = {
    context: { attribute: false },
    campaign: { attribute: false },
    draft: { attribute: false },
    sample: { attribute: false },
    stepId: { attribute: false },
    chosen: { state: true },
    locale: { state: true },
  }

  declare context: AppContext
  declare campaign: CampaignAnswer
  declare draft: Draft
  /** Undefined until it is read: nothing is rendered before. */
  declare sample: Sample | undefined
  /** The step that is selected in the page; where it sends nothing, the former one stays. */
  declare stepId: string | undefined
  /** The step that is shown. */
  declare protected chosen: string | undefined
  /** The key of a tab. */
  declare protected locale: string

  readonly #rendered = new Loader<Rendered>(this)
  readonly #config = new Loader<ConfigFields['widget']>(this)
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked = ''
  #configId: string | undefined

  constructor() {
    super()
    this.locale = 'user'
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#timer)
  }

  get #sending(): DraftStep[] {
    return walkSteps(this.draft).flatMap(({ step }) =>
      (step.type === 'inbox' || step.type === 'email') && typeof step.id === 'string' ? [step] : [],
    )
  }

  get #step(): DraftStep | undefined {
    const steps = this.#sending
    return steps.find(({ id }) => id === this.chosen) ?? steps[0]
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('stepId') && this.#sending.some(({ id }) => id === this.stepId)) this.chosen = this.stepId
    this.#readConfig()
    const step = this.#step
    if (step === undefined || this.sample === undefined) return
    const tab = this.#tabs.find(({ key }) => key === this.locale)
    const body = { stepId: String(step.id), ...triedWith(this.draft, this.sample, tab?.locale) }
    const asked = JSON.stringify(body)
    if (asked === this.#asked) return
    const isFirst = this.#asked === ''
    this.#asked = asked
    clearTimeout(this.#timer)
    const load = () =>
      // The last message stays until the next one is there; an answer that a newer call has overtaken is dropped.
      void this.#rendered.load(
        async (signal) => ({
          stepId: body.stepId,
          type: step.type,
          answer: await this.context.api.previewCampaign(this.campaign.id, body, signal),
          at: new Date().toISOString(),
        }),
        { quiet: true },
      )
    if (isFirst) load()
    else this.#timer = setTimeout(load, PAUSE_MS)
  }

  /** The look is that of the config that the draft names, else of its environment's. */
  #readConfig(): void {
    const { notificationConfigId: named } = this.draft
    const id = typeof named === 'string' ? named : (this.context.environment.notificationConfigId ?? undefined)
    if (id === this.#configId) return
    this.#configId = id
    if (id === undefined) this.#config.clear()
    else void this.#config.load(async (signal) => (await this.context.tenant.config(id, signal)).widget)
  }

  get #tabs() {
    return localesOf(this.#step, this.sample?.user?.locale)
  }

  override render(): TemplateResult {
    const step = this.#step
    if (step === undefined)
      return html`<p class="none-found">No step of the draft sends a message yet. Its preview appears here.</p>`
    return html`<section class="preview-part" aria-label="Preview" aria-busy=${this.#rendered.state === 'loading'}>
      ${this.#choices(step)}
      ${faultsView(this.draft, this.#rendered.error, goFrom(this))}
      ${this.#message()}
    </section>`
  }

  #choices(step: DraftStep): TemplateResult | typeof nothing {
    const steps = this.#sending
    const tabs = this.#tabs
    if (steps.length < 2 && tabs.length === 0) return nothing
    const isKnown = tabs.some(({ key }) => key === this.locale)
    return html`<div class="preview-choices">
      ${
        steps.length < 2
          ? nothing
          : choiceField('editor-preview', {
              name: 'step',
              label: 'Message',
              value: String(step.id),
              choices: steps.map(({ id, type }) => [String(id), `${id} · ${type === 'email' ? 'mail' : 'inbox'}`]),
              onChange: (id) => {
                this.chosen = id
              },
            })
      }
      ${
        tabs.length === 0
          ? nothing
          : segments(
              'Language',
              tabs.map(({ key, label }) => [key, label] as const),
              isKnown ? this.locale : 'user',
              (key) => {
                this.locale = key
              },
            )
      }
    </div>`
  }

  #message(): TemplateResult | typeof nothing {
    const { value, error } = this.#rendered
    if (value === undefined) return error === undefined ? loadingView(6) : nothing
    const { answer, type, at } = value
    const isStale = error !== undefined
    return html`<div class="preview-shown" ?data-stale=${isStale}>
      ${doubtsView(answer.doubts)}
      ${type === 'email' ? this.#mail(answer) : this.#inbox(answer, at)}
      ${this.#enrichNote()}
    </div>`
  }

  #inbox(content: MessageContent, createdAt: string): TemplateResult {
    const delivery = { messageId: 'preview', createdAt, expiresAt: null, readAt: null, openedAt: null, clickedAt: null }
    const locale = this.#tabs.find(({ key }) => key === this.locale)?.locale ?? this.sample?.user?.locale ?? 'en'
    return html`<nc-message-preview
      .delivery=${delivery}
      .content=${content}
      .look=${this.#config.value}
      .locale=${locale}
      .showsToast=${true}
    ></nc-message-preview>`
  }

  #mail(answer: PreviewAnswer): TemplateResult {
    const mail = mailOf(answer)
    return html`${mailLine(mail)} <nc-mail-view .mail=${mail} .isCompact=${true}></nc-mail-view>`
  }

  #enrichNote(): TemplateResult | typeof nothing {
    const enriches = walkSteps(this.draft).some(({ step }) => step.type === 'enrich')
    return enriches ? html`<p class="hint">Enrichers are not called for a preview: their data is empty.</p>` : nothing
  }
}

/** The answer of a step that sends mails has all parts of one. */
function mailOf(answer: PreviewAnswer): ComposedMail {
  const { subject = '', preheader = null, html: content = '', text = '', from, htmlBytes = 0, warnings = [] } = answer
  return { subject, preheader, html: content, text, from: from ?? { name: null, address: '' }, htmlBytes, warnings }
}

customElements.define('nc-editor-preview', NcEditorPreview)
