// <nc-condition-field>: a condition by clicks, or in CEL where clicks cannot say it. Only a click changes how it is written.

import { html, nothing, type TemplateResult } from 'lit'
import { readAt } from '../../../editor/step-tree.ts'
import { icon } from '../../../elements/icon.ts'
import { segments } from '../../../elements/segments.ts'
import { LightElement } from '../../../lib/light-element.ts'
import { codeInput } from './code-field.ts'
import { conditionRow } from './condition-row.ts'
import { clauseOf, emptyRow, printRows, type Row, type Rows, readRows } from './condition-rows.ts'
import { DraftValue } from './draft-value.ts'
import { textOf } from './form-context.ts'
import { edit, type FieldSpec, type Form, groupFrame, type Tied } from './form-field.ts'

export interface ConditionSpec extends FieldSpec {
  /** Said where there is no condition. */
  none: string
}

class NcConditionField extends LightElement {
  static override properties = { form: { attribute: false }, spec: { attribute: false } }

  declare form: Form
  declare spec: ConditionSpec
  /** Undefined: the condition is shown in CEL. */
  #rows: Rows | undefined
  /** Rows that were never complete: the condition does not wait for them. */
  #new = new WeakSet<Row>()
  readonly #source = new DraftValue<string>()
  #isChosen = false

  protected override willUpdate(): void {
    const source = textOf(readAt(this.form.draft, this.spec.path))
    if (!this.#source.isNew(source)) return
    const rows = readRows(source)
    if (rows === undefined || !this.#isChosen) this.#rows = rows
  }

  #write(source: string): void {
    if (!this.#source.edit(source)) return
    const { path, label, isRequired } = this.spec
    edit(this.form, path, source === '' && isRequired !== true ? undefined : source, label)
  }

  /** A row that is not complete any more keeps the condition as it was, so that it does not hold for more users meanwhile. */
  #editRows(rows: Rows): void {
    this.#rows = rows
    this.requestUpdate()
    if (rows.rows.every((row) => this.#new.has(row) || clauseOf(row) !== undefined)) this.#write(printRows(rows))
  }

  #editRow(at: number, row: Row): void {
    const { join, rows } = this.#rows ?? { join: 'all', rows: [] }
    const before = rows[at]
    if (before !== undefined && this.#new.has(before) && clauseOf(row) === undefined) this.#new.add(row)
    this.#editRows({ join, rows: rows.with(at, row) })
  }

  readonly #add = async (): Promise<void> => {
    const { join, rows } = this.#rows ?? { join: 'all', rows: [] }
    const row = emptyRow()
    this.#new.add(row)
    this.#editRows({ join, rows: [...rows, row] })
    await this.updateComplete
    const input = this.querySelector<HTMLElement>(`#${CSS.escape(this.#idOf(rows.length))}`)
    input?.focus()
    // Shows the properties.
    input?.click()
  }

  async #remove(at: number): Promise<void> {
    const { join, rows } = this.#rows ?? { join: 'all', rows: [] }
    this.#editRows({ join, rows: rows.toSpliced(at, 1) })
    await this.focusOn('.condition-add')
  }

  #idOf = (at: number): string => `${this.#tiedId}-row-${at}`
  #tiedId = ''

  readonly #toCel = (): void => {
    this.#rows = undefined
    this.#isChosen = true
    this.requestUpdate()
  }

  readonly #toClicks = (): void => {
    this.#isChosen = false
    this.#rows = readRows(this.#source.current ?? '')
    this.requestUpdate()
  }

  override render(): TemplateResult {
    return groupFrame(this.form, this.spec, (tied) => {
      this.#tiedId = tied.id
      return this.#rows === undefined ? this.#cel(tied) : this.#clicks(tied, this.#rows)
    })
  }

  #clicks(tied: Tied, { join, rows }: Rows): TemplateResult {
    const { form, spec } = this
    const choose = (next: Rows['join']) => this.#editRows({ join: next, rows })
    return html`${rows.length === 0 ? html`<p class="hint">${spec.none}</p>` : nothing}
      ${
        rows.length > 1
          ? segments(
              `Join: ${spec.label}`,
              [['all', 'All of these'] as const, ['any', 'Any of these'] as const],
              join,
              (next) => form.mayChange && choose(next),
            )
          : nothing
      }
      <div class="condition-rows">
        ${rows.map((row, at) =>
          conditionRow({
            row,
            id: this.#idOf(at),
            name: `${spec.label}, ${at + 1}`,
            known: form.known,
            mayChange: form.mayChange,
            isFaulty: tied.fault !== undefined,
            described: tied.fault === undefined ? undefined : `${tied.id}-fault`,
            isIncomplete: !this.#new.has(row) && clauseOf(row) === undefined,
            onChange: (next) => this.#editRow(at, next),
            onRemove: () => this.#remove(at),
          }),
        )}
      </div>
      <div class="form-links">
        ${
          form.mayChange
            ? html`<button type="button" id=${tied.id} class="link-button condition-add" @click=${this.#add}>${icon('plus')}${rows.length === 0 ? 'Add a condition' : 'Add'}</button>`
            : nothing
        }
        ${form.mayChange ? html`<button type="button" class="link-button" @click=${this.#toCel}>Write as CEL</button>` : nothing}
      </div>`
  }

  #cel(tied: Tied): TemplateResult {
    const source = this.#source.current ?? ''
    const mayClick = readRows(source) !== undefined
    return html`${codeInput(this.form, tied, {
      label: `${this.spec.label}, in CEL`,
      language: 'cel',
      text: source,
      rows: 3,
      onText: (text) => this.#write(text),
    })}
      <div class="form-links">
        ${
          mayClick && this.form.mayChange
            ? html`<button type="button" class="link-button" @click=${this.#toClicks}>Build by clicks</button>`
            : html`<p class="hint">More than clicks can say, so it stays as it is written.</p>`
        }
      </div>`
  }
}

customElements.define('nc-condition-field', NcConditionField)

export const conditionField = (form: Form, spec: ConditionSpec): TemplateResult =>
  html`<nc-condition-field .form=${form} .spec=${spec}></nc-condition-field>`
