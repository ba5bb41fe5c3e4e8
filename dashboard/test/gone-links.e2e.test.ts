// Tests links to what is gone: a page that never was, an organisation or environment of others, one that is new or deleted.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenNc } from '../../edge/test/support/given-nc.ts'
import { type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

test('a link to nothing says what is missing, and blames no role', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('campaigns'), 'Campaigns')
  const open = async (path: string, text: string) => {
    await page.goto(given.url + path)
    await page.getByText('Nothing here').waitFor()
    await page.getByText(text).waitFor()
  }
  const org = `/org/${given.demo.organisation.id}/app`
  await open('/dashboard/nothing', 'There is no page at this address.')
  await open(`${org}/users/%E0%A4%A`, 'There is no page at this address.')
  await open('/org/org_nothing/app/home', 'You have no role in this organisation, or it does not exist.')
  await open(
    `${org}/environments/env_gone`,
    'You have no role on this organisation or environment, or it does not exist.',
  )
  expect(faults).toEqual([])
  await page.context().close()
})

test('a link to a new environment opens it in a tab that is open already, and one to a deleted one says that it is gone', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('campaigns'), 'Campaigns')
  const { id } = await givenNc(given.settings).json<{ id: string }>(
    `env create --org ${given.demo.organisation.id} --name made-later`,
  )
  const goTo = (environment: string) =>
    page.evaluate((env) => {
      const url = new URL(location.href)
      url.searchParams.set('env', env)
      history.pushState(null, '', url)
      dispatchEvent(new PopStateEvent('popstate'))
    }, environment)
  const shown = page.locator('.sidebar .switch-button').filter({ hasText: 'made-later' })
  await goTo(id)
  await shown.waitFor()
  await page.goto(given.address('campaigns', { env: 'env_gone' }))
  await page
    .getByRole('status')
    .filter({ hasText: 'The environment of this link is gone. This is made-later.' })
    .waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('env')).toBe(id)
  expect(faults).toEqual([])
  await page.context().close()
})
