// The leading tab's socket: opened, lost, tried again, shown the new session.

import type { AuthAnswer, InboxChanges } from '../../../contract/api.ts'
import type { InboxFrame } from '../../../contract/frames.ts'
import { reconnectDelayMs } from '../../lib/delays.ts'
import type { OpenRealtime, Realtime } from '../../transport/realtime.ts'
import type { Session } from '../../transport/session.ts'

export interface SocketLine {
  isUp(): boolean
  /** Unless it is there already. */
  open(): void
  /** Until it is opened again. */
  close(): void
  /** Undefined when no answer came: then it is lost, and with a limit of one's own tried again at once. */
  sync(since: number, answerMs?: number): Promise<InboxChanges | undefined>
  /** Opens it, or shows the new session to the one that is there. */
  renewed(): void
  /** The next attempt is the first one again. */
  calm(): void
}

export interface SocketLineDeps {
  session: Session
  openRealtime: OpenRealtime
  /** Where it leads; undefined while it is not to be opened. */
  where: () => AuthAnswer['realtime'] | undefined
  position: () => { epoch: string; seq: number }
  onUp: () => void
  /** There is no session yet; `renewed` follows. */
  signIn: () => void
  /** `isFirst`: it was there until now. */
  onLost: (isFirst: boolean) => void
  onFrame: (frame: InboxFrame) => void
  onRetry?: ((delayMs: number) => void) | undefined
}

export function createSocketLine({ session, openRealtime, where, position, ...told }: SocketLineDeps): SocketLine {
  let socket: Realtime | undefined
  let isUp = false
  let attempt = 0
  /** One renewal per lost socket, never a loop of them. */
  let hasRenewed = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const close = (): void => {
    clearTimeout(timer)
    socket?.close()
    socket = undefined
    isUp = false
  }
  const onDown = (code?: string): void => {
    close()
    if (where() === undefined) return
    told.onLost(attempt === 0)
    const delayMs = reconnectDelayMs(attempt++)
    timer = setTimeout(open, delayMs)
    told.onRetry?.(delayMs)
    if (code === 'auth/invalid-session' && !hasRenewed) {
      hasRenewed = true
      void session.signIn('refused').catch(() => {})
    }
  }
  const onUp = (): void => {
    isUp = true
    attempt = 0
    hasRenewed = false
    told.onUp()
  }
  const auth = () => {
    const { epoch, seq } = position()
    return { token: session.token() ?? '', epoch, since: seq }
  }
  const onExpiring = (): void => session.renewIfDue()

  function open(): void {
    const target = where()
    if (socket || !target) return
    clearTimeout(timer)
    try {
      if (session.token() === undefined) told.signIn()
      else socket = openRealtime({ ...target, auth, onUp, onDown, onFrame: told.onFrame, onExpiring })
    } catch {
      onDown()
    }
  }
  /** Asks, and takes a socket that does not answer for dead, whatever it says of itself. */
  const ask = async <T>(put: (to: Realtime) => Promise<T>, answerMs?: number): Promise<T | undefined> => {
    const asked = socket
    if (asked === undefined) return undefined
    try {
      return await put(asked)
    } catch {
      if (asked !== socket) return undefined
      onDown()
      if (answerMs) open()
    }
    return undefined
  }

  return {
    isUp: () => isUp,
    open,
    close,
    calm: () => {
      attempt = 0
    },
    sync: (since, answerMs) => ask((to) => to.sync(since, answerMs), answerMs),
    renewed: () => {
      open()
      const show = async (to: Realtime): Promise<void> => {
        if (!(await to.renew(session.token() ?? '')).ok) throw new Error('refused')
      }
      if (isUp) void ask(show)
    },
  }
}
