// Reads and changes the preferences of a user; a change is shown at once and put back when it is refused.

import type { InboxPreferences } from '../../../../contract/api.ts'
import { type Failure, failureOf } from '../../../lib/failure.ts'
import type { Call } from '../../../transport/api.ts'

type Category = InboxPreferences['categories'][number]
export type QuietHours = InboxPreferences['quietHours']

/** What is not named stays: two tabs that change different things do not undo each other. */
export interface PreferencesChange {
  categories?: Pick<Category, 'key' | 'channels'>[]
  quietHours?: QuietHours
}

export interface PreferencesOptions {
  /** Undefined while signed out. */
  call: () => Call | undefined
  onChange: () => void
  onRefused: (failure: Failure) => void
}

const PATH = '/v1/inbox/preferences'

export class Preferences {
  readonly #options: PreferencesOptions
  #known: InboxPreferences | undefined
  #waiting: PreferencesChange[] = []
  #last: Promise<void> = Promise.resolve()
  /** They could not be read, and none are known. */
  hasFailed = false

  constructor(options: PreferencesOptions) {
    this.#options = options
  }

  /** With the changes that wait for the service; undefined until it has answered. */
  get shown(): InboxPreferences | undefined {
    return this.#known && this.#waiting.reduce(withChange, this.#known)
  }

  async read(): Promise<void> {
    this.hasFailed = false
    this.#options.onChange()
    await this.#ask('GET').catch(() => {
      this.hasFailed = this.#known === undefined
    })
    this.#options.onChange()
  }

  change(change: PreferencesChange): void {
    this.#waiting.push(change)
    this.#options.onChange()
    // One after the other: the last wish of a user is the last that the service receives.
    this.#last = this.#last.then(() => this.#send(change))
  }

  async #ask(method: string, body?: PreferencesChange): Promise<void> {
    const answer = await this.#options.call()?.<InboxPreferences>(method, PATH, body && { body })
    this.#known = answer ?? this.#known
  }

  async #send(change: PreferencesChange): Promise<void> {
    try {
      await this.#ask('PUT', change)
    } catch (error) {
      this.#options.onRefused(failureOf(error))
    }
    this.#waiting = this.#waiting.filter((other) => other !== change)
    this.#options.onChange()
  }
}

function withChange(before: InboxPreferences, { categories = [], quietHours }: PreferencesChange): InboxPreferences {
  const channelsOf = (category: Category) => categories.find(({ key }) => key === category.key)?.channels
  return {
    categories: before.categories.map((one) => ({ ...one, channels: { ...one.channels, ...channelsOf(one) } })),
    quietHours: quietHours === undefined ? before.quietHours : quietHours,
  }
}
