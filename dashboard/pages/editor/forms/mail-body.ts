// <nc-mail-body>: the body of a mail, in Markdown or in HTML.

import { html, type TemplateResult } from 'lit'
import { type Path, readAt } from '../../../editor/step-tree.ts'
import { segments } from '../../../elements/segments.ts'
import { LightElement } from '../../../lib/light-element.ts'
import { codeInput } from './code-field.ts'
import { textOf } from './form-context.ts'
import { edit, type Form, frame } from './form-field.ts'
import { recordOf, replaceKeys } from './step-edits.ts'

type Format = 'markdown' | 'html'
const FORMATS = [
  ['markdown', 'Markdown'],
  ['html', 'HTML'],
] as const

class NcMailBody extends LightElement {
  static override properties = {
    form: { attribute: false },
    path: { attribute: false },
    step: { attribute: false },
    chosen: { state: true },
  }

  declare form: Form
  /** Of the parts: the step itself, or one of its locales. */
  declare path: Path
  declare step: Path
  /** For a body that is not written yet. */
  declare protected chosen: Format | undefined

  #formatsOf(path: Path): Format[] {
    const parts = recordOf(readAt(this.form.draft, path))
    return FORMATS.map(([format]) => format).filter((format) => parts[format] !== undefined && parts[format] !== null)
  }

  #choose(next: Format): void {
    const { form, path } = this
    const [format] = this.#formatsOf(path)
    this.chosen = next
    if (format === undefined || format === next) return
    const parts = recordOf(readAt(form.draft, path))
    form.change(
      path,
      replaceKeys(
        parts,
        FORMATS.map(([one]) => one),
        next,
        parts[format],
      ),
      `Format of the body of ${form.owner}`,
    )
  }

  override render(): TemplateResult {
    const { path, step, chosen } = this
    const written = this.#formatsOf(path)
    const current = written[0] ?? chosen ?? this.#formatsOf(step)[0] ?? 'markdown'
    const tools = segments('Format of the body', FORMATS, current, (next) => this.form.mayChange && this.#choose(next))
    if (written.length < 2) return this.#body(current, written[0], tools)
    return html`${written.map((format, at) => this.#body(format, format, at === 0 ? tools : undefined))}`
  }

  /** @param written The format that the body has; the API reports a body that is missing at `html`. */
  #body(format: Format, written: Format | undefined, tools: unknown): TemplateResult {
    const { form, path } = this
    const own = [...path, format]
    const shown: Form =
      written === undefined ? { ...form, faultAt: () => form.faultAt(own) ?? form.faultAt([...path, 'html']) } : form
    const label = tools === undefined ? `Body in ${format}` : 'Body'
    const hint =
      format === 'html'
        ? undefined
        : 'A line that begins with # is a heading; **bold**, [link](https://…), and - for lists.'
    return frame(shown, { path: own, label, hint, tools }, (tied) =>
      codeInput(form, tied, {
        label,
        language: format,
        text: textOf(readAt(form.draft, own)),
        rows: format === 'html' ? 10 : 7,
        onText: (text) => edit(form, own, text === '' ? undefined : text, 'Body'),
      }),
    )
  }
}

customElements.define('nc-mail-body', NcMailBody)
