// Keeps the states of a draft for undo and redo, without a limit: states share what did not change between them.

import type { Draft } from './step-tree.ts'

/** Edits of one field within this time are undone together (ms). */
const TYPING_MS = 1000

interface State {
  draft: Draft
  /** What the edit did, in words; of the first state nothing. */
  words: string
  /** Edits with the same name are typing in one field. */
  field: string | undefined
  at: number
}

export class EditHistory {
  #past: State[]
  #future: State[] = []

  constructor(draft: Draft) {
    this.#past = [{ draft, words: '', field: undefined, at: 0 }]
  }

  get draft(): Draft {
    return this.#last.draft
  }

  /** What undo would take back, in words; undefined where there is nothing. */
  get undoable(): string | undefined {
    return this.#past.length > 1 ? this.#last.words : undefined
  }

  get redoable(): string | undefined {
    return this.#future.at(-1)?.words
  }

  /** @param field the field that is being typed in; edits of another kind have none. @param at epoch ms */
  edit(draft: Draft, words: string, { field, at }: { field?: string; at: number }): void {
    if (draft === this.draft) return
    const { field: before, at: editedAt } = this.#last
    const isTyping = field !== undefined && field === before && at - editedAt < TYPING_MS && this.#past.length > 1
    if (isTyping) this.#past.pop()
    this.#past.push({ draft, words, field, at })
    this.#future = []
  }

  undo(): boolean {
    if (this.#past.length < 2) return false
    this.#future.push(this.#past.pop() as State)
    return true
  }

  redo(): boolean {
    const next = this.#future.pop()
    if (next === undefined) return false
    // An edit after it is one of its own.
    this.#past.push({ ...next, field: undefined })
    return true
  }

  /** Replaces each state, such as by one with what others have changed. */
  rebase(change: (draft: Draft) => Draft): void {
    const rebased = (state: State): State => ({ ...state, draft: change(state.draft), field: undefined })
    this.#past = this.#past.map(rebased)
    this.#future = this.#future.map(rebased)
  }

  get #last(): State {
    return this.#past.at(-1) as State
  }
}
