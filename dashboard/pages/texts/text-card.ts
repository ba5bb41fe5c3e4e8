// <nc-text-card>: the text of a translation file or of a snippet, to change it.

import { html, type TemplateResult } from 'lit'
import { textField } from '../../elements/fields.ts'
import { FormCard } from '../../elements/form-card.ts'

const ROWS = 20

class NcTextCard extends FormCard {
  static override properties = {
    heading: { attribute: false },
    label: { attribute: false },
    hint: { attribute: false },
    text: { attribute: false },
    mayChange: { attribute: false },
    save: { attribute: false },
  }

  declare heading: string
  declare label: string
  declare hint: unknown
  declare text: string
  declare mayChange: boolean
  /** Stores the text. */
  declare save: (text: string) => Promise<void>

  override render(): TemplateResult {
    const { heading, label, hint, text, mayChange } = this
    const fields = textField('text', { name: 'text', label, value: text, rows: ROWS, isMono: true, hint })
    return this.card({ title: heading, name: 'text', fields: html`${fields}`, mayChange })
  }

  protected override async submit(form: FormData): Promise<void> {
    // Not trimmed: a snippet may begin or end with a space.
    await this.save(String(form.get('text') ?? ''))
  }
}

customElements.define('nc-text-card', NcTextCard)
