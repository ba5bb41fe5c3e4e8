// The few words of the W3C WebDriver protocol that the tests need: sessions, windows, scripts, input (https://www.w3.org/TR/webdriver2/).

import type { BrowserWindow } from './driver.ts'

/** Names of `KeyboardEvent.key` that are not characters, as WebDriver writes them. */
const KEYS: Record<string, string> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Escape: '\uE00C',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
}

export interface WebDriverSession {
  readonly version: string
  openWindow(): Promise<BrowserWindow>
  end(): Promise<void>
}

interface Capabilities {
  browserName: string
  browserVersion: string
}

/** `url` is that of a driver that listens. */
export async function startSession(url: string, wanted: object): Promise<WebDriverSession> {
  const { sessionId, capabilities } = await ask<{ sessionId: string; capabilities: Capabilities }>(
    `${url}/session`,
    'POST',
    { capabilities: { alwaysMatch: wanted } },
  )
  const session = `${url}/session/${sessionId}`
  const turns = createTurns()
  /** Never closed: a word to a window that is gone is an error, even the one that opens another. */
  const home = await ask<string>(`${session}/window`, 'GET')
  let current = home
  /** A session speaks to one window at a time: choosing it and the word to it are one step. */
  const toWindow = <T>(handle: string, method: string, path: string, body?: object): Promise<T> =>
    turns.take(async () => {
      if (current !== handle) await ask(`${session}/window`, 'POST', { handle })
      current = handle
      return ask<T>(session + path, method, body)
    })
  return {
    version: `${capabilities.browserName}/${capabilities.browserVersion}`,
    openWindow: async () => {
      const { handle } = await toWindow<{ handle: string }>(home, 'POST', '/window/new', { type: 'window' })
      return windowOf((method, path, body) => toWindow(handle, method, path, body))
    },
    end: () => ask(session, 'DELETE'),
  }
}

type Tell = <T>(method: string, path: string, body?: object) => Promise<T>

function windowOf(tell: Tell): BrowserWindow {
  const act = (...actions: object[]) => tell<void>('POST', '/actions', { actions })
  return {
    goto: (url) => tell('POST', '/url', { url }),
    evaluate: (run, ...args) =>
      tell('POST', '/execute/sync', { script: `return (${run}).apply(null, arguments)`, args }),
    clickAt: (x, y) =>
      act({
        type: 'pointer',
        id: 'mouse',
        actions: [
          { type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y) },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      }),
    press: (key) => {
      const values = key.split('+').map((name) => KEYS[name] ?? name)
      const down = values.map((value) => ({ type: 'keyDown', value }))
      const up = values.toReversed().map((value) => ({ type: 'keyUp', value }))
      return act({ type: 'key', id: 'keyboard', actions: [...down, ...up] })
    },
    screenshot: async () => Buffer.from(await tell<string>('GET', '/screenshot'), 'base64'),
    close: () => tell('DELETE', '/window'),
  }
}

/** Longer than any word takes: a page that no longer answers is a failure, and not the end of the run. */
const ANSWER_MS = 30_000

async function ask<T>(url: string, method: string, body?: object): Promise<T> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(ANSWER_MS),
    // An empty body is an error to a driver.
    ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
  })
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } }
  if (response.ok) return value
  throw new Error(`${method} ${new URL(url).pathname.split('/').slice(3).join('/')}: ${value.error}: ${value.message}`)
}

/** One after the other, in the order in which they were asked for. */
function createTurns(): { take<T>(act: () => Promise<T>): Promise<T> } {
  let last: Promise<unknown> = Promise.resolve()
  return {
    take: (act) => {
      const turn = last.then(act, act)
      last = turn.catch(() => {})
      return turn
    },
  }
}
