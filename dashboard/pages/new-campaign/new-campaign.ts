// <nc-new-campaign>: begins a campaign from the gallery, from blank, as a copy of another one, or from JSON.

import { html, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import { pageHead } from '../../elements/bits.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import { textOf } from '../../elements/fields.ts'
import { emptyView, failureView } from '../../elements/states.ts'
import { AppPage } from '../../shell/page-element.ts'
import './blank-campaign.ts'
import { createDraft, type Draft, goToDraft } from './create-campaign.ts'
import './duplicate-campaign.ts'
import type { DuplicateCampaign } from './duplicate-campaign.ts'
import './gallery-cards.ts'
import type { ChooseCampaign } from './gallery-cards.ts'
import './import-campaign.ts'
import './name-and-key.ts'

const WAYS = [
  ['gallery', 'Gallery'],
  ['blank', 'From blank'],
  ['duplicate', 'Duplicate'],
  ['import', 'Import JSON'],
] as const
type Way = (typeof WAYS)[number][0]

class NcNewCampaign extends AppPage {
  static override properties = { ...AppPage.properties, failure: { state: true } }

  /** Why the campaign to copy, which the address names, could not be read. */
  declare protected failure: unknown
  readonly #confirm = createRef<NcConfirm>()

  /** In the address, so that a link leads to each. */
  get #way(): Way {
    return WAYS.find(([way]) => way === this.context.query.get('from'))?.[0] ?? 'gallery'
  }

  protected override firstUpdated(): void {
    const id = this.context.query.get('campaign')
    if (this.#way === 'duplicate' && id !== null && this.context.may('editor')) void this.#copyOf(id)
  }

  async #copyOf(id: string): Promise<void> {
    try {
      const { name, draft } = await this.context.api.campaign(id)
      this.#duplicate(name, draft)
    } catch (error) {
      this.failure = error
    }
  }

  override render(): TemplateResult {
    const { link, may } = this.context
    return html`<div class="page">
      <nav class="crumbs" aria-label="Breadcrumb"><a class="link" href=${link('campaigns')}>Campaigns</a></nav>
      ${pageHead('New campaign', 'A draft, which sends nothing until you publish it.')}
      ${may('editor') ? this.#content() : noRole()}
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
    </div>`
  }

  #content(): TemplateResult {
    const { link } = this.context
    return html`<nav class="pills" aria-label="Ways to begin">
        ${WAYS.map(([way, words]) => html`<a class="pill" href=${link('new-campaign', '', way === 'gallery' ? {} : { from: way })} aria-current=${way === this.#way}>${words}</a>`)}
      </nav>
      ${this.failure === undefined ? '' : failureView(this.failure)} ${this.#beginning()}`
  }

  #beginning(): TemplateResult {
    const { context } = this
    switch (this.#way) {
      case 'blank':
        return html`<nc-blank-campaign class="new-form" .context=${context}></nc-blank-campaign>`
      case 'import':
        return html`<nc-import-campaign class="new-form" .context=${context}></nc-import-campaign>`
      case 'duplicate':
        return html`<nc-duplicate-campaign .context=${context} @duplicate-campaign=${({ campaign }: DuplicateCampaign) => this.#duplicate(campaign.name, campaign.draft)}></nc-duplicate-campaign>`
      default:
        return html`<nc-gallery-cards @choose-campaign=${this.#onChoose}></nc-gallery-cards>`
    }
  }

  readonly #onChoose = ({ campaign: { definition, text } }: ChooseCampaign): void => {
    const about = html`<p>${text}</p>
      <p>It starts with the event <code>${definition.trigger.event}</code>.</p>`
    this.#ask(`New from “${definition.name}”`, about, { ...definition }, definition)
  }

  #duplicate(name: string, draft: Draft): void {
    const text = html`<p>The new draft has the steps of “${name}” as they are now.</p>`
    this.#ask(`Duplicate “${name}”`, text, draft, { name: `Copy of ${name}` })
  }

  #ask(title: string, text: TemplateResult, draft: Draft, suggested: { name: string; key?: string }): void {
    const { context } = this
    let id = ''
    this.#confirm.value?.ask({
      title,
      text,
      fields: html`<nc-name-and-key takes-focus .context=${context} .suggested=${suggested}></nc-name-and-key>`,
      button: 'Create the draft',
      async run(form) {
        id = await createDraft(context, { ...draft, name: textOf(form, 'name'), key: textOf(form, 'key') })
      },
      afterwards: () => goToDraft(context, id),
    })
  }
}

const noRole = (): TemplateResult =>
  emptyView({
    icon: 'ban',
    title: 'Not for your role',
    text: 'Editors make campaigns. An admin can change your role.',
  })

customElements.define('nc-new-campaign', NcNewCampaign)
