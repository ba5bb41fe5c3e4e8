// The widget in a test page, with the real edge behind it: short words for what the tests do.

import type axeCore from 'axe-core'
import { assert } from 'chai'
import type { InboxHead, InboxPage, InboxPreferences } from '../../contract/api.ts'
import { extendTimeouts, NOTICE_MS, TOAST_MS } from '../../tools/test/extend-timeouts.ts'
import { define } from '../elements/define-element.ts'
import type { NotificationCenter } from '../elements/notification-center.ts'

interface Edge {
  edgeUrl: string
  doorUrl: string
  frontApiKey: string
  /** By user, for the users of this page. */
  tokens: Record<string, string>
}

extendTimeouts([NOTICE_MS, TOAST_MS])
export const edge: Edge = await (await fetch('/edge.json')).json()
define()

async function order<T>(body: object): Promise<T> {
  const response = await fetch(edge.doorUrl, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

edge.tokens = await order({ does: 'users', times: 60 })
const free = Object.keys(edge.tokens)

/** A user whom no other test of this run has. */
export function newUser(): string {
  const userId = free.pop()
  if (userId === undefined) throw new Error('This file wants more users than it asked for.')
  return userId
}

export const fill = (userId: string, times = 1): Promise<void> => order({ does: 'fill', userId, times })
export const track = (userId: string, name: string, properties: object = {}): Promise<void> =>
  order({ does: 'track', userId, name, properties })
/** Very many messages, titled "Number 1" and on; `name` is their category. */
export const flood = (userId: string, times: number, name = 'orders'): Promise<void> =>
  order({ does: 'flood', userId, times, name })
/** What the server says. */
export const headOf = (userId: string): Promise<InboxHead> => order({ does: 'head', userId })
export const pageOf = (userId: string, query = ''): Promise<InboxPage> => order({ does: 'page', userId, query })

export const preferencesOf = (userId: string): Promise<InboxPreferences> => order({ does: 'preferences', userId })

/** Waits until it is true, by frames and not by a delay; fails after a few seconds with what was waited for. */
export async function until<T>(what: string, isTrue: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = performance.now() + 30_000
  for (;;) {
    const value = await isTrue()
    if (value) return value as NonNullable<T>
    if (performance.now() > end) throw new Error(`not in time: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}

const centers: NotificationCenter[] = []

/** An element for the user, in the page, signed in unless `attributes` say otherwise. */
export async function place(
  userId: string,
  attributes: Record<string, string> = {},
  state = 'ready',
): Promise<NotificationCenter> {
  const center = document.createElement('notification-center') as NotificationCenter
  const all = {
    'base-url': edge.edgeUrl,
    'api-key': edge.frontApiKey,
    'user-id': userId,
    token: edge.tokens[userId] ?? '',
    ...attributes,
  }
  for (const [name, value] of Object.entries(all)) center.setAttribute(name, value)
  centers.push(center)
  document.body.append(center)
  if (state !== '') await until(`state ${state}`, () => center.state === state)
  return center
}

export function removeAll(): void {
  for (const center of centers.splice(0)) center.remove()
}

export const part = (center: NotificationCenter, name: string): HTMLElement | null =>
  center.shadowRoot?.querySelector<HTMLElement>(`[part~=${name}]`) ?? null
export const parts = (center: NotificationCenter, name: string): HTMLElement[] => [
  ...(center.shadowRoot?.querySelectorAll<HTMLElement>(`[part~=${name}]`) ?? []),
]

export const inPanel = <E extends HTMLElement>(center: NotificationCenter, selector: string): E | null =>
  center.shadowRoot?.querySelector<E>(selector) ?? null

/** Opens the panel and waits for its rows. */
export async function openPanel(center: NotificationCenter, rows = 1): Promise<void> {
  center.show()
  await until('panel', () => part(center, 'panel')?.matches(':popover-open'))
  await until(`${rows} rows`, () => parts(center, 'row').length >= rows)
}

/** A new user's panel with `times` × 7 messages, opened. */
export async function placeOpen(
  attributes: Record<string, string> = {},
  times = 1,
): Promise<{ user: string; center: NotificationCenter }> {
  const user = newUser()
  await fill(user, times)
  const center = await place(user, attributes)
  await openPanel(center, 7 * times)
  return { user, center }
}

export const press = (center: NotificationCenter, key: string): void => {
  const target = center.shadowRoot?.activeElement ?? part(center, 'panel')
  target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }))
}

/** The next event of the type. */
export const next = <E extends Event>(target: EventTarget, type: string): Promise<E> =>
  new Promise((resolve) => target.addEventListener(type, (event) => resolve(event as E), { once: true }))

/** Ends what moves but once, as a panel does that opens: when it ends by itself is the machine's affair, and in a page behind another one nothing moves on. */
export function standStill(center: NotificationCenter): void {
  for (const moving of center.shadowRoot?.getAnimations() ?? []) {
    if (moving.effect?.getTiming().iterations === 1) moving.finish()
  }
}

/** No violation by axe in what is on the page. */
export async function assertAccessible(center: NotificationCenter): Promise<void> {
  const { default: axe } = await loadAxe()
  // Half faded in, a text has half its contrast.
  standStill(center)
  const { violations } = await axe.run(center, { rules: { region: { enabled: false } } })
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
    [],
  )
}

let axeLoading: Promise<void> | undefined

async function loadAxe(): Promise<{ default: typeof axeCore }> {
  axeLoading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = '/node_modules/axe-core/axe.min.js'
    script.onload = () => resolve()
    script.onerror = () => reject(new Error('axe-core was not loaded'))
    document.head.append(script)
  })
  await axeLoading
  return { default: Reflect.get(globalThis, 'axe') as typeof axeCore }
}
