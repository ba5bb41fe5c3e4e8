// Tells what others changed in the draft from an own edit, which comes back with the next draft.

export class DraftValue<T> {
  #given: T | undefined
  #own: T | undefined
  #isFirst = true

  /** The value as it was edited last, or as the draft has it. */
  get current(): T | undefined {
    return this.#own
  }

  /**
   * Call it with the value of the draft in each update: an update of the element may come before its edit has reached the draft.
   * @returns whether it is a value that the element does not show
   */
  isNew(value: T): boolean {
    const isKnown = !this.#isFirst && (value === this.#given || value === this.#own)
    this.#isFirst = false
    this.#given = value
    if (!isKnown) this.#own = value
    return !isKnown
  }

  /** Keeps an own edit. @returns whether it changes something */
  edit(value: T): boolean {
    const changes = value !== this.#own
    this.#own = value
    return changes
  }
}
