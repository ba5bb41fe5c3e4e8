// Keeps this page up to date: the socket while it can be had, else asking for changes; gaps, sleep and losses heal here (contract section 5).

import type { AuthAnswer, InboxChanges } from '../../contract/api.ts'
import type { InboxFrame } from '../../contract/frames.ts'
import { LIMITS } from '../../contract/limits.ts'
import { askDelayMs, firstAskDelayMs, reconnectDelayMs } from '../lib/delays.ts'
import { failureOf, isOutOfReach } from '../lib/failure.ts'
import { openRealtime, type Realtime } from '../transport/realtime.ts'
import type { Session } from '../transport/session.ts'
import { toFrame } from './change-log.ts'
import { watchWaking } from './waking.ts'

export interface ConnectionDeps {
  session: Session
  /** Where this page stands. */
  position: () => { epoch: string; seq: number }
  /** True when something is missing before the frame. */
  onFrame: (frame: InboxFrame) => boolean
  /** The service was reached, or was not. */
  onReach: (isReached: boolean) => void
}

export interface Connection {
  start(realtime: AuthAnswer['realtime']): void
  /** The session was renewed: the socket is told. */
  renewed(): void
  /** Asks for what is new, now. */
  catchUp(): Promise<void>
  stop(): void
}

export function createConnection(deps: ConnectionDeps): Connection {
  const { session, position } = deps
  let where: AuthAnswer['realtime'] | undefined
  let socket: Realtime | undefined
  let isUp = false
  let attempt = 0
  /** One renewal per lost socket, never a loop of them. */
  let hasRenewed = false
  let stopped = false
  const timers: Partial<Record<'reconnect' | 'ask' | 'gap', ReturnType<typeof setTimeout>>> = {}

  const after = (name: keyof typeof timers, delayMs: number, act: () => void): void => {
    clearTimeout(timers[name])
    if (!stopped) timers[name] = setTimeout(act, delayMs)
  }

  const receive = (frame: InboxFrame): void => {
    if (stopped) return
    deps.onReach(true)
    const hadGap = timers.gap !== undefined
    if (!deps.onFrame(frame)) {
      clearTimeout(timers.gap)
      delete timers.gap
    } else if (!hadGap) {
      after('gap', LIMITS.gapHoldMs, () => {
        delete timers.gap
        void catchUp()
      })
    }
  }

  const ask = async (): Promise<void> => {
    const { epoch, seq } = position()
    const path = `/v1/inbox/changes?since=${seq}&epoch=${encodeURIComponent(epoch)}`
    try {
      receive(toFrame(seq, await session.call<InboxChanges>('GET', path)))
    } catch (error) {
      // A refusal is an answer too: the session says what it means.
      deps.onReach(!isOutOfReach(failureOf(error)))
    }
  }

  // Without a socket the changes are asked for, every 15–30 s.
  const keepAsking = async (): Promise<void> => {
    await ask()
    if (!isUp) after('ask', askDelayMs(), () => void keepAsking())
  }

  const catchUp = async (): Promise<void> => {
    if (!isUp || socket === undefined) return ask()
    const since = position().seq
    try {
      receive(toFrame(since, await socket.sync(since)))
    } catch {
      // A socket that does not answer is dead, whatever it says of itself.
      socket.close()
      down(undefined)
    }
  }

  const down = (code: string | undefined): void => {
    if (stopped) return
    isUp = false
    socket = undefined
    if (timers.ask === undefined || attempt === 0) after('ask', firstAskDelayMs(), () => void keepAsking())
    after('reconnect', reconnectDelayMs(attempt++), open)
    if (code === 'auth/invalid-session' && !hasRenewed) {
      hasRenewed = true
      void session.signIn('refused').catch(() => {})
    }
  }

  const open = (): void => {
    if (socket !== undefined || where === undefined || stopped) return
    clearTimeout(timers.reconnect)
    try {
      socket = openRealtime({
        ...where,
        auth: () => {
          const { epoch, seq } = position()
          return { token: session.token() ?? '', epoch, since: seq }
        },
        onUp: () => {
          isUp = true
          attempt = 0
          hasRenewed = false
          clearTimeout(timers.ask)
          delete timers.ask
          deps.onReach(true)
        },
        onDown: down,
        onFrame: receive,
        onExpiring: () => session.renewIfDue(),
      })
    } catch {
      down(undefined)
    }
  }

  // Back from sleep or with the network again: at once, without waiting out a delay.
  const wake = (): void => {
    if (where === undefined) return
    attempt = 0
    if (isUp) void catchUp()
    else {
      open()
      after('ask', 0, () => void keepAsking())
    }
  }
  const endWatch = watchWaking(wake)

  return {
    start: (realtime) => {
      where = realtime
      open()
    },
    renewed: () => {
      const token = session.token()
      if (!isUp || token === undefined) return open()
      socket?.renew(token).then(
        (answer) => {
          if (!answer.ok) wakeSocket()
        },
        () => wakeSocket(),
      )
    },
    catchUp,
    stop: () => {
      stopped = true
      endWatch()
      for (const timer of Object.values(timers)) clearTimeout(timer)
      socket?.close()
      socket = undefined
    },
  }

  function wakeSocket(): void {
    socket?.close()
    down(undefined)
  }
}
