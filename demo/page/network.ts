// Watches and cuts the page's network: fetch and WebSocket. It is installed before a page makes an element, so that a cut
// is like a dead network for the widget.

export interface Exchange {
  kind: 'request' | 'frame-out' | 'frame-in' | 'socket'
  at: number
  /** Path of the request or socket. */
  path: string
  method?: string
  /** HTTP status; 0 when the request failed. */
  status?: number
  durationMs?: number
  sent?: string
  received?: string
}

export interface Network {
  native: { fetch: typeof fetch }
  isCut(): boolean
  /** Emits `offline`, like a browser; without it an element whose socket is not open yet asks only after up to 30 s. */
  cut(): void
  /** Ends the cut and emits `online`, like a browser. */
  restore(): void
  /** Also reports the exchanges before this call. */
  listen(listener: (exchange: Exchange) => void): void
}

const SECRETS = /("(?:token|sessionToken)":")[^"]*"/g
const MAX_KEPT = 300

export const network: Network = createNetwork()

function createNetwork(): Network {
  const native = { fetch: window.fetch.bind(window), beacon: navigator.sendBeacon.bind(navigator) }
  const NativeSocket = window.WebSocket
  const sockets = new Set<WebSocket>()
  const pending = new Set<AbortController>()
  const kept: Exchange[] = []
  const listeners = new Set<(exchange: Exchange) => void>()
  let isCut = false

  function report(exchange: Exchange): void {
    const clean = { ...exchange, sent: mask(exchange.sent), received: mask(exchange.received) }
    kept.push(clean)
    if (kept.length > MAX_KEPT) kept.shift()
    for (const listener of listeners) listener(clean)
  }

  window.fetch = watchFetch({ native: native.fetch, pending, isCut: () => isCut, report })
  navigator.sendBeacon = (url, data) => !isCut && native.beacon(url, data)
  window.WebSocket = watchSocket(NativeSocket, sockets, () => isCut, report)

  return {
    native,
    isCut: () => isCut,
    cut() {
      isCut = true
      for (const controller of pending) controller.abort(new TypeError('Failed to fetch'))
      for (const socket of sockets) socket.close()
      window.dispatchEvent(new Event('offline'))
    },
    restore() {
      isCut = false
      window.dispatchEvent(new Event('online'))
    },
    listen(listener) {
      for (const exchange of kept) listener(exchange)
      listeners.add(listener)
    },
  }
}

interface FetchDeps {
  native: typeof fetch
  pending: Set<AbortController>
  isCut(): boolean
  report(exchange: Exchange): void
}

function watchFetch({ native, pending, isCut, report }: FetchDeps): typeof fetch {
  return async function watchedFetch(input, init) {
    const request = input instanceof Request ? input : undefined
    const url = new URL(request?.url ?? String(input), location.href)
    const method = init?.method ?? request?.method ?? 'GET'
    const sent = typeof init?.body === 'string' ? init.body : undefined
    const at = Date.now()
    const done = (status: number, received?: string) =>
      report({
        kind: 'request',
        at,
        path: url.pathname + url.search,
        method,
        status,
        durationMs: Date.now() - at,
        sent,
        received,
      })
    if (isCut()) {
      done(0)
      throw new TypeError('Failed to fetch')
    }
    const controller = new AbortController()
    const outer = init?.signal ?? request?.signal
    outer?.addEventListener('abort', () => controller.abort(outer.reason), { once: true })
    if (outer?.aborted) controller.abort(outer.reason)
    pending.add(controller)
    try {
      const response = await native(input, { ...init, signal: controller.signal })
      void response
        .clone()
        .text()
        .then(
          (text) => done(response.status, text),
          () => done(response.status),
        )
        .finally(() => pending.delete(controller))
      return response
    } catch (error) {
      pending.delete(controller)
      done(0)
      throw error
    }
  }
}

function watchSocket(
  NativeSocket: typeof WebSocket,
  sockets: Set<WebSocket>,
  isCut: () => boolean,
  report: (exchange: Exchange) => void,
): typeof WebSocket {
  return class WatchedSocket extends NativeSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      const path = new URL(String(url), location.href).pathname
      const note = (kind: Exchange['kind'], received: string) => report({ kind, at: Date.now(), path, received })
      sockets.add(this)
      this.addEventListener('open', () => note('socket', 'opened'))
      this.addEventListener('message', (message) => {
        if (typeof message.data === 'string') note('frame-in', message.data)
      })
      this.addEventListener('close', (event) => {
        sockets.delete(this)
        note('socket', `closed ${event.code}`)
      })
      // Browsers also report a failed connection as a close before the opening.
      if (isCut()) super.close()
    }

    override send(data: Parameters<WebSocket['send']>[0]): void {
      super.send(data)
      if (typeof data === 'string')
        report({ kind: 'frame-out', at: Date.now(), path: new URL(this.url).pathname, sent: data })
    }
  }
}

function mask(text: string | undefined): string | undefined {
  return text?.replace(SECRETS, '$1•••"')
}
