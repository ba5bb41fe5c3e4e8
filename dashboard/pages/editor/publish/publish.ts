// <nc-publish>: asks before a draft is published, with what that changes, and publishes it or asks another person for
// approval. The same for a roll back, and for the answers to such a request.

import { html, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { CampaignAnswer } from '../../../../contract/resources/campaign.ts'
import type { MailWarning } from '../../../../contract/resources/mail.ts'
import { ApiFailure } from '../../../api/client.ts'
import { isSame } from '../../../editor/merge.ts'
import type { Draft } from '../../../editor/step-tree.ts'
import type { NcConfirm } from '../../../elements/confirm-dialog.ts'
import '../../../elements/confirm-dialog.ts'
import { findConflict, whoChanged } from '../../../elements/conflict.ts'
import { textOf } from '../../../elements/fields.ts'
import { InvalidInput } from '../../../lib/invalid-input.ts'
import { LightElement } from '../../../lib/light-element.ts'
import { publishRightOf, requestRightsOf } from '../../../lib/publish-right.ts'
import type { AppContext } from '../../../shell/context.ts'
import { GoTo, type Sample } from '../preview/sample.ts'
import './publish-review.ts'
import type { NcPublishReview } from './publish-review.ts'
import { type FormerVersion, NOTE, publishedWords, publishWords, REASON } from './publish-words.ts'

/** The campaign is another one now: it was published or asked for, or somebody else has changed it meanwhile. */
export class CampaignChanged extends Event {
  readonly campaign: CampaignAnswer
  constructor(campaign: CampaignAnswer) {
    super('campaign-changed', { bubbles: true })
    this.campaign = campaign
  }
}

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
  async ask(back?: FormerVersion): Promise<void> {
    await this.updateComplete
    const { context, campaign } = this
    const { pendingPublish } = campaign
    if (back === undefined && pendingPublish !== undefined && requestRightsOf(context, pendingPublish).mayAnswer)
      return this.approve()
    // A later state is another question: who answers this one has not seen it.
    const asked = { campaign }
    const target = back?.definition ?? this.draft ?? campaign.draft
    const { title, text, button } = publishWords(context, campaign, publishRightOf(context), back)
    this.#confirm.value?.ask({
      title,
      text: html`${text} ${this.#reviewOf(target, back === undefined ? this.warnings : [])}`,
      ...(button !== undefined && { button, fields: NOTE }),
      run: (form) => this.#publish(target, asked, textOf(form, 'note')),
    })
  }

  /** Asks before the request of another person is approved. */
  async approve(): Promise<void> {
    await this.updateComplete
    const { api, environment } = this.context
    const { id, name, currentVersion, draft, pendingPublish } = this.campaign
    if (pendingPublish === undefined) return
    const { revision, askedBy, note } = pendingPublish
    this.#confirm.value?.ask({
      title: `Approve “${name}” and publish it as version ${(currentVersion ?? 0) + 1}`,
      text: html`<p>${askedBy} asks to publish this in <strong>${environment.name}</strong>${note === null ? '.' : `: “${note}”`}</p>
        ${this.#reviewOf(draft, [])}`,
      button: 'Approve and publish',
      run: () => this.#take(id, () => api.approvePublish(id, revision)),
    })
  }

  async decline(): Promise<void> {
    await this.updateComplete
    const { api, environment } = this.context
    const { id, name, pendingPublish } = this.campaign
    if (pendingPublish === undefined) return
    const { revision, askedBy } = pendingPublish
    this.#confirm.value?.ask({
      title: `Decline to publish “${name}”`,
      text: html`<p>What ${askedBy} asked to publish in <strong>${environment.name}</strong> is not published. The draft stays.</p>`,
      fields: REASON,
      button: 'Decline',
      isDangerous: true,
      run: (form) =>
        this.#take(id, () => api.declinePublish(id, revision, textOf(form, 'reason')), `“${name}” is declined.`),
    })
  }

  async withdraw(): Promise<void> {
    await this.updateComplete
    const { api, environment } = this.context
    const { id, name, pendingPublish } = this.campaign
    if (pendingPublish === undefined) return
    const { revision, state, askedBy } = pendingPublish
    const withdraw = () =>
      this.#take(id, () => api.withdrawPublish(id, revision), `Nobody asks any more to publish “${name}”.`)
    if (state !== 'waiting') {
      // Nothing is lost that still counts.
      await withdraw().catch((error: Error) => this.context.notify(error.message))
      return
    }
    this.#confirm.value?.ask({
      title: `Withdraw the request for “${name}”`,
      text: html`<p>Nobody can approve any more what ${askedBy} asked to publish in <strong>${environment.name}</strong>. The draft stays.</p>`,
      button: 'Withdraw',
      run: withdraw,
    })
  }

  #reviewOf(draft: Draft, warnings: readonly MailWarning[]): TemplateResult {
    return html`<nc-publish-review
      ${ref(this.#review)}
      .context=${this.context}
      .campaign=${this.campaign}
      .draft=${draft}
      .sample=${this.sample}
      .warnings=${warnings}
      @go-to=${this.#onGoTo}
    ></nc-publish-review>`
  }

  /** The place is behind the dialog. */
  readonly #onGoTo = (event: GoTo): void => {
    event.stopPropagation()
    this.#confirm.value?.close()
    this.dispatchEvent(new GoTo(event.path, event.stepId))
  }

  async #publish(target: Draft, asked: { campaign: CampaignAnswer }, note: string): Promise<void> {
    const { api } = this.context
    if (this.#review.value?.hasErrors)
      throw new InvalidInput('The draft has errors. Mend them first: they are listed above.')
    const { id, draft } = asked.campaign
    await this.#take(id, async () => {
      if (!isSame(target, draft)) {
        asked.campaign = await api.putCampaign(id, target, asked.campaign.revision)
        this.dispatchEvent(new CampaignChanged(asked.campaign))
      }
      return api.publishCampaign(id, asked.campaign.revision, note)
    })
  }

  /** Changes the campaign. @param done What is said then; default: what became of its draft. */
  async #take(id: string, change: () => Promise<CampaignAnswer>, done?: string): Promise<void> {
    const changed = await change().catch(async (error: unknown) => {
      throw await this.#explain(error, id)
    })
    this.context.notify(done ?? publishedWords(changed))
    this.dispatchEvent(new CampaignChanged(changed))
  }

  /** After a conflict, the page shows the newer state behind the dialog. */
  async #explain(error: unknown, id: string): Promise<unknown> {
    if (!(error instanceof ApiFailure) || error.status !== 409) return error
    const conflict = findConflict(error)
    this.dispatchEvent(new CampaignChanged(await this.context.api.campaign(id)))
    const words = conflict === undefined ? error.message : `${whoChanged(conflict)} meanwhile.`
    return new ApiFailure(409, { message: `${words} Close this, and look at the draft as it is now.` })
  }

  override render(): TemplateResult {
    return html`<nc-confirm class="publish-dialog" ${ref(this.#confirm)}></nc-confirm>`
  }
}

customElements.define('nc-publish', NcPublish)
