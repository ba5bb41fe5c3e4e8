// Tests the page of doubts: what is listed, wide and narrow, light and dark, its filter, and that an editor dismisses one.

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findViolations, type GivenDashboard, givenDashboard, overflowOf, signIn, visit } from './given-dashboard.ts'

const NAME = 'order.shiped-with-a-name-that-is-longer-than-most-names-of-events-are'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
  const steps = [{ id: 'tell', type: 'inbox', title: 'Hello {{ event.properties.nam }}' }]
  const campaign = { key: 'greet', name: 'Greet', trigger: { event: 'user.greeted' }, steps }
  const { id } = await given.call<{ id: string }>('POST', '/v1/campaigns', campaign)
  await given.call('POST', `/v1/campaigns/${id}/publish`, {})
  await given.track({ name: 'user.greeted', userId: 'ada' })
  await given.track({ name: NAME, userId: 'ada' })
  const list = () => given.call<{ data: { kind: string }[] }>('GET', '/v1/doubts')
  const kinds = async () => (await list()).data.map(({ kind }) => kind).sort()
  await vi.waitFor(async () => expect(await kinds()).toEqual(['unheard-event', 'unknown-variable']), {
    timeout: 60_000,
    interval: 100,
  })
})
afterAll(() => given?.stop())

test.each(['light', 'dark'] as const)(
  '%s: the list has no violation and fits, wide and narrow',
  async (colorScheme) => {
    const { page, faults } = await visit(given, given.address('doubts'), { colorScheme })
    await signIn(page, given)
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 800 })
      await page.getByRole('link', { name: NAME }).filter({ visible: true }).first().waitFor()
      expect(await findViolations(page)).toEqual([])
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    }
    expect(faults).toEqual([])
    await page.context().close()
  },
)

test('an editor filters by kind and dismisses; a viewer sees no button', async () => {
  const viewer = await given.join('viewer@example.com', 'viewer')
  const seen = await visit(given, given.address('doubts'))
  await signIn(seen.page, given, viewer)
  await seen.page.getByRole('link', { name: NAME }).filter({ visible: true }).first().waitFor()
  expect(await seen.page.getByRole('button', { name: /^Dismiss/ }).count()).toBe(0)
  await seen.page.context().close()

  const { page, faults } = await visit(given, given.address('doubts', { kind: 'unheard-event' }))
  await signIn(page, given)
  await page.getByRole('link', { name: NAME }).filter({ visible: true }).first().waitFor()
  expect(await page.getByRole('button', { name: /^Dismiss/ }).count()).toBe(1)
  await page.getByRole('button', { name: /^Dismiss/ }).click()
  await page.getByText('No doubt matches').waitFor()
  expect((await given.call<{ data: object[] }>('GET', '/v1/doubts')).data).toMatchObject([{ kind: 'unknown-variable' }])
  expect(faults).toEqual([])
  await page.context().close()
})
