// Keeps this page up to date: by the leading tab, which has the socket while it can be had, else asks for changes; gaps, sleep and losses heal here.

import type { AuthAnswer, InboxChanges } from '../../../contract/api.ts'
import type { InboxFrame } from '../../../contract/frames.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { askDelayMs, firstAskDelayMs, parkedAskDelayMs } from '../../lib/delays.ts'
import { type Failure, failureOf, isOutOfReach } from '../../lib/failure.ts'
import { createTimers } from '../../lib/timers.ts'
import type { Session } from '../../transport/session.ts'
import { type ChangeLog, toFrame } from '../change-log.ts'
import type { Surroundings } from '../surroundings.ts'
import type { PageWord } from '../waking.ts'
import { createRest } from './rest.ts'
import { createSocket } from './socket.ts'
import type { TabWord } from './tab-word.ts'
import { createTabs } from './tabs.ts'

export interface ConnectionDeps {
  session: Session
  /** The same for all tabs that share a connection. */
  name: string
  around: Surroundings
  /** Where this page stands. */
  log: () => ChangeLog
  /** True when something is missing before the frame. */
  onFrame: (frame: InboxFrame) => boolean
  /** The service was reached, or was not: `failure` is the reason, where this tab has seen it. */
  onReach: (isReached: boolean, failure?: Failure) => void
  /** The socket is up. */
  onLive: () => void
  /** To a page that begins; `isLive`: this one hears the service by its socket. */
  greet: (proof: string, isLive: boolean) => TabWord
  /** Any other word of another tab. */
  onWord: (word: TabWord) => void
  /** This tab speaks for all now. */
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
  look(delayMs: number): void
  /** What became of the page. */
  page(word: PageWord): void
  isLeading(): boolean
  say(word: TabWord): void
  stop(): void
}

/** A socket that seems to be there after a sleep shows it soon, or is opened anew. */
const WAKE_ANSWER_MS = 700
/** So long has a tab to send what it said that it noted: it may be gone since, and then this one sends it. */
const LEFT_MS = 5_000

export function createConnection(deps: ConnectionDeps): Connection {
  const { session, around, log } = deps
  let endpoint: AuthAnswer['realtime'] | undefined
  let isReached = true
  let stopped = false
  const { after, calm, isSet } = createTimers<'ask' | 'gap' | 'expect' | 'send' | 'look'>(() => stopped)

  /** To the other tabs; without a frame, where this one stands. */
  const tell = (frame = log().frameSince(log().seq)): void => {
    if (tabs.isLeading()) tabs.say({ says: 'frame', frame, isTired: rest.isTired(), isReached })
  }
  const reach = (isSo: boolean, failure?: Failure): void => {
    const isNews = isReached !== isSo
    isReached = isSo
    if (isNews) tell()
    deps.onReach(isSo, failure)
  }
  const take = (frame: InboxFrame): void => {
    if (!deps.onFrame(frame)) calm('gap')
    else if (!isSet('gap')) after('gap', LIMITS.gapHoldMs, catchUp)
  }
  /** From the service. */
  const onFrame = (frame: InboxFrame): void => {
    if (stopped) return
    reach(true)
    tell(frame)
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
      if (!stopped) reach(!isOutOfReach(failure), failure)
    }
  }
  // Without a socket the changes are asked for, every 15–30 s.
  const keepAsking = async (): Promise<void> => {
    await ask()
    if (!tabs.isLeading() || socket.isUp()) return
    // Its part may not have come.
    void socket.open()
    askIn(rest.isParked() ? parkedAskDelayMs() : askDelayMs())
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
    loadRealtime: around.loadRealtime,
    endpoint: () => (stopped || rest.isParked() || !tabs.isLeading() ? undefined : endpoint),
    position: log,
    onUp: () => {
      calm('ask')
      reach(true)
      deps.onLive()
    },
    signIn: deps.signIn,
    onDown: () => {
      if (!isSet('ask')) askIn(firstAskDelayMs())
    },
    onFrame,
  })
  const rest = createRest({
    mayPark: deps.mayPark,
    onTired: () => tell(),
    onPark: () => {
      socket.close()
      if (tabs.isLeading()) askIn(parkedAskDelayMs())
    },
  })

  const onLead = (isLeading: boolean): void => {
    calm('ask')
    socket.close()
    if (!isLeading) return
    // The others hear that there is a leader again.
    tell()
    void socket.open()
    if (rest.isParked()) askIn(parkedAskDelayMs())
    deps.onLead()
  }
  const onWord = (word: TabWord): void => {
    if (stopped) return
    if (word.says === 'frame') hearFrame(word.frame, word.isReached)
    else if (word.says === 'hello') {
      if (tabs.isLeading()) tabs.say(deps.greet(word.proof, socket.isUp()))
    } else if (word.says !== 'ask') {
      deps.onWord(word)
      if (tabs.isLeading()) after('send', LEFT_MS, deps.onLead)
    } else if (tabs.isLeading()) {
      tell(log().frameSince(word.since))
      void catchUp(WAKE_ANSWER_MS)
    }
  }
  const tabs = createTabs({ name: deps.name, around, onLead, onWord, onSilence: ask })

  /** Another tab's word carries this one forward, never back and never into another epoch: that the service must say. */
  const hearFrame = (frame: InboxFrame, isThere: boolean): void => {
    deps.onReach(isThere)
    if (frame.reset === true || frame.epoch !== log().epoch) void ask()
    else take(frame)
  }

  // Back from sleep or with the network again: at once, without waiting out a delay.
  const wake = (): void => {
    // A device that wakes, or has its network again, need not have anybody who looks at this page.
    if (around.isVisible()) rest.end()
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
      if (log().seq < seq) after('expect', LIMITS.gapHoldMs, () => log().seq < seq && void catchUp())
    },
    look: (delayMs) => after('look', delayMs, () => (tabs.isLeading() ? void catchUp() : tabs.ask(log().seq))),
    page: (word) => {
      if (word === 'leave') tabs.leave()
      else if (word === 'hide') rest.hide()
      else {
        if (word === 'back' && endpoint !== undefined) tabs.join()
        wake()
      }
    },
    isLeading: tabs.isLeading,
    say: tabs.say,
    stop: () => {
      stopped = true
      rest.end()
      calm('ask', 'gap', 'expect', 'send', 'look')
      tabs.leave()
      socket.close()
    },
  }
}
