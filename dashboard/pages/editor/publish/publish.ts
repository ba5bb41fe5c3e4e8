// <nc-publish>: asks before a draft is published, with what that changes, and publishes it. The same for a roll back.

import { html, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { CampaignAnswer } from '../../../../contract/resources/campaign.ts'
import type { MailWarning } from '../../../../contract/resources/mail.ts'
import { ApiFailure } from '../../../api/client.ts'
import type { NcConfirm } from '../../../elements/confirm-dialog.ts'
import '../../../elements/confirm-dialog.ts'
import { isSame } from '../../../editor/merge.ts'
import type { Draft } from '../../../editor/step-tree.ts'
import { findConflict, whoChanged } from '../../../elements/conflict.ts'
import { textField, textOf } from '../../../elements/fields.ts'
import { InvalidInput } from '../../../lib/invalid-input.ts'
import { LightElement } from '../../../lib/light-element.ts'
import type { AppContext } from '../../../shell/context.ts'
import { GoTo, type Sample } from '../preview/sample.ts'
import './publish-review.ts'
import type { NcPublishReview } from './publish-review.ts'

/** The campaign is another one now: it was published, or somebody else has changed it meanwhile. */
export class CampaignChanged extends Event {
  readonly campaign: CampaignAnswer
  readonly isPublished: boolean
  constructor(campaign: CampaignAnswer, isPublished: boolean) {
    super('campaign-changed', { bubbles: true })
    this.campaign = campaign
    this.isPublished = isPublished
  }
}

const NOTE = textField('publish', {
  name: 'note',
  label: 'Note',
  maxLength: 500,
  hint: 'Why, for whoever reads the versions. It may be empty.',
})

export class NcPublish extends LightElement {
  static override properties = {
    context: { attribute: false },
    campaign: { attribute: false },
    draft: { attribute: false },
    sample: { attribute: false },
    warnings: { attribute: false },
  }

  declare context: AppContext
  declare campaign: CampaignAnswer
  /** Default: the stored draft. */
  declare draft: Draft | undefined
  declare sample: Sample | undefined
  /** Of the last save of the draft. */
  declare warnings: readonly MailWarning[]

  readonly #confirm = createRef<NcConfirm>()
  readonly #review = createRef<NcPublishReview>()

  constructor() {
    super()
    this.warnings = []
  }

  /** @param back The version to which the campaign rolls back; absent: the draft is published. */
  async ask(back?: { version: number; definition: Draft }): Promise<void> {
    await this.updateComplete
    const { name, currentVersion } = this.campaign
    // A later state is another question: who answers this one has not seen it.
    const asked = { campaign: this.campaign }
    const target = back?.definition ?? this.draft ?? this.campaign.draft
    const number = (currentVersion ?? 0) + 1
    this.#confirm.value?.ask({
      title:
        back === undefined
          ? `Publish “${name}” as version ${number}`
          : `Roll “${name}” back to version ${back.version}`,
      text: html`${back === undefined ? '' : html`<p>The draft becomes what version ${back.version} is, and is published as version ${number}. What the draft has now is replaced.</p>`}
        <nc-publish-review
          ${ref(this.#review)}
          .context=${this.context}
          .campaign=${this.campaign}
          .draft=${target}
          .sample=${this.sample}
          .warnings=${back === undefined ? this.warnings : []}
          @go-to=${this.#onGoTo}
        ></nc-publish-review>`,
      button: back === undefined ? 'Publish' : 'Roll back',
      fields: NOTE,
      run: (form) => this.#publish(target, asked, textOf(form, 'note')),
    })
  }

  /** The place is behind the dialog. */
  readonly #onGoTo = (event: GoTo): void => {
    event.stopPropagation()
    this.#confirm.value?.close()
    this.dispatchEvent(new GoTo(event.path, event.stepId))
  }

  async #publish(target: Draft, asked: { campaign: CampaignAnswer }, note: string): Promise<void> {
    const { api, notify } = this.context
    if (this.#review.value?.hasErrors)
      throw new InvalidInput('The draft has errors. Mend them first: they are listed above.')
    const { id, draft } = asked.campaign
    try {
      if (!isSame(target, draft)) {
        asked.campaign = await api.putCampaign(id, target, asked.campaign.revision)
        this.dispatchEvent(new CampaignChanged(asked.campaign, false))
      }
      asked.campaign = await api.publishCampaign(id, asked.campaign.revision, note)
    } catch (error) {
      throw await this.#explain(error, id)
    }
    notify(publishedWords(asked.campaign))
    this.dispatchEvent(new CampaignChanged(asked.campaign, true))
  }

  /** After a conflict, the page shows the newer state behind the dialog. */
  async #explain(error: unknown, id: string): Promise<unknown> {
    const conflict = findConflict(error)
    if (conflict === undefined) return error
    this.dispatchEvent(new CampaignChanged(await this.context.api.campaign(id), false))
    const message = `${whoChanged(conflict)} meanwhile. Close this, look at the draft as it is now, then publish again.`
    return new ApiFailure(409, { message })
  }

  override render(): TemplateResult {
    return html`<nc-confirm class="publish-dialog" ${ref(this.#confirm)}></nc-confirm>`
  }
}

function publishedWords({
  name,
  currentVersion,
  warnings = [],
}: CampaignAnswer & { warnings?: MailWarning[] }): string {
  const [first, ...others] = warnings
  const words = `“${name}” is published as version ${currentVersion}.`
  if (first === undefined) return words
  return `${words} ${first.message}${others.length === 0 ? '' : ` And ${others.length} more warnings.`}`
}

customElements.define('nc-publish', NcPublish)
