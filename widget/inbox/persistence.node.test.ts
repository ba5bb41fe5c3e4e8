// Tests what an inbox leaves in this browser.

import { afterEach, expect, test } from 'vitest'
import { type Browser, createBrowser, type Tab } from '../test/model/browser.ts'
import { createService, type Service } from '../test/model/far-side.ts'
import { createWorld, type World } from '../test/model/world.ts'
import type { StoredInbox } from './persistence.ts'

let world: World
afterEach(() => world.end())

/** A tab that has just shown its second message, within the delay of a save. */
async function givenNews(): Promise<{ service: Service; browser: Browser; tab: Tab }> {
  world = createWorld(1)
  const service = createService(world)
  const browser = createBrowser(1, world, service, 0)
  service.add('u1')
  const tab = browser.open('u1')
  await until(() => storedIn(browser).length === 1)
  service.add('u1')
  await until(() => tab.controller.messages.length === 2)
  return { service, browser, tab }
}

/** In steps that are shorter than the delay of a save. */
async function until(isSo: () => boolean): Promise<void> {
  for (let times = 0; !isSo() && times < 10_000; times++) await world.pass(10)
  expect(isSo()).toBe(true)
}

const storedIn = (browser: Browser): StoredInbox[] =>
  [...browser.kept].flatMap(([key, value]) => (key.startsWith('inbox') ? [value as StoredInbox] : []))

test('an inbox that never calms down is kept meanwhile', async () => {
  const { service, browser } = await givenNews()
  for (let times = 0; times < 10; times++) {
    service.add('u1')
    await world.pass(200)
  }
  expect(storedIn(browser)[0]?.list.messages.length).toBeGreaterThan(5)
})

test('an inbox that ends keeps what has come a moment before', async () => {
  const { browser, tab } = await givenNews()
  expect(storedIn(browser).map(({ list }) => list.messages.length)).toEqual([1])
  world.within(tab, () => void tab.controller.stop())
  await world.pass(5_000)
  expect(storedIn(browser).map(({ list }) => list.messages.length)).toEqual([2])
})

test('an inbox that is wiped leaves nothing, whatever has come a moment before', async () => {
  const { browser, tab } = await givenNews()
  world.within(tab, () => void tab.controller.stop({ wipes: true }))
  await world.pass(5_000)
  expect(storedIn(browser)).toEqual([])
})
