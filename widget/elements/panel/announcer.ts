// Announces arrivals and actions in a live region: all arrivals within a second in one sentence.

import type { InboxMessage } from '../../../contract/api.ts'
import type { PanelHost } from './panel-types.ts'

/** Arrivals wait so long for others, to be announced with them. */
const GATHER_MS = 1000

export class Announcer {
  readonly #host: Pick<PanelHost, 'i18n' | 'shadow'>
  #count = 0

  constructor(host: Pick<PanelHost, 'i18n' | 'shadow'>) {
    this.#host = host
  }

  /** By hand and not by a template: the same sentence, set again, is announced again. */
  announce(sentence: string): void {
    const region = this.#host.shadow.querySelector('.live')
    if (region) region.textContent = sentence
  }

  arrived(messages: readonly InboxMessage[]): void {
    if (this.#count === 0) setTimeout(() => this.#announceArrivals(messages), GATHER_MS)
    this.#count += messages.length
  }

  #announceArrivals([first]: readonly InboxMessage[]): void {
    const { t } = this.#host.i18n
    const [key, count, title] = [this.#count > 1 ? 'arrived' : 'arrivedOne', this.#count, first?.title ?? '']
    this.#count = 0
    this.announce(t(key, { count, title }))
  }
}
