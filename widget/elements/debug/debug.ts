// `debug`: the element explains itself in a panel on the page. A part of its own, fetched when the attribute is set.

import type { RegisterItem } from '../../../contract/api.ts'
import type { Watch } from '../../inbox/core-types.ts'
import { oncePerFrame } from '../../lib/per-frame.ts'
import { edgeOf } from '../identity.ts'
import type { NotificationCenter } from '../notification-center.ts'
import type { PanelHost } from '../panel/panel-types.ts'
import { sayOnce } from './console-line.ts'
import { createDebugPanel } from './debug-panel.ts'
import { explain } from './explain.ts'
import { maskKey, scrub } from './mask.ts'
import { checkPage, scriptsIn } from './page-check.ts'
import { lookAtStorage, originOf, type Probe, probeService, watchPolicy } from './probe.ts'
import { type Known, toText } from './report.ts'
import { lookAtToken } from './token-look.ts'
import { createTrace, type Trace } from './trace.ts'

declare const __VERSION__: string

export interface Debug {
  /** For an inbox that begins now. */
  watch(): Watch
  /** Something may be different: also whether the element is in the page, and wants to be explained. */
  update(): void
}

const EVENTS = 'ready counts arrive show hide open-message follow-link action error'.split(' ')
const LOOK_MS = 1_000
const NOT_LOOKED: Probe = { reach: 'not looked', skewMs: undefined }

export function createDebug(host: PanelHost): Debug {
  const center = host.element
  let shown: Shown | undefined
  const drawSoon = oncePerFrame(() => shown?.draw())
  const trace = createTrace(Date.now, drawSoon)

  function update(): void {
    const isWanted = center.debug && center.isConnected
    if (isWanted) {
      shown ??= show(host, trace, drawSoon)
      drawSoon()
    } else {
      shown?.end()
      shown = undefined
    }
  }
  update()
  return {
    watch: () => {
      trace.begin()
      return trace.watch
    },
    update,
  }
}

/** As long as the attribute stands. */
interface Shown {
  draw(): void
  end(): void
}

function show(host: PanelHost, trace: Trace, drawSoon: () => void): Shown {
  const center = host.element
  const others = [...document.querySelectorAll('notification-center[debug]')]
  const panel = createDebugPanel(host.shadow, host.root, Math.max(0, others.indexOf(center)))
  const looking = createLooking(trace, drawSoon)
  let [state, stateSince] = [center.state, Date.now()]
  let probe = NOT_LOOKED
  let probedFor = ''

  const policy = watchPolicy(
    (address) => isOfService(address, baseUrlOf(center)),
    (what) => trace.note(`the page's policy blocked ${what}`),
  )
  const followState = (): void => {
    if (center.state === state) return
    trace.note(`state: ${state} → ${center.state}`)
    ;[state, stateSince] = [center.state, Date.now()]
  }
  /** Where the page is told no reason, it looks for itself: once for each failure. */
  const probeOnce = async (): Promise<void> => {
    const failure =
      state === 'offline' || state === 'error' ? `${state} ${trace.standing.refusal?.at ?? stateSince}` : ''
    if (failure === probedFor) return
    probedFor = failure
    const isBlocked = (): boolean => policy.blocked.length > 0
    probe = failure === '' ? NOT_LOOKED : await probeService(baseUrlOf(center), isBlocked, Date.now)
    drawSoon()
  }
  const known = (): Known => {
    const { standing, lines } = trace
    const { refusal, socketRetries, partFailure } = standing
    const skewMs = standing.skewMs ?? probe.skewMs
    const now = Date.now()
    const inbox = { state, skewMs, refusal, socketRetries, partFailure }
    const plight = { ...situationOf(host), ...inbox, probe, now, blocked: policy.blocked }
    const findings = [...checkPage(center, plight.baseUrl), ...explain(plight)]
    return { ...plight, ...looking.seen, ...aroundOf(host), stateSince, findings, lines, standing }
  }
  const timer = setInterval(() => panel.isOpen() && void looking.look(), LOOK_MS)
  const hear = (event: Event): void => trace.note(tellEvent(event))
  for (const name of EVENTS) center.addEventListener(`nc-${name}`, hear)
  trace.note(['debug is on', state, host.controller()?.failure?.code].filter(Boolean).join(', '))
  sayOnce(`notification-center: debug is on for api-key ${maskKey(center.apiKey)}; see the foot of the page.`)
  void looking.look()

  return {
    draw: () => {
      followState()
      void probeOnce()
      const report = known()
      panel.show(report, scrub(toText(report), secretsOf(center)))
    },
    end: () => {
      clearInterval(timer)
      policy.stop()
      for (const name of EVENTS) center.removeEventListener(`nc-${name}`, hear)
      panel.destroy()
    },
  }
}

function isOfService(address: string, baseUrl: string): boolean {
  const [there, base] = [originOf(address), originOf(baseUrl)]
  return there === base || there === base.replace(/^http/, 'ws')
}

/** What has to be asked for: other tabs, what waits on disk, the storage itself. */
function createLooking(trace: Trace, drawSoon: () => void) {
  const seen = { tabs: undefined as number | undefined, waiting: [] as number[], storage: 'not looked yet' }
  const look = async (): Promise<void> => {
    const around = trace.around()
    const { owner } = trace.standing
    if (around !== undefined && owner !== undefined) {
      const names = await around.locks.names()
      seen.tabs = names?.filter((name) => name === `inbox${owner}`).length
      const left = (await around.storage.get<RegisterItem[]>(`receipts${owner}`)) ?? []
      seen.waiting = left.map(({ occurredAt }) => Date.parse(occurredAt ?? '') || Date.now())
    }
    seen.storage = await lookAtStorage()
    drawSoon()
  }
  return { seen, look }
}

/** As the element itself finds it. */
function baseUrlOf(center: NotificationCenter): string {
  return edgeOf(center, (center.constructor as typeof NotificationCenter).scriptOrigin)
}

const secretsOf = ({ token, apiKey, userId }: NotificationCenter): (string | null)[] => [
  token,
  apiKey,
  userId?.includes('@') === true ? userId : null,
]

function situationOf({ element: center, controller }: PanelHost) {
  return {
    token: lookAtToken(center.token),
    hasProvider: center.tokenProvider !== null,
    authType: center.authType ?? 'backendToken',
    origin: self.origin,
    baseUrl: baseUrlOf(center),
    isListThere: controller()?.core?.isLoaded() === true,
  }
}

function aroundOf({ element: center, controller, voice }: PanelHost) {
  return {
    apiKey: center.apiKey,
    userId: center.userId,
    position: controller()?.core?.position(),
    counts: { unread: center.unread, unopened: center.unopened },
    messagesHere: center.messages.length,
    canShare: navigator.locks !== undefined && globalThis.BroadcastChannel !== undefined,
    version: typeof __VERSION__ === 'string' ? __VERSION__ : 'from its sources',
    scripts: scriptsIn(document),
    words: { language: voice.tag, locale: voice.locale },
    page: {
      origin: location.origin,
      isVisible: document.visibilityState === 'visible',
      isOnLine: navigator.onLine,
      isSecure: isSecureContext,
      agent: navigator.userAgent,
    },
  }
}

/** Names, numbers and ids: neither words of a message nor where a link leads. */
function tellEvent(event: Event): string {
  const { code, messages, message, unread, unopened } = event as Event & {
    code?: string
    messages?: unknown[]
    message?: { id: string }
    unread?: number
    unopened?: number
  }
  const more = [
    code,
    messages && `${messages.length} messages`,
    message?.id,
    unread === undefined ? undefined : `${unread} unread, ${unopened} unopened`,
  ]
  return [event.type, ...more.filter((word) => word !== undefined)].join(' ')
}
