// Declares what the text area and the editor of code have in common.

import { LitElement } from 'lit'
import type { KnownPath } from '../form-context.ts'
import type { CodeLanguage } from './languages.ts'

/** A fault at a place of the text. */
export interface CodeMark {
  from: number
  /** Default: the character at `from`. */
  to?: number
  message: string
}

export abstract class CodeElement extends LitElement {
  static override properties = {
    label: {},
    language: {},
    text: {},
    rows: { type: Number },
    isInvalid: { type: Boolean },
    mayChange: { type: Boolean },
    // A page renders often, and its faults are the same objects seldom.
    marks: {
      attribute: false,
      hasChanged: (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other),
    },
    known: { attribute: false },
    onText: { attribute: false },
  }

  declare label: string
  declare language: CodeLanguage
  declare text: string
  declare rows: number
  declare isInvalid: boolean
  declare mayChange: boolean
  declare marks: readonly CodeMark[]
  declare known: readonly KnownPath[]
  declare onText: (text: string) => void

  constructor() {
    super()
    this.text = ''
    this.rows = 4
    this.marks = []
    this.known = []
    this.mayChange = true
  }
}
