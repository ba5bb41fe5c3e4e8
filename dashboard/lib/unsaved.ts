// Keeps which parts of a page have changes that are not saved: one bar saves or discards them all.

import type { ReactiveController, ReactiveControllerHost } from 'lit'

/** What became of a save; `asked`: a dialog asks first, and the part stays as it is. */
export type SaveOutcome = 'saved' | 'asked' | 'failed'

export interface PartSpec {
  title(): string
  /** Labels of what was changed; empty: nothing. */
  changes(): readonly string[]
  /** Never throws: the part shows why it failed. */
  save(): Promise<SaveOutcome>
  /** Shows again what is stored. */
  discard(): void
}

/** The parts of the shown page. Its `change` event: one of them was changed or saved. */
class Unsaved extends EventTarget {
  readonly #parts = new Set<UnsavedPart>()

  get changed(): UnsavedPart[] {
    return [...this.#parts].filter((part) => part.changes.length > 0)
  }

  add(part: UnsavedPart): void {
    this.#parts.add(part)
  }

  delete(part: UnsavedPart): void {
    if (this.#parts.delete(part)) this.report()
  }

  report(): void {
    this.dispatchEvent(new Event('change'))
  }
}

export const unsaved = new Unsaved()

/** Makes an element a part of its page that the bar saves. */
export class UnsavedPart implements ReactiveController {
  readonly element: HTMLElement
  readonly #spec: PartSpec
  changes: readonly string[] = []

  constructor(host: ReactiveControllerHost & HTMLElement, spec: PartSpec) {
    this.element = host
    this.#spec = spec
    host.addController(this)
  }

  get title(): string {
    return this.#spec.title()
  }

  hostConnected(): void {
    unsaved.add(this)
  }

  hostDisconnected(): void {
    this.changes = []
    unsaved.delete(this)
  }

  hostUpdated(): void {
    this.look()
  }

  /** Compares again. */
  look(): void {
    const changes = this.#spec.changes()
    const isSame = changes.join('\n') === this.changes.join('\n')
    this.changes = changes
    if (!isSame) unsaved.report()
  }

  save(): Promise<SaveOutcome> {
    return this.#spec.save()
  }

  discard(): void {
    this.#spec.discard()
    this.look()
  }
}
