// <nc-campaign-form>: what a campaign is called, what starts it, and how its messages are treated.

import { html, nothing, type TemplateResult } from 'lit'
import { conditionField } from './condition-field.ts'
import { durationField } from './duration-field.ts'
import { textOf } from './form-context.ts'
import { FormElement } from './form-element.ts'
import { edit, type Form, faultOnly, frame, isGiven, more, selectField, textField } from './form-field.ts'
import { unknownKeys } from './step-edits.ts'

const FIELDS = ['key', 'name', 'trigger', 'category', 'notificationConfigId', 'maxLateness', 'steps']
const RARE = ['notificationConfigId', 'maxLateness']
const DEFAULT_LATENESS = 'PT24H'

class NcCampaignForm extends FormElement {
  static override properties = { ...FormElement.properties, isCreated: { type: Boolean } }

  /** The key of a campaign that the server has stays as it is. */
  declare isCreated: boolean

  override render(): TemplateResult {
    const form = this.form('the campaign')
    const { draft, mayChange, choices } = this
    const { categories, configs, eventNames } = choices
    const category = { path: ['category'], label: 'Category', hint: 'Users switch categories on and off.' }
    const config = { path: ['notificationConfigId'], label: 'Notification config' }
    const rare = RARE.filter((key) => key !== 'maxLateness' || draft.maxLateness !== DEFAULT_LATENESS)
    return html`<fieldset class="form-fields campaign-form" ?disabled=${!mayChange} aria-label="Campaign">
      ${faultOnly(form, [])} ${faultOnly(form, ['trigger'])} ${faultOnly(form, ['steps'])}
      ${textField(form, { path: ['name'], label: 'Name', maxLength: 200 })} ${this.#key(form)}
      ${textField(form, { path: ['trigger', 'event'], label: 'Starts with the event', isRequired: true, isMono: true, ...(eventNames && { list: eventNames }) })}
      ${conditionField(form, { path: ['trigger', 'where'], label: 'Only if', none: 'Each such event starts it.' })}
      ${
        categories === undefined
          ? textField(form, category)
          : selectField(form, {
              ...category,
              choices: [['', 'None'], ...categories.map(({ value, label }) => [value, label] as const)],
            })
      }
      ${more(
        isGiven(form, [], rare),
        html`${
          configs === undefined
            ? textField(form, { ...config, isMono: true })
            : selectField(form, {
                ...config,
                choices: [
                  ['', 'That of the environment'],
                  ...configs.map(({ value, label }) => [value, label] as const),
                ],
              })
        }
        ${durationField(form, { path: ['maxLateness'], label: 'Starts at most so late', placeholder: '24', hint: 'An event that arrives later starts nothing. Empty: 24 hours.' })}`,
      )}
      ${unknownKeys(draft, FIELDS).map((key) => this.#unknown(form, key))}
    </fieldset>`
  }

  #key(form: Form): TemplateResult {
    const spec = { path: ['key'], label: 'Key', isMono: true, isRequired: true }
    if (!this.isCreated)
      return textField(form, { ...spec, hint: 'For programs. It stays as it is once the campaign is saved.' })
    return frame(
      form,
      spec,
      ({ id, described }) =>
        html`<input id=${id} class="input mono" type="text" readonly .value=${textOf(this.draft.key)} aria-describedby=${described ?? nothing} />`,
    )
  }

  #unknown(form: Form, key: string): TemplateResult {
    return html`<div class="form-unknown">
      <p>Also has <code>${key}</code>, which this form does not show.</p>
      ${faultOnly(form, [key])}
      ${this.mayChange ? html`<button type="button" class="link-button" @click=${() => edit(form, [key], undefined, key)}>Remove</button>` : nothing}
    </div>`
  }
}

customElements.define('nc-campaign-form', NcCampaignForm)
