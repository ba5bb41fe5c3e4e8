// <nc-editor-path>: the way of the chosen event through a draft, step by step. Gives it to the page by `path-found`.

import { html, nothing, type TemplateResult } from 'lit'
import type { CampaignAnswer } from '../../../../contract/resources/campaign.ts'
import type { DryRunAnswer } from '../../../../contract/resources/campaign-trial.ts'
import type { Draft } from '../../../editor/step-tree.ts'
import { icon } from '../../../elements/icon.ts'
import { loadingView } from '../../../elements/states.ts'
import { LightElement } from '../../../lib/light-element.ts'
import { Loader } from '../../../lib/loader.ts'
import type { AppContext } from '../../../shell/context.ts'
import { placeOfStep } from '../publish/place-words.ts'
import { type PathStep, pathWords, type ReadValue, type TriedStep } from './path-words.ts'
import { doubtsView, faultsView, goFrom } from './render-faults.ts'
import { type Sample, triedWith } from './sample.ts'

/** Typing waits so long before the server is asked; longer than the preview, which is asked first. */
const PAUSE_MS = 150

/** The steps that a run would come to, in their order; none where the event starts no run. */
export class PathFound extends Event {
  readonly path: readonly TriedStep[]
  constructor(path: readonly TriedStep[]) {
    super('path-found', { bubbles: true })
    this.path = path
  }
}

export class NcEditorPath extends LightElement {
  static override properties = {
    context: { attribute: false },
    campaign: { attribute: false },
    draft: { attribute: false },
    sample: { attribute: false },
  }

  declare context: AppContext
  declare campaign: CampaignAnswer
  declare draft: Draft
  declare sample: Sample | undefined

  /** With the draft that was tried: words of a step are those of that draft. */
  readonly #tried = new Loader<{ answer: DryRunAnswer; draft: Draft }>(this)
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked = ''

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#timer)
  }

  protected override willUpdate(): void {
    if (this.sample === undefined) return
    const { draft } = this
    const body = triedWith(draft, this.sample)
    const asked = JSON.stringify(body)
    if (asked === this.#asked) return
    const isFirst = this.#asked === ''
    this.#asked = asked
    clearTimeout(this.#timer)
    const load = async () => {
      const read = async (signal: AbortSignal) => ({
        answer: await this.context.api.dryRunCampaign(this.campaign.id, body, signal),
        draft,
      })
      const loaded = await this.#tried.load(read, { quiet: true })
      if (loaded === undefined) return
      this.dispatchEvent(new PathFound('failure' in loaded ? [] : (this.#tried.value?.answer.steps ?? [])))
    }
    if (isFirst) void load()
    else this.#timer = setTimeout(() => void load(), PAUSE_MS)
  }

  override render(): TemplateResult {
    const { value, error } = this.#tried
    return html`<section class="path-part" aria-label="Path of the event">
      ${faultsView(this.draft, error, goFrom(this))}
      ${value === undefined ? (error === undefined ? loadingView(4) : nothing) : this.#path(value.answer, value.draft)}
    </section>`
  }

  #path(answer: DryRunAnswer, draft: Draft): TemplateResult {
    const isStale = this.#tried.error !== undefined
    return html`<div class="preview-shown" ?data-stale=${isStale}>
      ${doubtsView(answer.doubts)}
      ${
        answer.matched
          ? html`<ol class="path-steps">${pathWords(answer.steps, draft).map((step) => this.#step(step, draft))}</ol>`
          : html`<p class="path-none">${icon('ban')} This event starts no run: ${answer.reason ?? 'its trigger does not match'}.</p>`
      }
    </div>`
  }

  #step({ stepId, text, read, isDone }: PathStep, draft: Draft): TemplateResult {
    const place = placeOfStep(draft, stepId)
    const name =
      place === undefined
        ? html`<span class="place">${stepId}</span>`
        : html`<button type="button" class="place" @click=${() => goFrom(this)(place)}>${stepId}</button>`
    return html`<li class="path-step" ?data-done=${isDone}>
      ${name} <span>${text}</span>
      ${read.length === 0 ? nothing : html`<ul class="path-read">${read.map(readView)}</ul>`}
    </li>`
  }
}

const readView = ({ name, value }: ReadValue): TemplateResult =>
  value === undefined
    ? html`<li><code>${name}</code> has no value</li>`
    : html`<li><code>${name}</code> is <code>${value}</code></li>`

customElements.define('nc-editor-path', NcEditorPath)
