// The leading tab's connection: its part is loaded, it is opened and closed, and shown the new session.

import type { AuthAnswer, InboxChanges } from '../../../contract/api.ts'
import type { InboxFrame } from '../../../contract/frames.ts'
import type { CreateRealtime, Realtime } from '../../transport/realtime.ts'
import type { Session } from '../../transport/session.ts'

export interface InboxSocket {
  isUp(): boolean
  /** Connects, and reconnects until `close`; nothing when that is under way. */
  open(): Promise<void>
  close(): void
  /** Connects at once, without waiting for the next attempt. */
  reopen(): void
  /** Undefined when no answer came: then the connection is lost, and with a limit of the caller's own reopened at once. */
  sync(since: number, answerMs?: number): Promise<InboxChanges | undefined>
  /** There is a new session: opens with it, or shows it to the connection that is up. */
  onSession(): void
}

type Endpoint = AuthAnswer['realtime']

export interface SocketDeps {
  session: Session
  /** Rejects when the part cannot be fetched. */
  loadRealtime: () => Promise<CreateRealtime>
  /** Undefined while no connection is wanted. */
  endpoint: () => Endpoint | undefined
  position: () => { epoch: string; seq: number }
  onUp: () => void
  /** There is no session yet; `onSession` follows. */
  signIn: () => void
  /** Lost, or an attempt failed. */
  onDown: () => void
  onFrame: (frame: InboxFrame) => void
}

export function createSocket({ session, loadRealtime, endpoint, position, ...on }: SocketDeps): InboxSocket {
  let realtime: Realtime | undefined
  let opened: Endpoint | undefined
  let isUp = false
  let isRefused = false
  /** One renewal per lost connection, never a loop of them. */
  let hasRenewed = false

  const close = (): void => {
    realtime?.close()
    realtime = undefined
    isUp = isRefused = false
  }
  const onUp = (): void => {
    isUp = true
    isRefused = hasRenewed = false
    on.onUp()
  }
  const onDown = (code?: string): void => {
    isUp = false
    isRefused = code === 'auth/invalid-session'
    on.onDown()
    if (!isRefused || hasRenewed) return
    hasRenewed = true
    void session.signIn('refused').catch(() => {})
  }
  const auth = () => {
    const { epoch, seq } = position()
    return { token: session.token() ?? '', epoch, since: seq }
  }
  const onExpiring = (): void => session.renewIfDue()

  const open = async (): Promise<void> => {
    if (realtime || !endpoint()) return
    if (session.token() === undefined) return on.signIn()
    const createRealtime = await loadRealtime().catch(() => undefined)
    const target = endpoint()
    if (realtime || !target) return
    if (createRealtime === undefined) return on.onDown()
    opened = target
    realtime = createRealtime({ ...target, auth, onUp, onDown, onFrame: on.onFrame, onExpiring })
  }
  const reopen = (): void => {
    close()
    void open()
  }
  /** A connection that does not answer is dead, whatever it says of itself. */
  const ask = async <T>(request: (to: Realtime) => Promise<T>, isUrgent = false): Promise<T | undefined> => {
    const asked = realtime
    if (asked === undefined) return undefined
    try {
      return await request(asked)
    } catch {
      if (asked !== realtime) return undefined
      if (isUrgent) reopen()
      else if (isUp) asked.drop()
    }
    return undefined
  }
  const renew = async (to: Realtime): Promise<void> => {
    if (!(await to.renew(session.token() ?? '')).ok) throw new Error('session refused')
  }

  return {
    isUp: () => isUp,
    open,
    close,
    reopen,
    sync: (since, answerMs) => ask((to) => to.sync(since, answerMs), answerMs !== undefined),
    onSession: () => {
      const target = endpoint()
      if (isUp) void ask(renew)
      else if (isRefused || target?.url !== opened?.url || target?.path !== opened?.path) reopen()
      else void open()
    },
  }
}
