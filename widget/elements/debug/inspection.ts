// Gathers the report of `debug` for as long as its element stands in the page: attributes, trace, probes, other tabs.

import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { RegisterItem } from '../../../contract/api.ts'
import { edgeOf } from '../identity.ts'
import type { CenterElement, PanelHost } from '../panel/panel-types.ts'
import { lookAtToken } from './credentials.ts'
import { explain } from './explain.ts'
import { checkPage, scriptsIn } from './page-check.ts'
import { describeStorage, describeWorker, originOf, type Probe, probeService } from './probe.ts'
import type { Report } from './report.ts'
import type { Trace } from './trace.ts'

declare const __VERSION__: string

const EVENTS = 'ready counts arrive show hide open-message follow-link action error'
  .split(' ')
  .map((name) => `nc-${name}`)
const LOOK_MS = 1_000
const NOT_PROBED: Probe = { reach: 'not looked', skewMs: undefined }

/** <nc-debug> as its inspection sees it. */
export interface InspectionHost extends ReactiveControllerHost {
  /** False when it is folded, or on a hidden page: then nothing is looked up for it. */
  readonly isRead: boolean
}

export class Inspection implements ReactiveController {
  readonly #view: InspectionHost
  readonly #host: PanelHost
  readonly #trace: Trace
  #state: CenterElement['state']
  #stateSince = Date.now()
  #probe = NOT_PROBED
  #probedFor = ''
  /** What the page's policy refused of what goes to the service: `connect-src https://…`. */
  #blocked = new Set<string>()
  #tabs: number | undefined
  #waiting: number[] = []
  #storage = 'not looked yet'
  #worker = ''
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(view: InspectionHost, host: PanelHost, trace: Trace) {
    this.#view = view
    this.#host = host
    this.#trace = trace
    this.#state = host.element.state
    view.addController(this)
  }

  hostConnected(): void {
    const { element, controller } = this.#host
    this.#trace.onChange = () => this.#view.requestUpdate()
    this.#timer = setInterval(() => this.#view.isRead && void this.#look(), LOOK_MS)
    for (const name of EVENTS) element.addEventListener(name, this.#onEvent)
    document.addEventListener('securitypolicyviolation', this.#onBlocked)
    this.#trace.note(['debug is on', this.#state, controller()?.failure?.code].filter(Boolean).join(', '))
    void this.#look()
  }

  hostDisconnected(): void {
    this.#trace.onChange = () => {}
    clearInterval(this.#timer)
    for (const name of EVENTS) this.#host.element.removeEventListener(name, this.#onEvent)
    document.removeEventListener('securitypolicyviolation', this.#onBlocked)
  }

  hostUpdate(): void {
    const { state } = this.#host.element
    if (state !== this.#state) {
      this.#trace.note(`state: ${this.#state} → ${state}`)
      this.#state = state
      this.#stateSince = Date.now()
    }
    void this.#probeOnce()
  }

  get report(): Report {
    const { element, controller, i18n } = this.#host
    const { observed, lines } = this.#trace
    const situation = this.#situation()
    const findings = [...checkPage(element, situation.baseUrl), ...explain(situation)]
    return {
      ...situation,
      findings,
      lines,
      observed,
      stateSince: this.#stateSince,
      failure: controller()?.failure,
      notifications: globalThis.Notification ? `class, permission ${Notification.permission}` : 'no class',
      tabs: this.#tabs,
      waiting: this.#waiting,
      storage: this.#storage,
      apiKey: element.apiKey,
      userId: element.userId,
      position: controller()?.core?.position(),
      counts: { unread: element.unread, unopened: element.unopened },
      messagesHere: element.messages.length,
      canShare: navigator.locks !== undefined && globalThis.BroadcastChannel !== undefined,
      version: typeof __VERSION__ === 'string' ? __VERSION__ : 'from its sources',
      scripts: scriptsIn(document),
      words: { language: i18n.tag, locale: i18n.locale },
      page: {
        origin: location.origin,
        isVisible: document.visibilityState === 'visible',
        isOnLine: navigator.onLine,
        isSecure: isSecureContext,
        agent: navigator.userAgent,
      },
    }
  }

  #situation() {
    const { element, controller } = this.#host
    const { refusal, socketRetries, partFailure, skewMs } = this.#trace.observed
    return {
      state: this.#state,
      refusal,
      socketRetries,
      partFailure,
      skewMs: skewMs ?? this.#probe.skewMs,
      probe: this.#probe,
      now: Date.now(),
      blocked: [...this.#blocked],
      token: lookAtToken(element.token),
      hasProvider: element.tokenProvider !== null,
      authType: element.authType ?? 'backendToken',
      origin: self.origin,
      baseUrl: this.#baseUrl,
      failureCode: controller()?.failure?.code,
      worker: this.#worker,
      isListThere: controller()?.core?.isLoaded() === true,
    }
  }

  /** As the element itself resolves it. */
  get #baseUrl(): string {
    const { element } = this.#host
    return edgeOf(element, (element.constructor as { scriptOrigin?: string }).scriptOrigin)
  }

  /** Browsers tell a page no reason for a failed call: the service is probed once for each failure. */
  async #probeOnce(): Promise<void> {
    const { refusal } = this.#trace.observed
    const hasFailed = this.#state === 'offline' || this.#state === 'error'
    const failure = hasFailed ? `${this.#state} ${refusal?.at ?? this.#stateSince}` : ''
    if (failure === this.#probedFor) return
    this.#probedFor = failure
    this.#probe = hasFailed ? await probeService(this.#baseUrl, () => this.#blocked.size > 0) : NOT_PROBED
    this.#view.requestUpdate()
  }

  /** Reads what has to be asked for: other tabs, waiting delivery events, the storage itself. */
  async #look(): Promise<void> {
    const { browser } = this.#trace
    const { owner } = this.#trace.observed
    if (browser !== undefined && owner !== undefined) {
      const names = await browser.locks.names()
      this.#tabs = names?.filter((name) => name === `inbox${owner}`).length
      const left = (await browser.storage.get<RegisterItem[]>(`receipts${owner}`)) ?? []
      this.#waiting = left.map(({ occurredAt }) => Date.parse(occurredAt ?? '') || Date.now())
    }
    this.#storage = await describeStorage()
    this.#worker = await describeWorker()
    this.#view.requestUpdate()
  }

  readonly #onEvent = (event: Event): void => this.#trace.note(describeEvent(event))

  readonly #onBlocked = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void => {
    const [blocked, service] = [originOf(blockedURI), originOf(this.#baseUrl)]
    if (blocked !== service && blocked !== service.replace(/^http/, 'ws')) return
    const what = `${effectiveDirective} ${blocked}`
    if (this.#blocked.has(what)) return
    this.#blocked.add(what)
    this.#trace.note(`the page's policy blocked ${what}`)
  }
}

/** Names, numbers and ids: neither text of a message nor where a link leads. */
function describeEvent(event: Event): string {
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
