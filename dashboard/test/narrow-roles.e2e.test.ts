// Tests the navigation and the widths of a phone, and that what a viewer or an editor may not do is missing.

import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenNc } from '../../edge/test/support/given-nc.ts'
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
    const labels = (await page.locator('main wa-button').allInnerTexts()).map((label) => label.trim())
    // Those that scroll a bar of tabs have a picture alone.
    found[heading] = labels.filter((label) => label !== '')
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
    await page.getByRole('heading', { level: 1, name: 'dev', exact: true }).waitFor()
    // What was shown once stays in the page.
    for (const name of ['Sign-in', 'Copy campaigns']) await page.getByRole('tab', { name }).click()
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
    Campaigns: ['New campaign', 'Search'],
  })
})

/** How far the element reaches beyond the window, or beyond the box in which it stands (pixels). */
const reachesBeyond = (locator: Locator) =>
  locator.evaluate((element) => {
    const box = element.closest('.table-box, .card, .log')?.getBoundingClientRect()
    const edge = Math.min(box?.right ?? innerWidth, innerWidth)
    return Math.max(0, Math.round(element.getBoundingClientRect().right - edge))
  })

test('on the narrowest phone, with long names and addresses, nothing is cut', async () => {
  const email = `${'a-long-name-'.repeat(4)}@customers.example.com`
  await given.join(email, 'editor')
  await givenNc(given.settings).json(
    `member invite --org ${given.demo.organisation.id} --email invited-${email} --role viewer`,
  )
  const eventId = await given.track({
    name: 'invoice.issued',
    userId: 'u_without_address',
    properties: { invoiceId: 'R-1', total: 20, currency: 'EUR', dueOn: 'today', daysOverdue: 0 },
  })
  await given.track({ name: 'stripe.payment_intent.payment_failed', userId: 'u_1', properties: { amount: 1 } })
  const narrow = { viewport: { width: 320, height: 740 } }
  const { page, faults } = await visitSignedIn(given, given.address('members'), 'Members', narrow)
  const open = async (path: string, heading: string) => {
    await page.goto(given.address(path))
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
    await expect.poll(() => page.locator('main .loading').count()).toBe(0)
    expect(await overflowOf(page), path).toBe(0)
  }
  const boxes = page.locator('.table-box')
  const scrollsIn = () =>
    boxes.evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))

  await page.getByText(`invited-${email}`).waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(await scrollsIn()).toEqual([0, 0])
  for (const name of ['Leave', 'Remove', 'Revoke']) {
    expect(await reachesBeyond(page.getByRole('button', { name }).first()), name).toBe(0)
  }
  for (const [path, heading] of [
    ['events', 'Events'],
    ['campaigns', 'Campaigns'],
    ['users', 'Users'],
    ['environments', 'Environments'],
  ] as const) {
    await open(path, heading)
    expect(await scrollsIn(), path).toEqual([0])
  }

  await open(`campaigns/${given.demo.campaigns.invoice}`, 'Invoice (with branches)')
  await page.getByRole('tab', { name: 'Funnel' }).click()
  expect(await reachesBeyond(page.locator('.funnel-table').first())).toBe(0)

  await open(`events/${eventId}`, 'invoice.issued')
  const gaps = await page.locator('.column-main > .card').evaluateAll((cards) => {
    const edges = cards.map((card) => card.getBoundingClientRect())
    return edges.slice(1).map((edge, at) => Math.round(edge.top - (edges[at]?.bottom ?? 0)))
  })
  expect(gaps).toEqual(gaps.map(() => 16))
  expect(gaps.length).toBeGreaterThan(1)

  // The time of a row ends where its status does, also beside a reason.
  await open('inbox', 'Delivery History')
  const ends = await page.locator('.grid-body .grid-row').evaluateAll((rows) =>
    rows.map((row) =>
      ['Status', 'Time'].map((column) => {
        const range = document.createRange()
        range.selectNodeContents(row.querySelector(`[data-column="${column}"]`) ?? row)
        return Math.round(range.getBoundingClientRect().right)
      }),
    ),
  )
  expect(ends.length).toBeGreaterThan(1)
  expect(new Set(ends.flat()).size).toBe(1)
  const widthOf = (name: string) =>
    page
      .locator('search')
      .getByLabel(name, { exact: true })
      .evaluate((field) => field.getBoundingClientRect().width)
  expect(await widthOf('Campaign')).toBe(await widthOf('Search by ID, or by user'))

  await open('audit-log', 'Audit log')
  const heights = await page.locator('.log-time').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))
  expect(new Set(heights.map(({ right }) => Math.round(right))).size).toBe(1)
  expect(Math.max(...heights.map(({ height }) => height))).toBeLessThan(30)
  expect(faults).toEqual([])
  await page.context().close()
})
