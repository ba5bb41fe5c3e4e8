// <nc-editor-why>: whether a user would get the messages of a draft for the chosen event, step by step, with remedies.

import { html, nothing, type TemplateResult } from 'lit'
import type { CampaignAnswer } from '../../../../contract/resources/campaign.ts'
import type { DryRunAnswer } from '../../../../contract/resources/campaign-trial.ts'
import type { Draft } from '../../../editor/step-tree.ts'
import { loadingView } from '../../../elements/states.ts'
import { LightElement } from '../../../lib/light-element.ts'
import { Loader } from '../../../lib/loader.ts'
import type { AppContext } from '../../../shell/context.ts'
import { placeOfStep } from '../publish/place-words.ts'
import { pathWords } from './path-words.ts'
import { remedyOf } from './remedies.ts'
import { doubtsView, faultsView, goFrom } from './render-faults.ts'
import { type Sample, triedWith } from './sample.ts'
import './user-picker.ts'
import type { UserPicked } from './user-picker.ts'

/** Typing in the draft waits so long before the server is asked. */
const PAUSE_MS = 300

interface Answered {
  answer: DryRunAnswer
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
    const { draft, sample } = this
    if (sample === undefined || userId === undefined) return
    // The stored profile decides, with the preferences and suppressions of the user.
    const event = { ...sample.event, userId }
    const body = triedWith(draft, { event, user: { id: userId } })
    const asked = JSON.stringify(body)
    if (asked === this.#asked) return
    const isTyping = this.#answered.value?.userId === userId
    this.#asked = asked
    clearTimeout(this.#timer)
    const load = () =>
      void this.#answered.load(
        async (signal) => ({
          answer: await this.context.api.dryRunCampaign(this.campaign.id, body, signal),
          draft,
          userId,
        }),
        { quiet: true },
      )
    if (isTyping) this.#timer = setTimeout(load, PAUSE_MS)
    else load()
  }

  override render(): TemplateResult {
    const { value, error } = this.#answered
    const userId = this.#user
    const pick = ({ userId: picked }: UserPicked) => {
      this.userId = picked
    }
    return html`<section class="why-part" aria-label="Why would this user get it?">
      <nc-user-picker .context=${this.context} label="Why would this user get it?" .userId=${userId} @user-picked=${pick}></nc-user-picker>
      ${faultsView(this.draft, error, goFrom(this))}
      ${userId === undefined ? html`<p class="hint">Choose a user: the answer is the engine's own, with their profile, preferences and suppressions of now.</p>` : nothing}
      ${value === undefined || userId === undefined ? (userId !== undefined && error === undefined ? loadingView(3) : nothing) : this.#answer(value)}
    </section>`
  }

  #answer({ answer, draft, userId }: Answered): TemplateResult {
    const steps = pathWords(answer.steps, draft)
    const isStale = this.#answered.error !== undefined
    return html`<div class="preview-shown" ?data-stale=${isStale} role="status">
      <p class="why-sum">${sumOf(answer, userId)}</p>
      ${doubtsView(answer.doubts)}
      <ol class="path-steps">
        ${steps.map(({ stepId, text, read, isDone }, index) => {
          const place = placeOfStep(draft, stepId)
          const step = answer.steps[index]
          const remedy = step && remedyOf(step, userId)
          return html`<li class="path-step" ?data-done=${isDone}>
            ${place === undefined ? html`<span class="place">${stepId}</span>` : html`<button type="button" class="place" @click=${() => goFrom(this)(place)}>${stepId}</button>`}
            <span>${text}</span>
            ${remedy === undefined ? nothing : html`<a class="link why-remedy" href=${this.context.link(remedy.page, remedy.id, remedy.query)}>${remedy.label}</a>`}
            ${read.length === 0 ? nothing : html`<ul class="path-read">${read.map(({ name, value }) => html`<li><code>${name}</code> ${value === undefined ? 'has no value' : html`is <code>${value}</code>`}</li>`)}</ul>`}
          </li>`
        })}
      </ol>
    </div>`
  }
}

/** @returns in one sentence what the user gets */
function sumOf({ matched, reason, steps }: DryRunAnswer, userId: string): string {
  if (!matched) return `${userId} gets nothing: ${reason ?? 'the event does not start the campaign'}.`
  const sent = steps.filter(({ type, outcome }) => outcome === 'done' && (type === 'inbox' || type === 'email'))
  if (sent.length === 0) return `${userId} gets nothing from this event.`
  const words = sent.map(({ stepId, type }) => `${type === 'email' ? 'the mail' : 'the message'} “${stepId}”`)
  const last = words.pop()
  return `${userId} gets ${words.length === 0 ? last : `${words.join(', ')} and ${last}`}.`
}

customElements.define('nc-editor-why', NcEditorWhy)
