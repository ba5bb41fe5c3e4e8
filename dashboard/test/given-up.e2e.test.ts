// Tests the page of what was given up: its reason, wide and narrow, light and dark, and that an editor runs it again.

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { countTwoCrashes } from '../../edge/test/support/count-crashes.ts'
import { findViolations, type GivenDashboard, givenDashboard, overflowOf, signIn, visit } from './given-dashboard.ts'

const REASON = 'the process ended twice while this was handled'

let given: GivenDashboard
let runIds: string[]
beforeAll(async () => {
  given = await givenDashboard()
  const steps = [
    { id: 'pause', type: 'delay', for: 'PT1S' },
    { id: 'tell', type: 'inbox', title: 'Late' },
  ]
  const campaign = { key: 'late', name: 'Late', trigger: { event: 'late.began' }, steps }
  const { id } = await given.call<{ id: string }>('POST', '/v1/campaigns', campaign)
  await given.call('POST', `/v1/campaigns/${id}/publish`, {})
  runIds = [await giveUp('ada'), await giveUp('a-user-with-a-very-long-name-of-many-characters')]
  await vi.waitFor(async () => expect(await states()).toEqual(['failed', 'failed']), { timeout: 60_000, interval: 100 })
})
afterAll(() => given?.stop())

/** Begins a run with which two processes end while it waits. @returns its id */
async function giveUp(userId: string): Promise<string> {
  const eventId = await given.track({ name: 'late.began', userId })
  const { runs } = await given.call<{ runs: { runId: string }[] }>('GET', `/v1/events/${eventId}`)
  const runId = runs[0]?.runId ?? ''
  await countTwoCrashes(given.settings, given.demo.environments.dev.id, runId)
  return runId
}

const states = () =>
  Promise.all(runIds.map(async (id) => (await given.call<{ state: string }>('GET', `/v1/runs/${id}`)).state))

test.each(['light', 'dark'] as const)(
  '%s: the list has no violation and fits, wide and narrow',
  async (colorScheme) => {
    const { page, faults } = await visit(given, given.address('given-up'), { colorScheme })
    await signIn(page, given)
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 800 })
      await page.getByText(REASON).filter({ visible: true }).first().waitFor()
      expect(await findViolations(page)).toEqual([])
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    }
    expect(faults).toEqual([])
    await page.context().close()
  },
)

test('a viewer sees no button; an editor runs the work again or drops it until nothing is left', async () => {
  const viewer = await given.join('viewer@example.com', 'viewer')
  const seen = await visit(given, given.address('given-up'))
  await signIn(seen.page, given, viewer)
  await seen.page.getByText(REASON).filter({ visible: true }).first().waitFor()
  expect(await seen.page.getByRole('button', { name: /^(?:Run again|Drop)/ }).count()).toBe(0)
  await seen.page.context().close()

  const { page, faults } = await visit(given, given.address('given-up'))
  await signIn(page, given)
  const [again, dropped] = runIds
  await page.getByRole('link', { name: 'Late', exact: true }).first().waitFor()
  await page.getByText('Mend what ended it, then run this again.').filter({ visible: true }).first().waitFor()
  await page.getByRole('button', { name: `Run again the run ${again}` }).click()
  await page.getByRole('button', { name: `Drop the run ${dropped}` }).click()
  await page.locator('wa-dialog[open]').getByRole('button', { name: 'Drop' }).click()
  await page.getByText('Nothing was given up').waitFor()
  await expect.poll(states).toEqual(['completed', 'failed'])
  expect(faults).toEqual([])
  await page.context().close()
})
