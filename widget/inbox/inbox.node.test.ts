// An inbox that ends, or becomes another user's, while the part that shows its list is still on its way.

import { afterEach, expect, test } from 'vitest'
import { type Browser, createBrowser, type Tab } from '../test/model/browser.ts'
import { createService, type Service } from '../test/model/far-side.ts'
import { createWorld, type World } from '../test/model/world.ts'
import type { StoredInbox } from './persistence.ts'

const CORE_MS = 3_000
let world: World
let service: Service
let browser: Browser
/** What the service was asked, `METHOD /path`, oldest first. */
let asked: string[]
/** What is answered in place of the service, by path; `times` more. */
let instead: { path: string; status: number; body: object; times: number } | undefined
afterEach(() => world.end())

/** A browser that has kept an inbox of `u1`, which no page shows any more. */
async function given(): Promise<void> {
  world = createWorld(1)
  const told = createService(world)
  asked = []
  instead = undefined
  service = {
    ...told,
    answer: (method, path, ...rest) => {
      asked.push(`${method} ${path}`)
      if (path === instead?.path && instead.times-- > 0) return instead
      return told.answer(method, path, ...rest)
    },
  }
  browser = createBrowser(1, world, service, 0)
  service.add('u1')
  service.add('u2')
  const tab = browser.open('u1')
  await pass(20_000)
  expect([...keptIn().keys()]).toEqual([expect.stringContaining('u1')])
  browser.close(tab, 'crashes')
  browser.trouble.coreMs = CORE_MS
  asked.length = 0
}

/** Signed in, and nothing more. */
async function givenBegun(tab: Tab): Promise<Tab> {
  await pass(CORE_MS / 2)
  expect(asked.filter((call) => call === 'POST /v1/users/auth')).toHaveLength(1)
  expect(tab.controller.core).toBeUndefined()
  return tab
}
/** In small steps: what a promise asks for next is not in the world's queue before. */
async function pass(durationMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < durationMs; passedMs += 10) await world.pass(10)
}
const keptIn = () => new Map([...browser.kept].filter(([key]) => key.startsWith('inbox'))) as Map<string, StoredInbox>
const linesOf = (userId: string) => service.inboxOf(userId).lines.size

const cachedIn = () => [...browser.kept].filter(([key]) => key.startsWith('cached'))

test('an inbox begins with the counts that its user was shown last in this browser, before anybody is asked', async () => {
  await given()
  expect(browser.open('u1').controller.counts).toEqual({ unread: 1, unopened: 1 })
  expect(browser.open('u2').controller.counts).toEqual({ unread: 0, unopened: 0 })
  expect(asked).toEqual([])
})

test('a page that is left has cached what it showed, whoever leads', async () => {
  await given()
  browser.trouble.coreMs = 0
  const [leader, other] = [browser.open('u1'), browser.open('u1')]
  await pass(10_000)
  service.add('u1')
  await pass(400)
  expect(other.controller.counts.unread).toBe(2)
  // It keeps nothing from here on.
  leader.frozen = []
  browser.close(other, 'leaves')
  expect(cachedIn()).toEqual([[expect.stringContaining('u1'), { unread: 2, unopened: 2 }]])
})

test('a sign-out wipes what was stored and ends the session all the same', async () => {
  await given()
  const tab = await givenBegun(browser.open('u1'))
  world.within(tab, () => void tab.controller.stop({ wipes: true, endsSession: true }))
  await pass(10_000)
  expect([...keptIn().keys(), ...cachedIn()]).toEqual([])
  expect(asked.filter((call) => call === 'DELETE /v1/inbox/session')).toHaveLength(1)
})

test('a change of user in the page wipes what was stored of the former one', async () => {
  await given()
  const tab = await givenBegun(browser.open('u1'))
  browser.become(tab, 'u2')
  await pass(10_000)
  expect([...keptIn().keys()]).toEqual([expect.stringContaining('u2')])
  expect([linesOf('u1'), linesOf('u2')]).toEqual([0, 1])
})

test('a sign-out before the sign-in has come through wipes as well', async () => {
  await given()
  const tab = browser.open('u1')
  world.within(tab, () => void tab.controller.stop({ wipes: true, endsSession: true }))
  await pass(10_000)
  expect([[...keptIn().keys()], linesOf('u1')]).toEqual([[], 0])
})

/** The service is asked for a session, and has not answered yet. */
async function givenAsked(coreMs: number): Promise<Tab> {
  await given()
  browser.trouble.coreMs = coreMs
  service.endAll()
  const tab = browser.open('u1')
  while (service.sessionsOf('u1') === 0) await world.pass(1)
  return tab
}

/** The answer comes after the part, or before it. */
const CORES_MS = [0, 3_000]

test.each(CORES_MS)(
  'a session whose answer comes after the sign-out is ended on the server (%i ms)',
  async (coreMs) => {
    const tab = await givenAsked(coreMs)
    world.within(tab, () => void tab.controller.stop({ wipes: true, endsSession: true }))
    await pass(10_000)
    expect([service.sessionsOf('u1'), tab.controller.status]).toEqual([0, 'signed-out'])
  },
)

test.each(CORES_MS)('so is one whose element went, or whose user changed, meanwhile (%i ms)', async (coreMs) => {
  const gone = await givenAsked(coreMs)
  world.within(gone, () => void gone.controller.stop())
  await pass(10_000)
  expect(service.sessionsOf('u1')).toBe(0)
  browser.become(await givenAsked(coreMs), 'u2')
  await pass(10_000)
  expect([service.sessionsOf('u1'), service.sessionsOf('u2')]).toEqual([0, 1])
})

test.each([
  [429, { code: 'other/too-many-requests' }],
  [500, { code: 'other/unknown' }],
  [200, []],
])('a deed that is answered %i %j is offline until the service is heard of, in seconds', async (status, body) => {
  await given()
  browser.trouble.coreMs = 0
  const tab = browser.open('u1')
  await pass(5_000)
  instead = { path: '/v1/inbox/read-all', status, body, times: 1 }
  const failures: unknown[] = []
  world.within(tab, () => void tab.controller.core?.markAllRead().catch((error) => failures.push(error)))
  await pass(3_000)
  // The time of an answer.
  await pass(2_500)
  expect([failures.length, tab.controller.status, linesOf('u1')]).toEqual([1, 'ready', 1])
})

test.each([[{}], [[]]])('a sign-in that is answered with %j is tried again', async (body) => {
  await given()
  instead = { path: '/v1/users/auth', status: 200, body, times: 2 }
  const tab = browser.open('u1')
  await pass(40_000)
  expect([instead.times < 0, tab.controller.status, linesOf('u1')]).toEqual([true, 'ready', 1])
})

test.each([[{}], [[]]])('delivery events that are answered with %j are sent again', async (body) => {
  await given()
  browser.trouble.coreMs = 0
  const tab = browser.open('u1')
  await pass(5_000)
  instead = { path: '/v1/notification/event/register', status: 200, body, times: 2 }
  const [message] = tab.controller.messages
  world.within(tab, () => tab.controller.core?.record([message?.id ?? ''], 'read'))
  await pass(40_000)
  expect(service.inboxOf('u1').registered).toEqual([`read|${message?.id}`])
  expect(tab.controller.counts.unread).toBe(0)
})

test('an inbox that ended is not woken by its page, whenever it ended', async () => {
  await given()
  browser.trouble.coreMs = 0
  for (let lifeMs = 0; lifeMs < 100; lifeMs++) {
    browser.trouble.isOffline = true
    const tab = browser.open('u1')
    for (let passedMs = 0; passedMs < lifeMs; passedMs++) await world.pass(1)
    world.within(tab, () => void tab.controller.stop())
    browser.trouble.isOffline = false
    await pass(3_000)
    asked.length = 0
    tab.onState('wake')
    await pass(500)
    expect([lifeMs, asked, linesOf('u1')]).toEqual([lifeMs, [], 0])
    browser.close(tab, 'crashes')
  }
})

test("an inbox that becomes another user's never keeps one under the name of the other", async () => {
  await given()
  let userId = 'u1'
  const tab = await givenBegun(browser.open('u1', async () => ({ userId, token: 't' })))
  userId = 'u2'
  world.within(tab, () => void tab.controller.signInAgain())
  await pass(20_000)
  const kept = [...keptIn()].map(([key, { userId }]) => [key.includes('u1') ? 'u1' : 'u2', userId])
  expect(kept).toEqual([['u2', 'u2']])
  expect(tab.controller.messages.map(({ id }) => id)).toEqual([...service.inboxOf('u2').messages.keys()])
  expect([linesOf('u1'), linesOf('u2')]).toEqual([0, 1])
})
