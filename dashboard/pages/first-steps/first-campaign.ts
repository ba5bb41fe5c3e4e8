// <nc-first-campaign>: publishes a campaign of the gallery in one press: those whose message comes at once.

import { html, type TemplateResult } from 'lit'
import type { GalleryCampaign } from '../../../contract/gallery/gallery-campaign.ts'
import { faultView } from '../../elements/states.ts'
import { Attempt } from '../../lib/attempt.ts'
import { LightElement } from '../../lib/light-element.ts'
import { publishRightOf } from '../../lib/publish-right.ts'
import type { AppContext } from '../../shell/context.ts'
import { createDraft, findFreeKey } from '../new-campaign/create-campaign.ts'
import { stepWordsOf } from '../new-campaign/step-words.ts'

class NcFirstCampaign extends LightElement {
  static override properties = {
    context: { attribute: false },
    choices: { attribute: false },
    chosen: { attribute: false },
  }

  declare context: AppContext
  declare choices: readonly GalleryCampaign[]
  declare chosen: GalleryCampaign
  readonly #attempt = new Attempt(this)

  override render(): TemplateResult {
    const choose = ({ target }: Event) => {
      const key = (target as HTMLInputElement).value
      this.dispatchEvent(
        new CustomEvent('choose', { detail: this.choices.find(({ definition }) => definition.key === key) }),
      )
    }
    return html`<fieldset class="choices first-campaigns">
        <legend class="sr">Campaign of the gallery</legend>
        ${this.choices.map(
          (one) => html`<label class="choice">
            <input type="radio" name="first-campaign" value=${one.definition.key} .checked=${one === this.chosen} @change=${choose} />
            <span>${one.definition.name}<span class="row-note">${one.text}</span><span class="row-note">${stepWordsOf({ ...one.definition }).join(' → ')}</span></span>
          </label>`,
        )}
      </fieldset>
      ${faultView(this.#attempt.error)}
      <div class="card-foot">
        <wa-button size="s" variant="brand" ?loading=${this.#attempt.isBusy} @click=${this.#publish}>${publishRightOf(this.context) === 'ask' ? 'Create and ask to publish' : 'Create and publish'}</wa-button>
        <a class="link" href=${this.context.link('new-campaign')}>See all ten, or begin another way</a>
      </div>`
  }

  readonly #publish = async (): Promise<void> => {
    const { context } = this
    const { definition } = this.chosen
    await this.#attempt.run(async () => {
      const key = await findFreeKey(context, definition.key)
      const id = await createDraft(context, { ...definition, key })
      const { revision } = await context.api.campaign(id)
      const { pendingPublish } = await context.api.publishCampaign(id, revision, '')
      if (pendingPublish !== undefined) {
        context.notify(`“${definition.name}” waits for the approval of another person.`)
        return context.router.go(context.link('campaign', id))
      }
      context.notify(`“${definition.name}” is published.`)
      this.dispatchEvent(new Event('published'))
    })
  }
}

customElements.define('nc-first-campaign', NcFirstCampaign)
