// <nc-draft-preview>: the messages of a draft as the sending code renders them, with a sample event and user.

import { html, nothing, type TemplateResult } from 'lit'
import type { MessageContent } from '../../../contract/api.ts'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import type { PreviewAnswer } from '../../../contract/resources/campaign-trial.ts'
import type { ComposedMail } from '../../../contract/resources/mail.ts'
import type { UserAnswer } from '../../../contract/resources/user.ts'
import { ApiFailure } from '../../api/client.ts'
import { choiceField, textField, textOf } from '../../elements/fields.ts'
import { FormCard } from '../../elements/form-card.ts'
import { icon } from '../../elements/icon.ts'
import '../../elements/mail-view.ts'
import type { PreviewedDelivery } from '../../elements/message-preview.ts'
import { loadingView } from '../../elements/states.ts'
import { allSteps, type FlowStep, readFlow } from '../../flow/tree.ts'
import { kindOf, sends, stepWords } from '../../flow/words.ts'
import type { AppContext } from '../../shell/context.ts'
import { parseProperties, type TestSample } from './campaign-actions.ts'
import { eventOf, stepsOfType } from './definition.ts'

type Mail = ComposedMail & { to: { name: string | null; address: string } | null }

/** What the chosen step sends; of the inbox with the doubts about its data. */
type Shown = { mail: Mail } | { content: MessageContent; doubts: string[] }

/** Asks the page to send a test with the sample of the preview. */
export class SendTest extends Event {
  readonly sample: TestSample
  constructor(sample: TestSample) {
    super('send-test')
    this.sample = sample
  }
}

class NcDraftPreview extends FormCard {
  static override properties = {
    context: { attribute: false },
    campaign: { attribute: false },
    sample: { state: true },
    shown: { state: true },
  }

  declare context: AppContext
  declare campaign: CampaignAnswer
  /** What the fields begin with; undefined until the newest event is read. */
  declare protected sample: TestSample | undefined
  declare protected shown: Shown | undefined

  #rendered = ''

  protected override updated(): void {
    const draft = JSON.stringify(this.campaign.draft)
    if (this.#rendered === draft) return
    this.#rendered = draft
    void this.#begin()
  }

  /** Previews with the newest event of the campaign's name, which templates are most likely written for. */
  async #begin(): Promise<void> {
    await this.attempt.run(async () => {
      const { api } = this.context
      const { data } = await api.events({ name: eventOf(this.campaign.draft), limit: 1 })
      const [newest] = data
      const sample = {
        userId: newest?.userId ?? '',
        properties: JSON.stringify(newest?.properties ?? {}, null, 2),
      }
      this.sample = sample
      await this.#preview(this.#first, sample)
    })
    this.sample ??= { userId: '', properties: '{}' }
  }

  get #steps(): FlowStep[] {
    return allSteps(readFlow(this.campaign.draft).steps).filter(sends)
  }

  /** The step of the address, else the first mail, whose look is hardest to foresee. */
  get #first(): string {
    const steps = this.#steps
    const asked = this.context.query.get('step')
    const first = steps.find(({ id }) => id === asked) ?? steps.find(({ type }) => type === 'email') ?? steps[0]
    return first?.id ?? ''
  }

  override render(): TemplateResult {
    const { sample } = this
    if (sample === undefined) return html`<section class="card"><h2>Messages</h2>${loadingView(6)}</section>`
    const hasEnrichers = stepsOfType(this.campaign.draft, 'enrich').length > 0
    return this.card({
      title: 'Messages',
      name: 'draft-preview',
      text: html`The draft, rendered by the code that sends.${hasEnrichers ? ' Enrichers are not called: their data is empty.' : nothing}`,
      fields: this.#fields(sample),
      button: 'Preview',
      mayChange: true,
      tools: this.context.may('editor')
        ? html`<wa-button size="s" appearance="outlined" @click=${this.#sendTest}>${icon('send', 'start')}Send as a test</wa-button>`
        : nothing,
      result: shownView(this.shown),
    })
  }

  #fields({ userId, properties }: TestSample): TemplateResult {
    const steps = this.#steps
    return html`<div class="mail-sample">
      ${
        steps.length < 2
          ? nothing
          : choiceField('draft-preview', {
              name: 'stepId',
              label: 'Step',
              value: this.#first,
              choices: steps.map((step) => [step.id, `${kindOf(step)[1]}: ${stepWords(step)}`]),
            })
      }
      ${textField('draft-preview', { name: 'userId', label: 'User ID', value: userId, placeholder: 'Nobody', hint: 'Gives name, address and language.' })}
      ${textField('draft-preview', { name: 'properties', label: 'Properties of the event, as JSON', value: properties, rows: 6, isMono: true })}
    </div>`
  }

  protected override async submit(form: FormData): Promise<void> {
    await this.#preview(textOf(form, 'stepId') || this.#first, sampleOf(form))
  }

  async #preview(stepId: string, { userId, properties }: TestSample): Promise<void> {
    const event = { properties: parseProperties(properties), ...(userId !== '' && { userId }) }
    const user = userId === '' ? undefined : await this.#findUser(userId)
    const answer = await this.context.api.previewCampaign(this.campaign.id, { stepId, event, ...(user && { user }) })
    if (answer.email !== undefined) {
      this.shown = { mail: toMail(answer) }
      return
    }
    await import('../../elements/message-preview.ts')
    this.shown = { content: answer, doubts: (answer.doubts ?? []).map(({ message }) => message) }
  }

  /** A user who is not known yet has no profile. */
  async #findUser(id: string) {
    try {
      const { userId, email, name, locale, attributes } = await this.context.api.user(id)
      return { id: userId, email, name, locale, attributes } satisfies Partial<UserAnswer> & { id: string }
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 404) return { id }
      throw error
    }
  }

  readonly #sendTest = (): void => {
    const form = this.querySelector('form')
    if (form !== null) this.dispatchEvent(new SendTest(sampleOf(new FormData(form))))
  }
}

const sampleOf = (form: FormData): TestSample => ({
  userId: textOf(form, 'userId'),
  properties: textOf(form, 'properties'),
})

/** The answer of an email step has all parts of a mail. */
function toMail(answer: PreviewAnswer): Mail {
  const { subject = '', preheader = null, html: content = '', text = '', from, email } = answer
  const { htmlBytes = 0, doubts = [] } = answer
  const ofData = doubts.map(({ message }) => ({ path: '', line: null, message }))
  const warnings = [...(answer.warnings ?? []), ...ofData]
  const sender = from ?? { name: null, address: '' }
  return { subject, preheader, html: content, text, from: sender, htmlBytes, warnings, to: email?.to ?? null }
}

function shownView(shown: Shown | undefined): TemplateResult | typeof nothing {
  if (shown === undefined) return nothing
  if ('mail' in shown) return html`<nc-mail-view class="mail-result" .mail=${shown.mail}></nc-mail-view>`
  return html`<div class="mail-result">
    ${shown.doubts.map((doubt) => html`<p class="hint">${doubt}</p>`)}
    <nc-message-preview .delivery=${unseen()} .content=${shown.content}></nc-message-preview>
  </div>`
}

/** The times of a message that has just come. */
const unseen = (): PreviewedDelivery => ({
  messageId: 'preview',
  createdAt: new Date().toISOString(),
  expiresAt: null,
  readAt: null,
  openedAt: null,
  clickedAt: null,
})

customElements.define('nc-draft-preview', NcDraftPreview)
