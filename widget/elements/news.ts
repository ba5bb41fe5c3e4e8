// What is said of arrivals to who does not see them: all that comes within a second in one sentence.

import type { InboxMessage } from '../../contract/api.ts'
import type { Voice } from './voice.ts'

/** Arrivals wait so long for others, to be said with them. */
const NEWS_MS = 1000

/** Call it with what arrived; `live` says what is written into it. */
export function createNews(live: HTMLElement, voice: Voice): (messages: InboxMessage[]) => void {
  let count = 0
  return (messages) => {
    if (count === 0) {
      setTimeout(() => {
        const { title } = messages[0] as InboxMessage
        live.textContent = voice.say(count > 1 ? 'arrived' : 'arrivedOne', { count, title })
        count = 0
      }, NEWS_MS)
    }
    count += messages.length
  }
}
