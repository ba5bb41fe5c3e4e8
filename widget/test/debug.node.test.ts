// `debug` of the built script, where the page is told no reason: a policy or a list of origins in the way, a wrong clock; and what it writes to the console.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GivenEdge } from '../../edge/test/support/given.ts'
import { givenNc } from '../../edge/test/support/given-nc.ts'
import { type HostPage, startHostPage, strictPolicy } from '../gallery/host-page.ts'
import { type GivenSite, givenOwnSite } from './given-site.ts'
import { mount } from './mount.ts'

let site: GivenSite
let edge: GivenEdge
let host: HostPage
let browser: Browser

beforeAll(async () => {
  site = await givenOwnSite()
  ;({ edge, host, browser } = site)
})

afterAll(() => site?.stop())

/** A page with the element on it, and all that was written to its console. */
async function open(
  userId: string,
  attributes: Record<string, string>,
  url = host.url,
  before?: (page: Page) => Promise<unknown>,
) {
  const page = await (await browser.newContext()).newPage()
  const written: string[] = []
  page.on('console', (message) => written.push(`${message.type()} ${message.text()}`))
  await before?.(page)
  await page.goto(url)
  await mount(page, edge, userId, attributes)
  const read = () => page.locator('notification-center .debug').textContent({ timeout: 5_000 })
  const says = (words: RegExp) => expect.poll(async () => (await read())?.replace(/\s+/g, ' ')).toMatch(words)
  return { page, written, says }
}

test('one line in the console with debug, none without, and no violation of the strictest policy', {}, async () => {
  const plain = await open('quiet', {})
  await plain.page.waitForSelector('notification-center[data-ready]', { state: 'attached' })
  expect(plain.written).toEqual([])
  const { page, written, says } = await open('told', { debug: '' })
  await says(/ready · leads · socket up/)
  await says(/IndexedDB, form \d+/)
  const { frontApiKey } = edge.demo.environments.dev
  const masked = `${frontApiKey.slice(0, 12)}…${frontApiKey.slice(-4)}`
  expect(written).toEqual([`info notification-center: debug is on for api-key ${masked}; see the foot of the page.`])
  expect(await page.evaluate(() => Reflect.get(globalThis, 'violations'))).toEqual([])
  expect(await page.evaluate(() => Reflect.get(globalThis, 'defects'))).toEqual([])
  expect(await page.locator('[style]').count()).toBe(0)
})

test('a policy that blocks the service is named, with what to allow', async () => {
  const policy = strictPolicy(edge.url).replace(/connect-src[^;]+;/, "connect-src 'self';")
  const strict = await startHostPage(edge.url, edge.url, policy)
  const { says } = await open('blocked', { debug: '' }, strict.url)
  await says(/Content-Security-Policy blocks what the element needs: connect-src http:/)
  await says(new RegExp(`Allow script-src ${edge.url}; connect-src ${edge.url} ws:`))
  await strict.close()
})

test('a device whose clock is a day ahead is told so, signed in or not', async () => {
  const ahead = (page: Page) => page.clock.install({ time: Date.now() + 86_400_000 })
  const well = await open('ahead', { debug: '' }, host.url, ahead)
  await well.says(/ready.+clock is (1 day|24 hours) ahead of the service's/)
  const refused = await open('ahead', { debug: '', token: '00' }, host.url, ahead)
  await refused.says(/error.+clock is (1 day|24 hours) ahead of the service's/)
})

test('an origin that the environment does not list is told, though the browser hides the refusal', {}, async () => {
  const { id } = edge.demo.environments.dev
  await givenNc(edge.settings).json(`env set-origins --env ${id} --origin https://shop.example`)
  const { says } = await open('stranger', { debug: '' })
  await says(new RegExp(`lets this page not read its sign-in.+${host.url} is not among them.+env set-origins`))
})
