// <nc-step-form>: the form of one step, by its type. It changes nothing until a person does.

import { html, nothing, type TemplateResult } from 'lit'
import { keyed } from 'lit/directives/keyed.js'
import { live } from 'lit/directives/live.js'
import { type DraftStep, formatPath, type Path } from '../../../editor/step-tree.ts'
import { textOf } from './form-context.ts'
import { FormElement } from './form-element.ts'
import { edit, type Form, faultOnly, frame } from './form-field.ts'
import type { NcLocaleTabs } from './locale-tabs.ts'
import { unknownKeys } from './step-edits.ts'
import { BRANCH_FIELDS, branchForm } from './steps/branch-form.ts'
import { EMAIL_FIELDS, emailForm } from './steps/email-form.ts'
import { INBOX_FIELDS, inboxForm } from './steps/inbox-form.ts'
import { ENRICH_FIELDS, EXIT_FIELDS, enrichForm, exitForm } from './steps/plain-forms.ts'
import {
  DELAY_FIELDS,
  DIGEST_FIELDS,
  delayForm,
  digestForm,
  THROTTLE_FIELDS,
  throttleForm,
  WAIT_FOR_FIELDS,
  waitForForm,
} from './steps/timing-forms.ts'

interface TypeForm {
  fields: readonly string[]
  render(form: Form, path: Path): TemplateResult
}

const FORMS: Readonly<Record<string, TypeForm>> = {
  inbox: { fields: INBOX_FIELDS, render: inboxForm },
  email: { fields: EMAIL_FIELDS, render: emailForm },
  branch: { fields: BRANCH_FIELDS, render: branchForm },
  delay: { fields: DELAY_FIELDS, render: delayForm },
  enrich: { fields: ENRICH_FIELDS, render: enrichForm },
  waitFor: { fields: WAIT_FOR_FIELDS, render: waitForForm },
  exit: { fields: EXIT_FIELDS, render: exitForm },
  throttle: { fields: THROTTLE_FIELDS, render: throttleForm },
  digest: { fields: DIGEST_FIELDS, render: digestForm },
}

const formOf = (type: unknown): TypeForm | undefined =>
  typeof type === 'string' && Object.hasOwn(FORMS, type) ? FORMS[type] : undefined

class NcStepForm extends FormElement {
  static override properties = {
    ...FormElement.properties,
    step: { attribute: false },
    path: { attribute: false },
    rename: { attribute: false },
  }

  declare step: DraftStep
  declare path: Path
  declare rename: (path: Path, id: string) => void

  constructor() {
    super()
    this.step = {}
    this.path = []
    this.rename = () => {}
  }

  protected override prepareReveal(path: Path): void {
    const [key, tag] = path.slice(this.path.length)
    const tabs = this.querySelector<NcLocaleTabs>('nc-locale-tabs')
    if (tabs !== null) tabs.show(key === 'locales' && typeof tag === 'string' ? tag : null)
  }

  override render(): TemplateResult {
    const { step, path, mayChange } = this
    const form = this.form(`“${textOf(step.id) || textOf(step.type)}”`)
    const type = formOf(step.type)
    // Another step gets other elements: what was typed into one is never shown in the other.
    return html`${keyed(
      `${formatPath(path)} ${textOf(step.type)}`,
      html`<fieldset class="form-fields step-form" ?disabled=${!mayChange} aria-label="Step">
        ${faultOnly(form, path)} ${faultOnly(form, [...path, 'type'])}
        ${type === undefined ? html`<p class="hint">A step of this type is edited as JSON.</p>` : type.render(form, path)}
        ${type === undefined ? nothing : this.#unknown(form, type)} ${this.#idField(form)}
      </fieldset>`,
    )}`
  }

  #idField(form: Form): TemplateResult {
    const { path, step } = this
    const input = ({ target }: Event) => this.mayChange && this.rename(path, (target as HTMLInputElement).value)
    return frame(
      form,
      {
        path: [...path, 'id'],
        label: 'Name in history',
        hint: 'Unique in the campaign. What names this step follows.',
      },
      ({ id, described, fault }) =>
        html`<input id=${id} class="input mono short-input" type="text" .value=${live(textOf(step.id))} aria-describedby=${described ?? nothing} aria-invalid=${fault === undefined ? nothing : 'true'} autocomplete="off" autocapitalize="none" spellcheck="false" @change=${input} />`,
    )
  }

  /** Keys that the form does not know stay as they are, until a person removes them. */
  #unknown(form: Form, { fields }: TypeForm): unknown {
    return unknownKeys(this.step, ['id', 'type', ...fields]).map((key) => {
      const own = [...this.path, key]
      return html`<div class="form-unknown">
        <p>Also has <code>${key}</code>, which this form does not show.</p>
        ${faultOnly(form, own)}
        ${this.mayChange ? html`<button type="button" class="link-button" @click=${() => edit(form, own, undefined, key)}>Remove</button>` : nothing}
      </div>`
    })
  }
}

customElements.define('nc-step-form', NcStepForm)
