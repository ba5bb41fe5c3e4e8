// Wraps what an inbox uses of the service and of the browser, so that each use is noted in the trace.

import type { AuthAnswer } from '../../../contract/api.ts'
import type { ErrorBody } from '../../../contract/errors.ts'
import type { InboxFrame } from '../../../contract/frames.ts'
import type { BrowserApis, Watch } from '../../inbox/core-types.ts'
import { failureOf } from '../../lib/failure.ts'
import type { Call } from '../../transport/api.ts'
import type { CreateRealtime } from '../../transport/realtime.ts'
import type { Observed, Refusal, Trace } from './trace.ts'

type InboxStorage = BrowserApis['storage']
type Locks = BrowserApis['locks']

const SIGN_IN = '/v1/users/auth'
const REGISTER = '/v1/notification/event/register'

/** @returns what an inbox passes its calls and the browser through, so that `trace` notes them */
export function createWatch(trace: Trace): Watch {
  return {
    call: (call) => watchCall(call, trace),
    browser: (plain) => {
      trace.browser = watchBrowser(plain, trace)
      return trace.browser
    },
    partFailed: (reason) => {
      trace.set({ partFailure: reason })
      trace.note(`a part of the element threw: ${reason}`)
    },
    signInIn: (delayMs) => trace.set({ signInAgainAt: Date.now() + delayMs }),
  }
}

/** Notes each call, how long it took, and the answer when it was refused. */
function watchCall(call: Call, trace: Trace): Call {
  return async <T>(...[method, path, options]: Parameters<Call>): Promise<T> => {
    const begunAt = performance.now()
    const note = (outcome: string): void =>
      trace.note(`${method} ${path} → ${outcome} in ${Math.round(performance.now() - begunAt)} ms`)
    try {
      const answer = await call<T>(method, path, options)
      trace.set(observedIn(path, answer))
      note('done')
      return answer
    } catch (error) {
      const refusal = refusalOf(error)
      if (path === SIGN_IN) trace.set({ refusal })
      if (path === REGISTER) trace.set({ sendFailure: refusal })
      note(`${refusal.status === 0 ? 'no answer' : refusal.status} ${refusal.code}`)
      throw error
    }
  }
}

function observedIn(path: string, answer: unknown): Partial<Observed> {
  const now = Date.now()
  const { inbox } = answer as { inbox?: { epoch: string; seq: number } }
  return {
    ...(path === SIGN_IN && signedInBy(answer as AuthAnswer, now)),
    ...(path === REGISTER && { sentAt: now, sendFailure: undefined }),
    ...(path.startsWith('/v1/inbox/changes') && { lastAskedAt: now }),
    ...(inbox !== undefined && { lastSeen: { epoch: inbox.epoch, seq: inbox.seq } }),
  }
}

function signedInBy({ environment, expiresAt, expiresIn }: AuthAnswer, now: number): Partial<Observed> {
  const serverNow = Date.parse(expiresAt) - expiresIn * 1000
  return {
    signedIn: { environment, expiresAt, expiresIn },
    signedInAt: now,
    skewMs: now - serverNow,
    refusal: undefined,
    signInAgainAt: undefined,
  }
}

function refusalOf(error: unknown): Refusal {
  const { status, code, correlationId, retryAfterMs } = failureOf(error)
  const cause = error instanceof Error ? error.cause : undefined
  const body = (status === 0 ? {} : (cause ?? {})) as Partial<ErrorBody>
  const message = status === 0 && cause instanceof Error ? cause.name : body.message
  const details = (body.details ?? []).map((detail) => `${detail.path}: ${detail.message}`)
  return { at: Date.now(), status, code, correlationId, retryAfterMs, message, details }
}

/** Notes the socket, the lead among tabs, messages of other tabs, the page's life, and what is deleted from the storage. */
function watchBrowser(plain: BrowserApis, trace: Trace): BrowserApis {
  return {
    ...plain,
    locks: watchLocks(plain.locks, trace),
    storage: watchStorage(plain.storage, trace),
    loadRealtime: async () => {
      try {
        return watchRealtime(await plain.loadRealtime(), trace)
      } catch (error) {
        trace.note('socket: its part did not come')
        throw error
      }
    },
    openChannel: (name, receive) =>
      plain.openChannel(name, (message) => {
        trace.note(`another tab: ${describeTabMessage(message)}`)
        receive(message)
      }),
    watchPage: (receive) =>
      plain.watchPage((state) => {
        trace.note(`page: ${state}`)
        receive(state)
      }),
  }
}

function watchRealtime(open: CreateRealtime, trace: Trace): CreateRealtime {
  const setSocket = (socket: Observed['socket'], code?: string): void =>
    trace.set({ socket, socketSince: Date.now(), ...(socket !== 'opening' && { socketCode: code }) })
  return (options) => {
    trace.set({ socketUrl: options.url + options.path })
    setSocket('opening')
    trace.note('socket: opening')
    const realtime = open({
      ...options,
      onUp: () => {
        setSocket('up')
        trace.set({ socketRetries: 0 })
        trace.note('socket: up')
        options.onUp()
      },
      onDown: (code) => {
        setSocket('lost', code)
        trace.set({ socketRetries: trace.observed.socketRetries + 1 })
        trace.note(`socket: lost${code === undefined ? '' : `, ${code}`}`)
        options.onDown(code)
      },
      onFrame: (frame) => {
        trace.set({ lastSeen: { epoch: frame.epoch, seq: frame.seq } })
        trace.note(describeFrame(frame))
        options.onFrame(frame)
      },
      onExpiring: () => {
        trace.note('socket: the session ends soon')
        options.onExpiring()
      },
    })
    return {
      ...realtime,
      close: () => {
        setSocket('not wanted here')
        realtime.close()
      },
    }
  }
}

const describeFrame = ({ from, seq, changes, reset }: InboxFrame): string =>
  reset === true
    ? `reset at ${seq}: the list is read anew`
    : `changes ${from} → ${seq}: ${changes.map(({ op }) => op).join(', ') || 'none'}`

function describeTabMessage(message: unknown): string {
  const { kind, frame, items } = message as { kind: string; frame?: InboxFrame; items?: unknown[] }
  if (frame !== undefined) return describeFrame(frame)
  return items === undefined ? kind : `${kind} ${items.length} delivery events`
}

/** The lock of an inbox is the lead; others are of the queue. */
function watchLocks(locks: Locks, trace: Trace): Locks {
  const lead = (isLeading: boolean): void => {
    trace.set({ isLeading, leadSince: Date.now() })
    trace.note(isLeading ? 'this tab leads' : 'this tab leads no longer')
  }
  return {
    names: locks.names,
    request: async (name, how, act) => {
      if (!name.startsWith('inbox')) return locks.request(name, how, act)
      let isOurs = false
      try {
        await locks.request(name, how, () => {
          isOurs = true
          lead(true)
          return act()
        })
      } finally {
        if (isOurs) lead(false)
      }
    },
  }
}

function watchStorage(storage: InboxStorage, trace: Trace): InboxStorage {
  return {
    ...storage,
    get: (key) => {
      if (key.startsWith('inbox')) trace.observed.owner = key.slice('inbox'.length)
      return storage.get(key)
    },
    del: async (key) => {
      trace.note(`storage: ${key.replace(/\[.*/, '')} is wiped`)
      await storage.del(key)
    },
  }
}
