// Collects the categories of an inbox for its tabs, with the names that people gave them.

import type { InboxMessage, InboxPreferences } from '../../../contract/api.ts'
import type { ListName } from '../../inbox/core-types.ts'
import { withoutTurns } from '../../lib/plain-text.ts'
import type { Category, PanelView } from './panel-types.ts'

/** More would hide the other tabs. */
const MOST = 12
const PREFIX = 'category:'

export class Categories {
  readonly #panel: PanelView
  /** A tab that went with its last message would take the place of the next one under the finger. */
  readonly #seen = new Set<string>()
  #names: Map<string, string> | undefined

  constructor(panel: PanelView) {
    this.#panel = panel
  }

  /** @returns the categories of the messages so far, by name; none when there is only one. `current` is always among them */
  of(messages: readonly InboxMessage[], current: ListName): Category[] {
    for (const { category } of messages) if (category !== null && this.#seen.size < MOST) this.#seen.add(category)
    if (current.startsWith(PREFIX)) this.#seen.add(current.slice(PREFIX.length))
    if (this.#seen.size < 2) return []
    // A closed panel asks for nothing.
    if (this.#names === undefined && this.#panel.isShown) void this.#loadNames()
    return [...this.#seen]
      .map((key): Category => ({ tab: `category:${key}`, name: readable(key, this.#names?.get(key)) }))
      .sort((a, b) => a.name.localeCompare(b.name))
  }

  /** Another user. */
  forget(): void {
    this.#seen.clear()
    this.#names = undefined
  }

  /** Until names have come, and without an answer, the key stands for them. */
  async #loadNames(): Promise<void> {
    this.#names = new Map()
    const answer = await this.#panel.core?.call<InboxPreferences>('GET', '/v1/inbox/preferences').catch(() => undefined)
    this.#names = new Map(answer?.categories.map(({ key, name }) => [key, name]))
    this.#panel.requestUpdate()
  }
}

/** The name that somebody gave it; of a key that nobody named, its words. */
export function readable(key: string, name?: string): string {
  if (name !== undefined && name !== key) return withoutTurns(name)
  const words =
    withoutTurns(key)
      .replace(/[-_.]+/g, ' ')
      .trim() || key
  return words.charAt(0).toLocaleUpperCase() + words.slice(1)
}
