// <nc-mail-preview>: the mails of a draft as the sending code renders them, with a sample event and user.

import { html, nothing, type TemplateResult } from 'lit'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import type { PreviewAnswer } from '../../../contract/resources/campaign-trial.ts'
import type { ComposedMail } from '../../../contract/resources/mail.ts'
import type { UserAnswer } from '../../../contract/resources/user.ts'
import { ApiFailure } from '../../api/client.ts'
import { choiceField, textField, textOf } from '../../elements/fields.ts'
import { FormCard } from '../../elements/form-card.ts'
import { icon } from '../../elements/icon.ts'
import '../../elements/mail-view.ts'
import { loadingView } from '../../elements/states.ts'
import type { AppContext } from '../../shell/context.ts'
import { parseProperties, type TestSample } from './campaign-actions.ts'
import { eventOf, stepsOfType } from './definition.ts'

type Mail = ComposedMail & { to: { name: string | null; address: string } | null }

/** Asks the page to send a test with the sample of the preview. */
export class SendTest extends Event {
  readonly sample: TestSample
  constructor(sample: TestSample) {
    super('send-test')
    this.sample = sample
  }
}

class NcMailPreview extends FormCard {
  static override properties = {
    context: { attribute: false },
    campaign: { attribute: false },
    sample: { state: true },
    mail: { state: true },
  }

  declare context: AppContext
  declare campaign: CampaignAnswer
  /** What the fields begin with; undefined until the newest event is read. */
  declare protected sample: TestSample | undefined
  declare protected mail: Mail | undefined

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
      await this.#preview(this.#steps[0] ?? '', sample)
    })
    this.sample ??= { userId: '', properties: '{}' }
  }

  get #steps(): string[] {
    return stepsOfType(this.campaign.draft, 'email')
  }

  override render(): TemplateResult {
    const { sample } = this
    if (sample === undefined) return html`<section class="card"><h2>Mail</h2>${loadingView(6)}</section>`
    const steps = this.#steps
    const hasEnrichers = stepsOfType(this.campaign.draft, 'enrich').length > 0
    const mayTest = this.context.may('editor')
    return this.card({
      title: 'Mail',
      name: 'mail-preview',
      text: html`The draft, rendered by the code that sends.${hasEnrichers ? ' Enrichers are not called: their data is empty.' : nothing}`,
      fields: html`<div class="mail-sample">
          ${
            steps.length < 2
              ? nothing
              : choiceField('mail-preview', {
                  name: 'stepId',
                  label: 'Step',
                  value: steps[0] ?? '',
                  choices: steps.map((id) => [id, id]),
                })
          }
          ${textField('mail-preview', { name: 'userId', label: 'User ID', value: sample.userId, placeholder: 'Nobody', hint: 'Gives name, address and language.' })}
          ${textField('mail-preview', { name: 'properties', label: 'Properties of the event, as JSON', value: sample.properties, rows: 6, isMono: true })}
        </div>`,
      button: 'Preview',
      mayChange: true,
      tools: mayTest
        ? html`<wa-button size="s" appearance="outlined" @click=${this.#sendTest}>${icon('send', 'start')}Send as a test mail</wa-button>`
        : nothing,
      result:
        this.mail === undefined ? nothing : html`<nc-mail-view class="mail-result" .mail=${this.mail}></nc-mail-view>`,
    })
  }

  protected override async submit(form: FormData): Promise<void> {
    const [first = ''] = this.#steps
    await this.#preview(textOf(form, 'stepId') || first, sampleOf(form))
  }

  async #preview(stepId: string, { userId, properties }: TestSample): Promise<void> {
    const event = { properties: parseProperties(properties), ...(userId !== '' && { userId }) }
    const user = userId === '' ? undefined : await this.#findUser(userId)
    const answer = await this.context.api.previewCampaign(this.campaign.id, { stepId, event, ...(user && { user }) })
    this.mail = toMail(answer)
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

customElements.define('nc-mail-preview', NcMailPreview)
