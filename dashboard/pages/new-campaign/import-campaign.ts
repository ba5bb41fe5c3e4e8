// <nc-import-campaign>: a new campaign from a definition in JSON, pasted or of a file; faults have their paths.

import { html, type TemplateResult } from 'lit'
import { textField, textOf } from '../../elements/fields.ts'
import { FormCard } from '../../elements/form-card.ts'
import { icon } from '../../elements/icon.ts'
import { InvalidInput } from '../../lib/invalid-input.ts'
import type { AppContext } from '../../shell/context.ts'
import { createDraft, type Draft, goToDraft } from './create-campaign.ts'
import { definitionOf } from './definition-text.ts'
import './name-and-key.ts'

/** Bodies of campaigns have at most 4 MiB. */
const MAX_BYTES = 4 * 1024 * 1024

class NcImportCampaign extends FormCard {
  static override properties = {
    context: { attribute: false },
    text: { state: true },
    suggested: { state: true },
  }

  declare context: AppContext
  declare protected text: string
  declare protected suggested: { name: string; key?: string } | undefined

  constructor() {
    super()
    this.text = ''
    this.suggested = undefined
  }

  protected override async submit(form: FormData): Promise<void> {
    const definition = definitionOf(textOf(form, 'definition'))
    goToDraft(
      this.context,
      await createDraft(this.context, { ...definition, name: textOf(form, 'name'), key: textOf(form, 'key') }),
    )
  }

  override render(): TemplateResult {
    return this.card({
      title: 'Import JSON',
      name: 'import',
      text: html`A definition as <code>POST /v1/campaigns</code> takes it, or a campaign as <code>GET</code> answers it.`,
      fields: html`${textField('import', {
        name: 'definition',
        label: 'Definition',
        value: this.text,
        rows: 14,
        required: true,
        isMono: true,
        placeholder: '{ "key": "order-shipped", "trigger": { "event": "order.shipped" }, "steps": [ … ] }',
        onInput: (text) => this.#take(text),
      })}
        <label class="file-button">
          ${icon('upload')} <span>Choose a file</span>
          <input type="file" accept=".json,application/json" aria-label="File with the definition" @change=${this.#onFile} />
        </label>
        <nc-name-and-key scope="import" .context=${this.context} .suggested=${this.suggested}></nc-name-and-key>`,
      button: 'Create the draft',
      mayChange: true,
    })
  }

  /** Proposes name and key of the definition as soon as it is one. */
  #take(text: string): void {
    this.text = text
    let found: Draft
    try {
      found = definitionOf(text)
    } catch {
      return
    }
    const { name, key } = found
    const [asName, asKey] = [typeof name === 'string' ? name : '', typeof key === 'string' ? key : '']
    const next = { name: asName || asKey, ...(asKey !== '' && { key: asKey }) }
    if (JSON.stringify(next) !== JSON.stringify(this.suggested)) this.suggested = next
  }

  readonly #onFile = async ({ target }: Event): Promise<void> => {
    const input = target as HTMLInputElement
    const file = input.files?.[0]
    if (file === undefined) return
    await this.attempt.run(async () => {
      if (file.size > MAX_BYTES) throw new InvalidInput('The file has more than 4 MiB.')
      this.#take(await file.text())
      // Says what is wrong with it at once.
      definitionOf(this.text)
    })
    // The same file can be chosen again after it was mended.
    input.value = ''
  }
}

customElements.define('nc-import-campaign', NcImportCampaign)
