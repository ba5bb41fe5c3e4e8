// Loads what the forms of the editor choose from: enrichers, configs with their categories, names of events, learned paths.

import type { ReactiveControllerHost } from 'lit'
import type { EnricherAnswer } from '../../../contract/resources/enricher.ts'
import type { ConfigAnswer } from '../../../contract/resources/notification-config.ts'
import type { Draft } from '../../editor/step-tree.ts'
import { Loader } from '../../lib/loader.ts'
import type { AppContext } from '../../shell/context.ts'
import type { Choices } from './forms/form-context.ts'
import type { LearnedPath } from './known-paths.ts'

const SHOWN_NAMES = 100

interface Lists {
  enrichers: readonly EnricherAnswer[]
  configs: readonly ConfigAnswer[]
  eventNames: readonly string[]
}

export class EditorLists {
  readonly #lists: Loader<Lists>
  readonly #learned: Loader<readonly LearnedPath[]>
  #eventName = ''

  constructor(host: ReactiveControllerHost) {
    this.#lists = new Loader(host)
    this.#learned = new Loader(host)
  }

  /** A list that is out of reach leaves plain fields. */
  load({ api, tenant }: AppContext): void {
    void this.#lists.load(async (signal) => {
      const [enrichers, configs, names] = await Promise.all([
        api.enrichers({ limit: 100 }, signal),
        tenant.allConfigs(signal),
        api.eventNames({ limit: SHOWN_NAMES }, signal),
      ])
      return { enrichers: enrichers.data, configs, eventNames: names.data.map(({ name }) => name) }
    })
  }

  /** Reads what is known of the event that starts the draft; the former one stays until then. */
  follow({ api }: AppContext, eventName: string): void {
    if (eventName === this.#eventName) return
    this.#eventName = eventName
    void this.#learned.load(async (signal) => (await api.eventProperties(eventName, signal)).paths)
  }

  get learned(): readonly LearnedPath[] {
    return this.#learned.state === 'ready' ? (this.#learned.value ?? []) : []
  }

  get enrichers(): readonly string[] {
    return this.#lists.value?.enrichers.map(({ name }) => name) ?? []
  }

  /** The categories and senders are those of the config that the draft names, or of the environment's. */
  choices({ environment }: AppContext, { notificationConfigId }: Draft): Choices {
    const { value } = this.#lists
    if (value === undefined) return {}
    const config = value.configs.find(({ id }) => id === (notificationConfigId ?? environment.notificationConfigId))
    return {
      enrichers: this.enrichers,
      eventNames: value.eventNames,
      configs: value.configs.map(({ id, name }) => ({ value: id, label: name })),
      ...(config !== undefined && {
        categories: config.categories.map(({ key, name }) => ({ value: key, label: name })),
        senders: (config.email.senders ?? []).map(({ address }) => address),
        locales: Object.keys(config.widget.texts),
      }),
    }
  }
}
