// What can be counted and not only timed, held at each change: calls to the badge, what the page's layout and policy feel, nodes, and what stays after an element (bench/widget has the times).

import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GivenEdge } from '../../edge/test/support/given.ts'
import type { HostPage } from '../gallery/host-page.ts'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { tagOf } from './mount.ts'

const TIMES = Number(process.env.NC_MOUNTS ?? 10)
/** One element with its rows has some hundred: not one element has stayed. */
const SOME_NODES = 60
/** engine.io-client listens for `offline` and for the page's end, once for a page, when its module is loaded. */
const OF_SOCKET_PART = 2
let site: GivenSite
let edge: GivenEdge
let host: HostPage
let browser: Browser

beforeAll(async () => {
  site = await givenSite()
  ;({ edge, host, browser } = site)
})

afterAll(() => site?.stop())

const IN_PAGE = fileURLToPath(new URL('../../bench/widget/in-page.mjs', import.meta.url))

/** A page that counts from its beginning, with the script and no element yet. */
async function counted(context: BrowserContext): Promise<{ page: Page; ask: <T>(expression: string) => Promise<T> }> {
  const page = await context.newPage()
  await page.addInitScript({ path: IN_PAGE })
  await page.goto(host.url)
  const ask = <T>(expression: string): Promise<T> => page.evaluate(expression)
  await ask('bench.defined()')
  return { page, ask }
}

/** After a collection, by Chromium itself: all listeners of the page, and its nodes. */
async function held(page: Page): Promise<{ listeners: number; nodes: number }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  await cdp.send('HeapProfiler.collectGarbage')
  await cdp.send('HeapProfiler.collectGarbage')
  const { metrics } = await cdp.send('Performance.getMetrics')
  await cdp.detach()
  const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN
  return { listeners: metric('JSEventListeners'), nodes: metric('Nodes') }
}

/** Once the element that was just taken out is done with what it was doing: the same three times in a row. */
async function settled(page: Page): Promise<{ listeners: number; nodes: number }> {
  let last = await held(page)
  let alike = 0
  const again = async () => {
    const now = await held(page)
    alike = now.listeners === last.listeners ? alike + 1 : 0
    last = now
    return alike
  }
  await expect.poll(again, { interval: 100 }).toBe(3)
  return last
}

test('an element is put in and taken out, its panel opened and closed, and nothing stays', {}, async () => {
  const userId = 'left-behind'
  await fillInbox(edge, userId)
  const context = await browser.newContext()
  const { page, ask } = await counted(context)
  const mount = `bench.mount(${JSON.stringify(tagOf(edge, userId))})`
  const untouched = await ask<{ listeners: number; sockets: number; timers: number }>('bench.counts()')
  expect(await ask(`${mount}.then(() => bench.callsBeforeBadge())`)).toEqual(['/v1/users/auth'])
  // It counts what there is: with an element in the page there is something.
  await expect.poll(() => ask('bench.counts()')).toMatchObject({ sockets: 1 })
  const left = { ...untouched, listeners: untouched.listeners + OF_SOCKET_PART }
  expect(await ask<{ listeners: number }>('bench.counts()')).not.toMatchObject({ listeners: left.listeners })
  await ask('bench.open().then(bench.close)')
  await ask('bench.unmount()')
  await expect.poll(() => ask('bench.counts()')).toEqual(left)
  const once = await settled(page)
  for (let times = 0; times < TIMES; times++) {
    await ask(mount)
    await ask('bench.open().then(bench.close)')
    await ask('bench.open().then(bench.close)')
    await ask('bench.unmount()')
  }
  // What the last one was still doing may hold it for a moment: a write under way has its deadline.
  await expect.poll(() => ask('bench.counts()')).toEqual(left)
  const more = async () => {
    const { listeners, nodes } = await held(page)
    return { listeners: listeners - once.listeners, nodes: Math.max(0, nodes - once.nodes - SOME_NODES) }
  }
  await expect.poll(more).toEqual({ listeners: 0, nodes: 0 })
  expect(await ask('bench.shift()')).toBe(0)
  expect(await ask('bench.violations')).toEqual([])
  await context.close()
})
