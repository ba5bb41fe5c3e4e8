// <nc-editor-why>: why a user would get the messages of a draft for the chosen event, or not, in the engine's own sentences.

import { html, nothing, type TemplateResult } from 'lit'
import type { JsonObject } from '../../../../contract/json.ts'
import type { CampaignAnswer } from '../../../../contract/resources/campaign.ts'
import type { ExplanationAnswer, Remedy } from '../../../../contract/resources/campaign-explanation.ts'
import type { Draft } from '../../../editor/step-tree.ts'
import { loadingView } from '../../../elements/states.ts'
import { LightElement } from '../../../lib/light-element.ts'
import { Loader } from '../../../lib/loader.ts'
import type { AppContext } from '../../../shell/context.ts'
import { placeOfStep } from '../publish/place-words.ts'
import { remedyWay } from './remedies.ts'
import { faultsView, goFrom } from './render-faults.ts'
import type { Sample } from './sample.ts'
import './user-picker.ts'
import type { UserPicked } from './user-picker.ts'

/** Typing in the draft waits so long before the server is asked. */
const PAUSE_MS = 300

interface Answered {
  answer: ExplanationAnswer
  draft: Draft
  userId: string
}

export class NcEditorWhy extends LightElement {
  static override properties = {
    context: { attribute: false },
    campaign: { attribute: false },
    draft: { attribute: false },
    sample: { attribute: false },
    userId: { state: true },
  }

  declare context: AppContext
  declare campaign: CampaignAnswer
  declare draft: Draft
  /** Its event is the one that is asked for. */
  declare sample: Sample | undefined
  declare protected userId: string | undefined

  readonly #answered = new Loader<Answered>(this)
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked = ''

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#timer)
  }

  get #user(): string | undefined {
    return this.userId ?? this.sample?.user?.id
  }

  protected override willUpdate(): void {
    const userId = this.#user
    const { draft, sample, campaign, context } = this
    if (sample === undefined || userId === undefined) return
    // The stored profile decides, with the preferences and suppressions of the user.
    const body = { userId, event: { ...sample.event, userId }, definition: draft as JsonObject }
    const asked = JSON.stringify(body)
    if (asked === this.#asked) return
    const isTyping = this.#answered.value?.userId === userId
    this.#asked = asked
    clearTimeout(this.#timer)
    const read = async (signal: AbortSignal) => ({
      answer: await context.api.explainCampaign(campaign.id, body, signal),
      draft,
      userId,
    })
    const load = () => void this.#answered.load(read, { quiet: true })
    if (isTyping) this.#timer = setTimeout(load, PAUSE_MS)
    else load()
  }

  override render(): TemplateResult {
    const { error } = this.#answered
    const userId = this.#user
    const pick = ({ userId: picked }: UserPicked) => {
      this.userId = picked
    }
    return html`<section class="why-part" aria-label="Why would this user get it?">
      <nc-user-picker .context=${this.context} label="Why would this user get it?" .userId=${userId} @user-picked=${pick}></nc-user-picker>
      ${faultsView(this.draft, error, goFrom(this))} ${this.#content(userId)}
    </section>`
  }

  #content(userId: string | undefined): TemplateResult | typeof nothing {
    const { value, error } = this.#answered
    if (userId === undefined)
      return html`<p class="hint">Choose a user: the engine answers, with their profile, preferences and suppressions of now.</p>`
    if (value !== undefined) return this.#answer(value)
    return error === undefined ? loadingView(3) : nothing
  }

  #answer({ answer, draft }: Answered): TemplateResult {
    const isStale = this.#answered.error !== undefined
    return html`<div class="preview-shown" ?data-stale=${isStale} role="status">
      <p class="why-sum">${answer.sentence}</p>
      ${this.#remedy(answer.remedy, draft)}
      ${
        answer.doubts.length === 0
          ? nothing
          : html`<ul class="doubts why-doubts">${answer.doubts.map(({ message, remedy }) => html`<li>${message} ${this.#remedy(remedy, draft)}</li>`)}</ul>`
      }
      <ol class="path-steps">${answer.steps.map((step) => this.#step(step, draft))}</ol>
    </div>`
  }

  #step({ stepId, outcome, sentence, remedy }: ExplanationAnswer['steps'][number], draft: Draft): TemplateResult {
    const place = placeOfStep(draft, stepId)
    const isDone = outcome !== 'skipped' && outcome !== 'failed' && outcome !== 'not-taken'
    return html`<li class="path-step" ?data-done=${isDone}>
      ${place === undefined ? html`<span class="place">${stepId}</span>` : html`<button type="button" class="place" @click=${() => goFrom(this)(place)}>${stepId}</button>`}
      <span>${sentence}</span> ${this.#remedy(remedy, draft)}
    </li>`
  }

  #remedy(remedy: Remedy | undefined, draft: Draft): TemplateResult | typeof nothing {
    if (remedy === undefined) return nothing
    const { environment, link } = this.context
    const named = draft.notificationConfigId ?? environment.notificationConfigId
    const configId = typeof named === 'string' ? named : undefined
    const known = { draft, campaignId: this.campaign.id, environmentId: environment.id, configId }
    const way = remedyWay(remedy, known)
    if (way === undefined) return nothing
    const { label, place, page, id, query } = way
    if (page !== undefined) return html`<a class="link why-remedy" href=${link(page, id, query)}>${label}</a>`
    if (place === undefined) return nothing
    return html`<button type="button" class="place why-remedy" @click=${() => goFrom(this)(place)}>${label}</button>`
  }
}

customElements.define('nc-editor-why', NcEditorWhy)
