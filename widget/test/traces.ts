// All that the element leaves where others could read it: what it says and writes while it runs, what lies in the browser afterwards. For the test that no secret is in it.

import { createHash } from 'node:crypto'
import type { BrowserContext, Page } from 'playwright-core'

/** Texts by where they were found. */
export type Traces = Map<string, string[]>

/** Watches every page of the context, from its first script on. */
export async function watchTraces(context: BrowserContext): Promise<Traces> {
  const traces: Traces = new Map()
  const note = (place: string, text: string): void => {
    traces.set(place, [...(traces.get(place) ?? []), text])
  }
  await context.exposeFunction('noteTrace', note)
  await context.addInitScript(watchPage)
  context.on('console', (message) => note('console', message.text()))
  context.on('weberror', (error) => note('errors', `${error.error().stack}`))
  context.on('request', (request) => {
    note('addresses', request.url())
    const { authorization, ...headers } = request.headers()
    // Where the session belongs, and the token: nowhere else.
    if (authorization !== undefined) note('bearer', authorization)
    note('headers', JSON.stringify(headers))
    const body = request.postData() ?? ''
    note(request.url().endsWith('/v1/users/auth') ? 'sign-ins' : 'bodies', body)
  })
  context.on('page', (page) => page.on('websocket', (socket) => note('addresses', socket.url())))
  return traces
}

/** Runs in each page: what goes to other pages, to the disk or into the document is noted on its way, whatever becomes of it. */
function watchPage(): void {
  const tell = Reflect.get(globalThis, 'noteTrace') as (place: string, text: string) => Promise<void>
  const told = new Set<string>()
  const note = (place: string, ...said: unknown[]): void => {
    const text = JSON.stringify(said)
    // Once is enough: attributes are set again with each drawing.
    if (told.has(`${place} ${text}`)) return
    told.add(`${place} ${text}`)
    void tell(place, text).catch(() => {})
  }
  const watch = (owner: object, name: string, place: string, tellName = (self: unknown): unknown => self): void => {
    const plain = Reflect.get(owner, name) as (...args: unknown[]) => unknown
    Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
      note(place, tellName(this), ...args.filter((arg) => typeof arg !== 'function'))
      return plain.apply(this, args)
    })
  }
  const nameOf = (self: unknown): unknown => Reflect.get(self as object, 'name')
  watch(BroadcastChannel.prototype, 'postMessage', 'channels', nameOf)
  watch(LockManager.prototype, 'request', 'locks', () => '')
  watch(IDBObjectStore.prototype, 'put', 'disk', nameOf)
  watch(IDBObjectStore.prototype, 'add', 'disk', nameOf)
  watch(Storage.prototype, 'setItem', 'storage', () => '')
  watch(Element.prototype, 'setAttribute', 'attributes', (self) => (self as Element).localName)
  watch(Navigator.prototype, 'sendBeacon', 'beacons', () => '')
  for (const name of ['pushState', 'replaceState']) watch(History.prototype, name, 'history', () => '')
  const cookies = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')
  Object.defineProperty(Document.prototype, 'cookie', {
    ...cookies,
    set(value: string) {
      note('cookies', value)
      cookies?.set?.call(this, value)
    },
  })
  document.addEventListener('nc-error', (event) => note('events', { ...event }, String(event)))
}

/** What lies in the page and in the browser now. */
export async function collectLeft(page: Page, traces: Traces): Promise<void> {
  const { disk = '', ...left } = await page.evaluate(readLeft)
  const stored = await page.context().cookies()
  for (const [place, text] of Object.entries({ ...left, 'records on disk': disk, jar: JSON.stringify(stored) })) {
    traces.set(`left: ${place}`, [...(traces.get(`left: ${place}`) ?? []), text])
  }
}

/** Runs in the page. */
async function readLeft(): Promise<Record<string, string>> {
  const asked = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  const records: unknown[] = []
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await asked(indexedDB.open(name))
    for (const store of database.objectStoreNames) {
      const from = database.transaction(store).objectStore(store)
      records.push(name, store, await asked(from.getAllKeys()), await asked(from.getAll()))
    }
    database.close()
  }
  const cached: string[] = []
  for (const name of await caches.keys()) {
    for (const request of await (await caches.open(name)).keys()) cached.push(name, request.url)
  }
  const shadows = [...document.querySelectorAll('notification-center')].flatMap(({ shadowRoot }) => [
    shadowRoot?.innerHTML,
    ...[...(shadowRoot?.querySelectorAll('input, textarea') ?? [])].map((field) => Reflect.get(field, 'value')),
  ])
  const globals = Object.getOwnPropertyNames(globalThis).flatMap((name) => {
    const value: unknown = Reflect.get(globalThis, name)
    return typeof value === 'string' ? [name, value] : [name]
  })
  return {
    disk: JSON.stringify(records),
    caches: JSON.stringify(cached),
    storage: JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    addresses: JSON.stringify([location.href, document.referrer, performance.getEntries().map(({ name }) => name)]),
    page: JSON.stringify([document.title, window.name, history.state, document.documentElement.outerHTML]),
    shadows: JSON.stringify(shadows),
    globals: JSON.stringify(globals),
  }
}

/** A secret as it could be written, also in part. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const parts = secret.split('.').filter((part) => part.length >= 16)
  const digests = (['hex', 'base64', 'base64url'] as const).map((form) =>
    createHash('sha256').update(bytes).digest(form),
  )
  const begins = [secret, ...parts].map((text) => text.slice(0, 24))
  return [
    ...begins,
    encodeURIComponent(secret),
    bytes.toString('base64').slice(0, 24),
    bytes.toString('hex'),
    ...digests,
  ]
}

/** Where secrets were found; never which. */
export function placesOf(secrets: Iterable<string>, traces: Traces): string[] {
  const forms = [...secrets].flatMap(formsOf)
  return [...traces].flatMap(([place, texts]) =>
    texts.some((text) => forms.some((form) => text.includes(form))) ? [place] : [],
  )
}
