// The categories of an inbox, as tabs: which there are, and what people call them.

import type { InboxMessage, InboxPreferences } from '../../../contract/api.ts'
import type { ListName } from '../../inbox/core-types.ts'
import { withoutTurns } from '../../lib/without-turns.ts'
import type { PanelHost } from './panel-types.ts'

export interface Category {
  tab: ListName
  name: string
}

export interface Categories {
  /** Those of the messages so far, by name; none when there is only one. `current` is always among them. */
  of(messages: readonly InboxMessage[], current: ListName): Category[]
  /** Another user. */
  forget(): void
}

/** More would hide the other tabs. */
const MOST = 12
const PREFIX = 'category:'

/** Names are asked for once there are several; until then, and without an answer, the key stands for them. */
export function createCategories(host: PanelHost, update: () => void): Categories {
  /** A tab that went with its last message would take the place of the next one under the finger. */
  const seen = new Set<string>()
  let names: Map<string, string> | undefined

  const askNames = async (): Promise<void> => {
    names = new Map()
    const answer = await host
      .controller()
      ?.core?.call<InboxPreferences>('GET', '/v1/inbox/preferences')
      .catch(() => undefined)
    names = new Map(answer?.categories.map(({ key, name }) => [key, name]))
    update()
  }
  return {
    of: (messages, current) => {
      for (const { category } of messages) if (category !== null && seen.size < MOST) seen.add(category)
      if (current.startsWith(PREFIX)) seen.add(current.slice(PREFIX.length))
      if (seen.size < 2) return []
      // A panel that is drawn ahead asks for nothing.
      if (names === undefined && (host.element.open || host.element.mode === 'inline')) void askNames()
      return [...seen]
        .map((key): Category => ({ tab: `category:${key}`, name: readable(key, names?.get(key)) }))
        .sort((a, b) => a.name.localeCompare(b.name))
    },
    forget: () => {
      seen.clear()
      names = undefined
    },
  }
}

/** The name that somebody gave it; of a key that nobody named, its words. */
export function readable(key: string, name: string | undefined): string {
  if (name !== undefined && name !== key) return withoutTurns(name)
  const words =
    withoutTurns(key)
      .replace(/[-_.]+/g, ' ')
      .trim() || key
  return words.charAt(0).toLocaleUpperCase() + words.slice(1)
}
