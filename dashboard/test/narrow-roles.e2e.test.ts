// Tests the navigation of a phone, and that what a viewer or an editor may not do is missing.

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Account,
  findViolations,
  type GivenDashboard,
  givenDashboard,
  overflowOf,
  visitSignedIn,
} from './given-dashboard.ts'

let given: GivenDashboard
let viewer: Account
let editor: Account
beforeAll(async () => {
  given = await givenDashboard()
  viewer = await given.join('viewer@example.com', 'viewer')
  editor = await given.join('editor@example.com', 'editor')
})
afterAll(() => given?.stop())

const PHONE = { viewport: { width: 360, height: 740 } }

/** Follows the navigation of the phone to each page; returns the labels of the buttons there. */
async function walk(account: Account): Promise<Record<string, string[]>> {
  const { page, faults } = await visitSignedIn(given, given.address('inbox'), 'Delivery History', PHONE, account)
  const navigation = page.getByRole('button', { name: 'Navigation' })
  const found: Record<string, string[]> = {}
  const note = async (heading: string) => {
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
    await expect.poll(() => page.locator('main .loading').count()).toBe(0)
    found[heading] = (await page.locator('main wa-button').allInnerTexts()).map((label) => label.trim())
    expect(await overflowOf(page), heading).toBe(0)
  }
  for (const entry of ['Environments', 'Notification configs', 'Members', 'Campaigns']) {
    await navigation.focus()
    await page.keyboard.press('Enter')
    expect(await navigation.getAttribute('aria-expanded')).toBe('true')
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: entry, exact: true }).press('Enter')
    await note(entry)
    expect(await navigation.getAttribute('aria-expanded')).toBe('false')
    if (entry !== 'Environments') continue
    await page.getByRole('link', { name: 'dev', exact: true }).click()
    await note('dev')
    await page.getByRole('link', { name: 'Secrets and their rotation' }).click()
    await note('Secrets')
  }
  expect(faults).toEqual([])
  await page.context().close()
  return found
}

test('a viewer looks at everything, and has no button that changes', async () => {
  expect(await walk(viewer)).toEqual({
    Environments: [],
    dev: ['Check'],
    Secrets: [],
    'Notification configs': [],
    Members: ['Leave'],
    Campaigns: ['Search'],
  })
})

test('an editor creates configs and copies campaigns, and changes no environment, secret or member', async () => {
  expect(await walk(editor)).toEqual({
    Environments: [],
    dev: ['Check', 'Compare'],
    Secrets: [],
    'Notification configs': ['Create a config'],
    Members: ['Leave'],
    Campaigns: ['Search'],
  })
})
