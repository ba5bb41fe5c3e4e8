// What a user wants to hear, by category and channel, as shown while a change of it is on its way.

import type { InboxPreferences } from '../../../../contract/api.ts'
import type { Call } from '../../../transport/api.ts'

type Category = InboxPreferences['categories'][number]
export type QuietHours = InboxPreferences['quietHours']

/** What is not named stays: two tabs that change different things do not undo each other. */
export interface PreferencesChange {
  categories?: Pick<Category, 'key' | 'channels'>[]
  quietHours?: QuietHours
}

export interface PreferencesDeps {
  /** Undefined while signed out. */
  call: () => Call | undefined
  onChange: () => void
  onRefused: () => void
}

export interface Preferences {
  /** With the changes that wait for the service; undefined until it has answered. */
  readonly shown: InboxPreferences | undefined
  readonly hasFailed: boolean
  read(): Promise<void>
  /** Shown at once; put back when it is refused. */
  change(change: PreferencesChange): void
}

const PATH = '/v1/inbox/preferences'

export function createPreferences({ call, onChange, onRefused }: PreferencesDeps): Preferences {
  let known: InboxPreferences | undefined
  let waiting: PreferencesChange[] = []
  let hasFailed = false
  let last: Promise<void> = Promise.resolve()

  const ask = async (method: string, body?: PreferencesChange): Promise<void> => {
    const answer = await call()?.<InboxPreferences>(method, PATH, body && { body })
    known = answer ?? known
  }
  const send = async (change: PreferencesChange): Promise<void> => {
    try {
      await ask('PUT', change)
    } catch {
      onRefused()
    }
    waiting = waiting.filter((other) => other !== change)
    onChange()
  }
  return {
    get shown() {
      return known && waiting.reduce(withChange, known)
    },
    get hasFailed() {
      return hasFailed
    },
    read: async () => {
      hasFailed = false
      onChange()
      await ask('GET').catch(() => {
        hasFailed = known === undefined
      })
      onChange()
    },
    change: (change) => {
      waiting.push(change)
      onChange()
      // One after the other: the last wish of a user is the last that the service hears.
      last = last.then(() => send(change))
    },
  }
}

function withChange(before: InboxPreferences, { categories = [], quietHours }: PreferencesChange): InboxPreferences {
  const channelsOf = (category: Category) => categories.find(({ key }) => key === category.key)?.channels
  return {
    categories: before.categories.map((one) => ({ ...one, channels: { ...one.channels, ...channelsOf(one) } })),
    quietHours: quietHours === undefined ? before.quietHours : quietHours,
  }
}
