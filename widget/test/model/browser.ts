// A browser as the model sees it: one storage, its locks and channels, a network that loses, repeats and reorders, and tabs that run the widget's own inbox.

import type { HandshakeAuth, InboxFrame } from '../../../contract/frames.ts'
import type { BrowserApis, CoreDeps } from '../../inbox/core-types.ts'
import { Inbox } from '../../inbox/inbox.ts'
import { createInboxCore } from '../../inbox/inbox-core.ts'
import type { PageState } from '../../inbox/page-lifecycle.ts'
import type { Realtime, RealtimeOptions } from '../../transport/realtime.ts'
import type { TokenProvider } from '../../transport/session.ts'
import type { Line, Service } from './far-side.ts'
import { createLocks } from './locks.ts'
import { createStorage } from './storage.ts'
import type { FetchOptions, Life, World } from './world.ts'

export interface Tab extends Life {
  userId: string
  isVisible: boolean
  controller: Inbox
  onState(state: PageState): void
}

export interface Trouble {
  /** Of calls, of words between tabs and of pushes, 0 to 1. */
  loss: number
  isOffline: boolean
  isSocketBlocked: boolean
  /** How long the core's part is on its way. */
  coreMs: number
}

export interface Browser {
  readonly no: number
  readonly tabs: Set<Tab>
  readonly trouble: Trouble
  readonly kept: ReadonlyMap<string, unknown>
  /** Names of delivery events that were once on disk, by user. */
  readonly everQueued: ReadonlySet<string>
  /** `tokenProvider`: of the page; without it some pages have one. */
  open(userId: string, tokenProvider?: TokenProvider): Tab
  /** Another user signs in, in the same tab. */
  become(tab: Tab, userId: string): void
  close(tab: Tab, how: 'leaves' | 'crashes'): void
}

export function createBrowser(browserNo: number, world: World, service: Service, skewMs: number): Browser {
  const tabs = new Set<Tab>()
  const trouble: Trouble = { loss: 0, isOffline: false, isSocketBlocked: false, coreMs: 0 }
  const kept = new Map<string, unknown>()
  const everQueued = new Set<string>()
  const rooms = new Map<string, Set<{ tab: Tab; hear: (word: unknown) => void }>>()

  const locks = createLocks(world)
  const releaseAll = (tab: Tab): void => {
    locks.release(tab)
    for (const room of rooms.values()) for (const each of room) if (each.tab === tab) room.delete(each)
  }

  const openChannel =
    (tab: Tab): BrowserApis['openChannel'] =>
    (name, hear) => {
      const room = rooms.get(name) ?? new Set()
      rooms.set(name, room)
      const member = { tab, hear }
      room.add(member)
      return {
        postMessage: (word) => {
          for (const other of room) {
            if (other === member || world.chance(trouble.loss / 2)) continue
            const times = world.chance(trouble.loss / 2) ? 2 : 1
            for (let at = 0; at < times; at++) {
              world.after(world.random() * 20, () => room.has(other) && other.hear(word), other.tab)
            }
          }
        },
        close: () => room.delete(member),
      }
    }

  const latencyMs = (): number => 5 + (world.chance(0.1) ? 2_000 : 80) * world.random()
  const isLost = (): boolean => trouble.isOffline || world.chance(trouble.loss)

  /** As the client does, it connects anew after each loss until it is closed. */
  const createRealtime =
    (tab: Tab) =>
    (options: RealtimeOptions): Realtime => {
      let isClosed = false
      /** What belongs to a former attempt is too late. */
      let attempt = 0
      let line: Line | undefined
      let userId = ''
      const detach = (): void => {
        attempt++
        if (line !== undefined) service.inboxOf(userId).lines.delete(line)
        line = undefined
      }
      const lose = (code?: string): void => {
        detach()
        world.after(1_000 + 9_000 * world.random(), connect, tab)
        options.onDown(code)
      }
      const connect = (): void => {
        if (isClosed) return
        const no = ++attempt
        const ifCurrent = (act: () => void) => () => {
          if (no === attempt) act()
        }
        const push: Line['push'] = (frame) => {
          if (isLost()) return
          for (let times = world.chance(trouble.loss) ? 2 : 1; times > 0; times--) {
            world.after(
              latencyMs(),
              ifCurrent(() => options.onFrame(frame)),
              tab,
            )
          }
        }
        const lineOf = (who: string): Line => {
          userId = who
          const own: Line = {
            browserNo,
            life: tab,
            push,
            cut: (isSilent = false) => {
              service.inboxOf(who).lines.delete(own)
              // A line that was cut without a word is found dead by its pings.
              world.after(isSilent ? 45_000 : latencyMs(), ifCurrent(lose), tab)
            },
          }
          line = own
          return own
        }
        const answer = (first: InboxFrame | undefined): void => {
          if (first === undefined) lose('auth/invalid-session')
          else {
            options.onUp()
            options.onFrame(first)
          }
        }
        const shown: HandshakeAuth = options.auth()
        world.after(
          latencyMs(),
          ifCurrent(() => {
            if (isLost() || trouble.isSocketBlocked) return void world.after(1, ifCurrent(lose), tab)
            const first = tab.isAlive ? service.connect(shown, lineOf) : undefined
            world.after(
              latencyMs(),
              ifCurrent(() => answer(first)),
              tab,
            )
          }),
          null,
        )
      }
      connect()
      return {
        sync: (since, answerMs = 3_000) =>
          new Promise((resolve, reject) => {
            const asked = attempt
            world.after(answerMs, () => reject(new Error('late')), tab)
            if (isLost() || line === undefined || !service.inboxOf(userId).lines.has(line)) return
            world.after(
              latencyMs(),
              () => {
                const answer = service.sync(userId, since)
                world.after(latencyMs(), () => asked === attempt && resolve(answer), tab)
              },
              null,
            )
          }),
        renew: () => Promise.resolve({ ok: true, expiresAt: '' }),
        drop: () => lose(),
        close: () => {
          isClosed = true
          detach()
        },
      }
    }
  const loadRealtime = (tab: Tab) => async () => {
    if (trouble.isSocketBlocked && world.chance(0.5)) throw new TypeError('network')
    return createRealtime(tab)
  }

  const fetchOf =
    (tab: Tab) =>
    (url: string, { method, headers, body, signal }: FetchOptions): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const fail = (): void => reject(new TypeError('network'))
        signal.addEventListener('abort', fail)
        const path = url.slice('http://service'.length)
        if (isLost()) return void world.after(trouble.isOffline ? 1 : latencyMs(), fail, tab)
        world.after(
          latencyMs(),
          () => {
            const token = headers.authorization?.slice('Bearer '.length)
            const { status, body: told } = service.answer(method, path, token, JSON.parse(body ?? '{}'))
            // The service has done it, and the answer is lost on its way.
            if (isLost()) return void world.after(latencyMs(), fail, tab)
            const answer = { ok: status < 300, status, headers: new Map(), text: async () => JSON.stringify(told) }
            world.after(latencyMs(), () => resolve(answer), tab)
          },
          null,
        )
      })

  const start = (tab: Tab, userId: string, given?: TokenProvider): void => {
    const browser: BrowserApis = {
      storage: createStorage({ world, life: tab, kept, everQueued }),
      locks: locks.of(tab),
      openChannel: openChannel(tab),
      isVisible: () => tab.isVisible,
      watchPage: (onState) => {
        tab.onState = (state) => world.within(tab, () => onState(state))
        return () => {
          tab.onState = () => {}
        }
      },
      loadRealtime: loadRealtime(tab),
    }
    tab.userId = userId
    // Pages of one user do not always have the very same token.
    const token = world.pick(['t', 't', 'another'] as const) ?? 't'
    const tokenProvider = given ?? (world.chance(0.2) ? async () => ({ userId, token }) : null)
    const part = { createInboxCore: (deps: CoreDeps) => createInboxCore(deps, browser) }
    world.within(tab, () => {
      tab.controller = new Inbox({
        baseUrl: 'http://service',
        storage: browser.storage,
        broadcast: {
          ...browser,
          lockNames: browser.locks.names,
          queue: (name, act) => browser.locks.request(name, {}, act),
        },
        credential: () => ({ apiKey: 'k', authType: 'backendToken', userId, token, tokenProvider }),
        parts: {
          loadCore: () => new Promise((resolve) => world.after(trouble.coreMs, () => resolve(part), tab)),
          // The surroundings have it.
          loadRealtime: () => Promise.reject(new Error('not asked here')),
        },
        onChange: () => {},
        onArrive: () => {},
        onFailure: () => {},
      })
    })
  }

  const end = (tab: Tab): void => {
    tab.isAlive = false
    tabs.delete(tab)
    releaseAll(tab)
    for (const userId of service.users()) {
      for (const line of service.inboxOf(userId).lines) {
        if (line.life === tab) service.inboxOf(userId).lines.delete(line)
      }
    }
  }

  return {
    no: browserNo,
    tabs,
    trouble,
    kept,
    everQueued,
    open: (userId, tokenProvider) => {
      const tab: Tab = {
        ...{ isAlive: true, frozen: undefined, skewMs, userId, isVisible: true, onState: () => {} },
        controller: undefined as never,
        fetch: (url, options) => fetchOf(tab)(url, options),
      }
      tabs.add(tab)
      start(tab, userId, tokenProvider)
      return tab
    },
    become: (tab, userId) => {
      world.within(tab, () => void tab.controller.stop({ wipes: true }))
      start(tab, userId)
    },
    close: (tab, how) => {
      if (how === 'leaves') tab.onState('leave')
      end(tab)
    },
  }
}
