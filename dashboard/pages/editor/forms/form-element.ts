// Base class of the forms: gives their fields what the page has given, and shows and focuses a field by its path.

import type { TemplateResult } from 'lit'
import type { Draft, Path } from '../../../editor/step-tree.ts'
import { LightElement } from '../../../lib/light-element.ts'
import { type Choices, type Fault, fieldId, type KnownPath, ShownFaults } from './form-context.ts'
import type { Form } from './form-field.ts'

export abstract class FormElement extends LightElement {
  static override properties = {
    draft: { attribute: false },
    mayChange: { type: Boolean },
    faultAt: { attribute: false },
    known: { attribute: false },
    choices: { attribute: false },
    change: { attribute: false },
  }

  declare draft: Draft
  declare mayChange: boolean
  declare faultAt: (path: Path) => Fault | undefined
  declare known: readonly KnownPath[]
  declare choices: Choices
  /** @param value undefined removes the key. */
  declare change: (path: Path, value: unknown, words: string) => void

  readonly #faults = new ShownFaults()

  constructor() {
    super()
    this.draft = {}
    this.mayChange = false
    this.faultAt = () => undefined
    this.known = []
    this.choices = {}
    this.change = () => {}
  }

  protected override willUpdate(): void {
    // Who may not change the fields cannot focus one, so that the form itself scrolls by keys.
    if (this.mayChange) this.removeAttribute('tabindex')
    else this.tabIndex = 0
    this.role = this.mayChange ? null : 'group'
    this.ariaLabel = this.mayChange ? null : 'Form, which you may read'
  }

  /** @param owner Whose fields they are, in words of changes. */
  protected form(owner: string): Form {
    const { draft, mayChange, faultAt, known, choices } = this
    return {
      owner,
      draft,
      mayChange,
      known,
      choices,
      faultAt: (path) => this.#faults.find({ draft, faultAt }, path),
      change: (path, value, words) => {
        if (this.mayChange) this.change(path, value, words)
      },
    }
  }

  /** Shows what hides a field, before it is focused. */
  protected prepareReveal(_path: Path): void {}

  /**
   * Focuses the field of a value, or the nearest one around it, and opens what hides it.
   *
   * @returns whether there is one
   */
  async reveal(path: Path): Promise<boolean> {
    await this.updateComplete
    this.prepareReveal(path)
    await this.#settle()
    for (let length = path.length; length > 0; length--) {
      const id = fieldId(path.slice(0, length))
      const field = this.querySelector<HTMLElement>(`#${CSS.escape(id)}, [data-field="${CSS.escape(id)}"]`)
      if (field === null) continue
      for (let at = field.closest('details'); at !== null; at = at.parentElement?.closest('details') ?? null)
        at.open = true
      const target = field.matches('[data-field]')
        ? (field.querySelector<HTMLElement>('input, select, textarea, button, [tabindex]') ?? field)
        : field
      target.focus()
      target.scrollIntoView({ block: 'nearest' })
      return true
    }
    return false
  }

  /** Waits until the elements inside have rendered, which some do after their parents. */
  async #settle(): Promise<void> {
    for (let depth = 0; depth < 4; depth++) {
      await this.updateComplete
      await Promise.all([...this.querySelectorAll<LightElement>('*')].map((element) => element.updateComplete))
    }
  }

  abstract override render(): TemplateResult
}
