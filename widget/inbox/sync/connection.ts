// Keeps this page up to date: by the leading tab, which has the socket while it can be had, else asks for changes; gaps, sleep and losses heal here.

import type { AuthAnswer, InboxChanges } from '../../../contract/api.ts'
import type { InboxFrame } from '../../../contract/frames.ts'
import { INBOX_LIMITS } from '../../../contract/limits.ts'
import { askDelayMs, firstAskDelayMs, parkedAskDelayMs } from '../../lib/delays.ts'
import { type Failure, failureOf, isOutOfReach } from '../../lib/failure.ts'
import { createTimers } from '../../lib/timers.ts'
import type { Session } from '../../transport/session.ts'
import { type ChangeLog, toFrame } from '../change-log.ts'
import type { BrowserApis } from '../core-types.ts'
import type { PageState } from '../page-lifecycle.ts'
import { createIdle } from './idle.ts'
import { createSocket } from './socket.ts'
import type { TabMessage } from './tab-message.ts'
import { createTabs } from './tabs.ts'

export interface ConnectionDeps {
  session: Session
  /** The same for all tabs that share a connection. */
  name: string
  browser: BrowserApis
  /** Where this page stands. */
  log: () => ChangeLog
  /** True when something is missing before the frame. */
  onFrame: (frame: InboxFrame) => boolean
  /** The service was reached, or was not: `failure` is the reason, where this tab has seen it. */
  onReach: (isReached: boolean, failure?: Failure) => void
  /** The socket is up. */
  onLive: () => void
  /** To a page that begins; `isLive`: its socket is up. */
  answerJoin: (proof: string, isLive: boolean) => TabMessage
  /** Any other message of another tab. */
  onMessage: (message: TabMessage) => void
  /** This tab leads now. */
  onLead: () => void
  /** The socket needs a session. */
  signIn: () => void
  /** False where arrivals are told to somebody who does not see the page. */
  mayPark: () => boolean
}

export interface Connection {
  /** There is a session, or a new one: the socket is opened with it, or shown it. */
  start(realtime: AuthAnswer['realtime']): void
  /** Asks for what is new, now. */
  catchUp(): Promise<void>
  /** The service stands at `seq`: asks when no frame tells. */
  expect(seq: number): void
  /** A call failed: what the service says next, here or to the tab that leads, tells whether it is there. */
  probe(delayMs: number): void
  /** What became of the page. */
  page(state: PageState): void
  isLeading(): boolean
  publish(message: TabMessage): void
  stop(): void
}

/** A socket that seems to be there after a sleep shows it soon, or is opened anew. */
const WAKE_ANSWER_MS = 700
/** Time of a tab to send the delivery events that it noted: it may be gone, and then the leader sends them. */
const LEFT_MS = 5_000

export function createConnection(deps: ConnectionDeps): Connection {
  const { session, browser, log } = deps
  let endpoint: AuthAnswer['realtime'] | undefined
  let isReached = true
  let stopped = false
  const { after, cancel, isSet } = createTimers<'ask' | 'gap' | 'expect' | 'send' | 'probe'>(() => stopped)

  /** To the other tabs; without a frame, where this one stands. */
  const publishFrame = (frame = log().frameSince(log().seq)): void => {
    if (tabs.isLeading()) tabs.publish({ kind: 'frame', frame, isLongHidden: idle.isLongHidden(), isReached })
  }
  const setReached = (isNow: boolean, failure?: Failure): void => {
    const hasChanged = isReached !== isNow
    isReached = isNow
    if (hasChanged) publishFrame()
    deps.onReach(isNow, failure)
  }
  const take = (frame: InboxFrame): void => {
    if (!deps.onFrame(frame)) cancel('gap')
    else if (!isSet('gap')) after('gap', INBOX_LIMITS.gapHoldMs, catchUp)
  }
  /** From the service. */
  const onFrame = (frame: InboxFrame): void => {
    if (stopped) return
    setReached(true)
    publishFrame(frame)
    take(frame)
  }

  const ask = async (): Promise<void> => {
    const { epoch, seq } = log()
    const path = `/v1/inbox/changes?since=${seq}&epoch=${encodeURIComponent(epoch)}`
    try {
      const answer = await session.call<InboxChanges>('GET', path)
      // An answer to where this page no longer stands says nothing of where it is.
      if (answer.reset && (log().epoch !== epoch || log().seq !== seq)) return ask()
      onFrame(toFrame(seq, answer))
    } catch (error) {
      // A refusal is an answer too: the session says what it means.
      const failure = failureOf(error)
      if (!stopped) setReached(!isOutOfReach(failure), failure)
    }
  }
  // Without a socket the changes are asked for, every 15–30 s.
  const keepAsking = async (): Promise<void> => {
    await ask()
    if (!tabs.isLeading() || socket.isUp()) return
    // Its part may not have come.
    void socket.open()
    askIn(idle.isParked() ? parkedAskDelayMs() : askDelayMs())
  }
  const askIn = (delayMs: number): void => after('ask', delayMs, keepAsking)

  const catchUp = async (answerMs?: number): Promise<void> => {
    if (!socket.isUp()) return ask()
    const since = log().seq
    const answer = await socket.sync(since, answerMs)
    if (answer !== undefined) onFrame(toFrame(since, answer))
  }

  const socket = createSocket({
    session,
    loadRealtime: browser.loadRealtime,
    endpoint: () => (stopped || idle.isParked() || !tabs.isLeading() ? undefined : endpoint),
    position: log,
    onUp: () => {
      cancel('ask')
      setReached(true)
      deps.onLive()
    },
    signIn: deps.signIn,
    onDown: () => {
      if (!isSet('ask')) askIn(firstAskDelayMs())
    },
    onFrame,
  })
  const idle = createIdle({
    mayPark: deps.mayPark,
    onLongHidden: () => publishFrame(),
    onPark: () => {
      socket.close()
      if (tabs.isLeading()) askIn(parkedAskDelayMs())
    },
  })

  const onLead = (isLeading: boolean): void => {
    cancel('ask')
    socket.close()
    if (!isLeading) return
    // The others hear that there is a leader again.
    publishFrame()
    void socket.open()
    if (idle.isParked()) askIn(parkedAskDelayMs())
    deps.onLead()
  }
  const onMessage = (message: TabMessage): void => {
    if (stopped) return
    if (message.kind === 'frame') receiveFrame(message.frame, message.isReached)
    else if (message.kind === 'join') {
      if (tabs.isLeading()) tabs.publish(deps.answerJoin(message.proof, socket.isUp()))
    } else if (message.kind !== 'ask') {
      deps.onMessage(message)
      if (tabs.isLeading()) after('send', LEFT_MS, deps.onLead)
    } else if (tabs.isLeading()) {
      publishFrame(log().frameSince(message.since))
      void catchUp(WAKE_ANSWER_MS)
    }
  }
  const tabs = createTabs({ name: deps.name, browser, onLead, onMessage, onSilence: ask })

  /** Another tab's frame carries this one forward, never back and never into another epoch: that the service must say. */
  const receiveFrame = (frame: InboxFrame, isThere: boolean): void => {
    // Who leads hears the service itself.
    if (tabs.isLeading()) return
    deps.onReach(isThere)
    if (frame.reset === true || frame.epoch !== log().epoch) void ask()
    else take(frame)
  }

  // Back from sleep or with the network again: at once, without waiting out a delay.
  const wake = (): void => {
    // A device that wakes, or has its network again, need not have anybody who looks at this page.
    if (browser.isVisible()) idle.end()
    if (endpoint === undefined) return
    if (!tabs.isLeading()) tabs.ask(log().seq)
    else if (socket.isUp()) void catchUp(WAKE_ANSWER_MS)
    else {
      // An attempt that began without a network would be waited for, and so would its delay.
      socket.reopen()
      askIn(0)
    }
  }

  return {
    start: (realtime) => {
      const isFirst = !endpoint
      endpoint = realtime
      socket.onSession()
      if (!isFirst) return
      tabs.join()
      tabs.ask(log().seq)
    },
    catchUp,
    expect: (seq) => {
      if (log().seq < seq) after('expect', INBOX_LIMITS.gapHoldMs, () => log().seq < seq && void catchUp())
    },
    probe: (delayMs) => after('probe', delayMs, () => (tabs.isLeading() ? void catchUp() : tabs.ask(log().seq))),
    page: (state) => {
      if (state === 'leave') tabs.leave()
      else if (state === 'hide') idle.hide()
      else {
        if (state === 'back' && endpoint !== undefined) tabs.join()
        wake()
      }
    },
    isLeading: tabs.isLeading,
    publish: tabs.publish,
    stop: () => {
      stopped = true
      idle.end()
      cancel('ask', 'gap', 'expect', 'send', 'probe')
      tabs.leave()
      socket.close()
    },
  }
}
