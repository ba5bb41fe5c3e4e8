// A page of somebody who was here before: what the browser remembers is shown at once, and never takes back what the service said since.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NcCountsEvent } from '../elements/events.ts'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { mount } from './mount.ts'
import { storedSeq } from './stored-seq.ts'

const READY = 'notification-center[data-ready]'
let site: GivenSite

beforeAll(async () => {
  site = await givenSite()
})

afterAll(() => site?.stop())

test('the numbers of the sign-in stay when the list of the last visit comes', async () => {
  const userId = 'returning'
  await fillInbox(site.edge, userId)
  const context = await site.browser.newContext()
  const page = await context.newPage()
  await page.goto(site.host.url)
  await mount(page, site.edge, userId)
  await page.locator(READY).waitFor({ state: 'attached' })
  await expect.poll(() => page.evaluate(storedSeq, userId)).toBeGreaterThan(0)
  await page.goto(`${site.host.url}/elsewhere`)
  await site.edge.track({ name: 'usage.high', userId, properties: {} })
  await page.goto(site.host.url)
  await page.evaluate(() => {
    const told: number[] = []
    Reflect.set(globalThis, 'told', told)
    addEventListener('nc-counts', (event) => told.push((event as NcCountsEvent).unread))
  })
  await mount(page, site.edge, userId)
  await page.locator(READY).waitFor({ state: 'attached' })
  const told = await page.evaluate(() => Reflect.get(globalThis, 'told') as number[])
  expect(told.at(-1)).toBe(8)
  expect(told).toEqual(told.toSorted((a, b) => a - b))
  await context.close()
})
