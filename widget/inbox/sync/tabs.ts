// One of all tabs of this browser and user leads: it has the socket and publishes frames to the others.

import type { BrowserApis } from '../core-types.ts'
import type { Channel } from './broadcast.ts'
import type { TabMessage } from './tab-message.ts'

export interface Tabs {
  /** Competes for the lead from now on. */
  join(): void
  isLeading(): boolean
  publish(message: TabMessage): void
  /** Asks the leader for what came after. A leader that is silent, or hidden for long, loses its place to a tab that is seen. */
  ask(since: number): void
  /** Gives the lead away and receives nothing more, until `join`. */
  leave(): void
}

export interface TabsDeps {
  /** The same for all tabs that are one. */
  name: string
  browser: Pick<BrowserApis, 'locks' | 'openChannel' | 'isVisible'>
  onLead: (isLeading: boolean) => void
  onMessage: (message: TabMessage) => void
  /** No leader answers, and this tab is not seen: it asks the service itself. */
  onSilence: () => void
}

const ANSWER_MS = 500
/** The service states where it stands every 25 s, and the leader passes it on: after this there is none. */
const SILENT_MS = 40_000

export function createTabs({ name, browser, onLead, onMessage, onSilence }: TabsDeps): Tabs {
  let channel: Channel | undefined
  let isLeading = false
  let endWaiting: AbortController | undefined
  let giveUp = (): void => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastSince = 0

  const lead = (isLeader: boolean): void => {
    if (isLeading === isLeader) return
    isLeading = isLeader
    if (isLeader) clearTimeout(timer)
    onLead(isLeader)
  }

  /** Waits for the lead, or takes it; again when it was taken away. */
  const compete = async (steals: boolean): Promise<void> => {
    endWaiting?.abort()
    const waiting = new AbortController()
    endWaiting = waiting
    const isOver = (): boolean => waiting.signal.aborted
    try {
      await browser.locks.request(name, { steals, signal: waiting.signal }, async () => {
        if (isOver()) return
        const given = new Promise<void>((resolve) => {
          giveUp = resolve
        })
        lead(true)
        await given
      })
    } catch {
      // Taken by a tab that is seen, or no longer wanted.
    }
    if (isOver()) return
    lead(false)
    listenOn(SILENT_MS)
    await compete(false)
  }

  const listenOn = (delayMs: number): void => {
    clearTimeout(timer)
    if (channel && !isLeading) timer = setTimeout(() => whenSilent(delayMs === ANSWER_MS), delayMs)
  }
  const whenSilent = (wasAsked: boolean): void => {
    if (!browser.isVisible()) {
      onSilence()
      listenOn(SILENT_MS)
    } else if (wasAsked) void compete(true)
    else ask(lastSince)
  }

  const publish = (message: TabMessage): void => channel?.postMessage(message)
  const ask = (since: number): void => {
    lastSince = since
    if (isLeading || !channel) return
    publish({ kind: 'ask', since })
    listenOn(ANSWER_MS)
  }

  return {
    publish,
    ask,
    isLeading: () => isLeading,
    join: () => {
      if (channel) return
      channel = browser.openChannel(name, (received) => {
        const message = received as TabMessage
        if (message.kind === 'frame') {
          if (message.isLongHidden && !isLeading && browser.isVisible()) void compete(true)
          else listenOn(SILENT_MS)
        }
        onMessage(message)
      })
      void compete(false)
    },
    leave: () => {
      endWaiting?.abort()
      endWaiting = undefined
      clearTimeout(timer)
      channel?.close()
      channel = undefined
      lead(false)
      giveUp()
    },
  }
}
