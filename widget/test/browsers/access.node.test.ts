// No violation by axe in any state of the widget, light, dark and in forced colours, in both directions; and with reduced motion nothing moves.

import { createHmac } from 'node:crypto'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../../../edge/test/support/given.ts'
import { CHROMIUM_FLAGS, programPath } from '../../../tools/programs/programs.ts'
import { CALL_MS, extendTimeouts, NOTICE_MS, TOAST_MS } from '../../../tools/test/extend-timeouts.ts'
import { type HostPage, startHostPage } from '../../gallery/host-page.ts'
import { fillInbox, publishSamples } from '../../gallery/sample-inbox.ts'
import { ACCESS_STATES, type AccessState, type Visitor } from './access-states.ts'

const LOOKS = [
  { name: 'light', colorScheme: 'light', forcedColors: 'none' },
  { name: 'dark', colorScheme: 'dark', forcedColors: 'none' },
  { name: 'forced colours', colorScheme: 'dark', forcedColors: 'active' },
] as const
/** What colours, or the direction of the page, can break. The other rules read names and roles, which are the same in each. */
const RULES_OF_LOOKS = ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable']
const isWhole = process.env.NC_ACCESS === 'whole'
const WIDE = { width: 900, height: 720 }
const PHONE = { width: 360, height: 740 }

interface Inspection {
  isThere: boolean
  found: string[]
}

let edge: GivenEdge
let host: HostPage
let browser: Browser
let page: Page

beforeAll(async () => {
  edge = await givenEdge({ RATE_LIMITS: 'off' })
  host = await startHostPage(edge.url)
  browser = await chromium.launch({ executablePath: programPath('chromium'), args: CHROMIUM_FLAGS })
  await publishSamples(edge)
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  // A state stays while all its looks are inspected.
  await page.addInitScript(extendTimeouts, [NOTICE_MS, TOAST_MS, CALL_MS])
  await page.goto(host.url)
  await page.evaluate(axe.source)
  await prepare('full')
})

afterAll(async () => {
  await browser?.close()
  await host?.close()
  await edge?.stop()
})

const tokenOf = (userId: string): string =>
  userId === 'refused'
    ? 'nobody'
    : createHmac('sha256', edge.demo.environments.dev.authSecretKey).update(userId).digest('hex')

/** Messages of many kinds, one of them snoozed, one archived. */
async function prepare(userId: Visitor): Promise<void> {
  await fillInbox(edge, userId)
  const session = await edge.signIn(userId)
  const { data } = await edge.page(session)
  const changes = [
    { snoozedUntil: new Date(Date.parse(data[0]?.createdAt ?? '') + 86_400_000).toISOString() },
    { archived: true },
  ]
  for (const [at, body] of changes.entries()) {
    const { status } = await edge.call('PATCH', `/v1/inbox/messages/${data[at + 3]?.id}`, { session, body })
    expect(status).toBe(200)
  }
}

async function enter(state: AccessState): Promise<void> {
  await page.unrouteAll()
  if (state.isStored) {
    await mount(state)
    await expect.poll(() => page.evaluate(isStored, state.visitor)).toBe(true)
    await page.evaluate(leave)
  }
  for (const [path, answer] of Object.entries(state.service ?? {})) await page.route(path, answer)
  await page.setViewportSize(state.isPhone ? PHONE : WIDE)
  await mount(state)
  const track = async (name: string) => void (await edge.track({ name, userId: state.visitor, properties: {} }))
  await state.enter({ page, track })
  await page.locator(`notification-center ${state.marker}`).first().waitFor({ state: 'attached' })
}

/** Inspects again when the state was left: the element may ask the service once more, and shows that for a moment. */
async function inspectState({ marker }: AccessState, only: string[]): Promise<string[]> {
  for (;;) {
    await page.locator(`notification-center ${marker}`).first().waitFor({ state: 'attached' })
    const { isThere, found } = await page.evaluate(inspect, { marker, only })
    if (isThere) return found
  }
}

async function mount(state: AccessState): Promise<void> {
  await page.evaluate(mountAnew, {
    'api-key': edge.demo.environments.dev.frontApiKey,
    'user-id': state.visitor,
    token: tokenOf(state.visitor),
    ...state.attributes,
  })
  await page.waitForFunction(() =>
    ['ready', 'error', 'offline'].includes(Reflect.get(document.querySelector('notification-center') ?? {}, 'state')),
  )
}

/** Runs in the page: whether this browser keeps the visitor's inbox, for a page without a network. */
async function isStored(visitor: string): Promise<boolean> {
  const database = await new Promise<IDBDatabase | undefined>((resolve) => {
    const asked = indexedDB.open('notification-center')
    // Making it is the element's own.
    asked.onupgradeneeded = () => asked.transaction?.abort()
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => resolve(undefined)
  })
  if (database === undefined) return false
  const keys = await new Promise<IDBValidKey[]>((resolve, reject) => {
    const asked = database.transaction('log').objectStore('log').getAllKeys()
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })
  database.close()
  return keys.some((key) => String(key).startsWith('inbox') && String(key).includes(JSON.stringify(visitor)))
}

/** Runs in the page: removes the element, and waits until its session has ended, which the next one would take over. */
async function leave(): Promise<void> {
  const center = document.querySelector('notification-center')
  center?.remove()
  while (center !== null && Reflect.get(center, 'state') !== 'signed-out') {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Runs in the page. */
function mountAnew(attributes: Record<string, string>): void {
  document.querySelector('notification-center')?.remove()
  const center = document.createElement('notification-center')
  for (const [name, value] of Object.entries(attributes)) center.setAttribute(name, value)
  if (attributes.mode === 'inline') center.className = 'place'
  document.querySelector(attributes.mode === 'inline' ? 'main' : '#slot')?.append(center)
}

/** Runs in the page: what axe finds in the element, and what moves. */
async function inspect({ marker, only }: { marker: string; only: string[] }): Promise<Inspection> {
  const center = document.querySelector('notification-center')
  const shadow = center?.shadowRoot
  if (!center || !shadow) return { isThere: false, found: [] }
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  // What follows a scroll bar moves with the hand alone.
  const byItself = shadow.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline)
  const moving = byItself.map((each) => `moves: ${Reflect.get(each, 'animationName') ?? 'transition'}`)
  const { run } = Reflect.get(globalThis, 'axe') as typeof axe
  const { violations } = await run(center, {
    resultTypes: ['violations'],
    preload: false,
    // A part of a page is not a page; and the size of targets is not asked for by itself.
    ...(only.length > 0
      ? { runOnly: { type: 'rule', values: only } }
      : { rules: { region: { enabled: false }, 'target-size': { enabled: true } } }),
  })
  const faults = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
  return { isThere: shadow.querySelector(marker) !== null, found: [...moving, ...faults] }
}

describe('access', () => {
  test.each(ACCESS_STATES)('$name', async (state) => {
    await enter(state)
    const violations: string[] = []
    for (const { name, ...media } of LOOKS) {
      await page.emulateMedia({ ...media, reducedMotion: 'reduce' })
      for (const dir of ['ltr', 'rtl']) {
        await page.evaluate((dir) => document.querySelector('notification-center')?.setAttribute('dir', dir), dir)
        const only = isWhole || (name === 'light' && dir === 'ltr') ? [] : RULES_OF_LOOKS
        const found = await inspectState(state, only)
        violations.push(...found.map((fault) => `${name}, ${dir}: ${fault}`))
      }
    }
    expect(violations).toEqual([])
  })
})
