// <nc-editor-beside>: what stands beside the editor: the chosen event, the preview, its path, "why", and tests.

import { html, type TemplateResult } from 'lit'
import type { CampaignAnswer } from '../../../../contract/resources/campaign.ts'
import type { Draft } from '../../../editor/step-tree.ts'
import { segments } from '../../../elements/segments.ts'
import { LightElement } from '../../../lib/light-element.ts'
import type { AppContext } from '../../../shell/context.ts'
import './editor-path.ts'
import './editor-preview.ts'
import './editor-sample.ts'
import './editor-test.ts'
import type { Sample, SampleChanged } from './sample.ts'

const PARTS = [
  ['preview', 'Preview'],
  ['path', 'Path'],
  ['why', 'Why?'],
  ['test', 'Send'],
] as const
type Part = (typeof PARTS)[number][0]

/** The events of its parts bubble: `sample-changed`, `path-found` and `go-to`. */
export class NcEditorBeside extends LightElement {
  static override properties = {
    context: { attribute: false },
    campaign: { attribute: false },
    draft: { attribute: false },
    stepId: { attribute: false },
    mayChange: { attribute: false },
    sample: { state: true },
    shown: { state: true },
  }

  declare context: AppContext
  declare campaign: CampaignAnswer
  declare draft: Draft
  /** The step that is selected in the page. */
  declare stepId: string | undefined
  declare mayChange: boolean
  declare protected sample: Sample | undefined
  declare protected shown: Part

  constructor() {
    super()
    this.shown = 'preview'
  }

  protected override willUpdate(): void {
    if (this.shown === 'why') void import('./editor-why.ts')
  }

  readonly #onSample = (event: SampleChanged): void => {
    this.sample = event.sample
  }

  override render(): TemplateResult {
    const { context, campaign, draft, sample, shown: part } = this
    return html`<div class="beside">
      <nc-editor-sample .context=${context} .campaign=${campaign} .draft=${draft} @sample-changed=${this.#onSample}></nc-editor-sample>
      ${segments('Beside the editor', PARTS, part, (chosen) => {
        this.shown = chosen
      })}
      <div class="beside-part" ?hidden=${part !== 'preview'}>
        <nc-editor-preview .context=${context} .campaign=${campaign} .draft=${draft} .sample=${sample} .stepId=${this.stepId}></nc-editor-preview>
      </div>
      <div class="beside-part" ?hidden=${part !== 'path'}>
        <nc-editor-path .context=${context} .campaign=${campaign} .draft=${draft} .sample=${sample}></nc-editor-path>
      </div>
      ${this.#chosen(part)}
    </div>`
  }

  /** The preview and the path are always there, because the picture shows the path; the others when they are chosen. */
  #chosen(part: Part): TemplateResult {
    const { context, campaign, draft, sample, mayChange } = this
    if (part === 'why')
      return html`<nc-editor-why .context=${context} .campaign=${campaign} .draft=${draft} .sample=${sample}></nc-editor-why>`
    if (part === 'test')
      return html`<nc-editor-test .context=${context} .campaign=${campaign} .draft=${draft} .sample=${sample} .mayChange=${mayChange}></nc-editor-test>`
    return html``
  }
}

customElements.define('nc-editor-beside', NcEditorBeside)
