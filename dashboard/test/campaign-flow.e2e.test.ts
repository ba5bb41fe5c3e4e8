// Tests the picture of a campaign's steps: its numbers, what is selected, keys, the list in a narrow window, and the tabs of the page.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolationsAround, type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
let id: string

const NAME = 'Paid orders'
const inbox = (stepId: string, title: string) => ({ id: stepId, type: 'inbox', title })
const draft = {
  key: 'paid-orders',
  name: NAME,
  trigger: { event: 'order.paid' },
  steps: [
    inbox('tell', 'Order {{ event.properties.orderId }} is paid'),
    {
      id: 'size',
      type: 'branch',
      branches: [
        {
          key: 'big',
          when: 'event.properties.total > 100',
          steps: [{ id: 'pause', type: 'delay', for: 'P1D' }, inbox('thanks', 'Thank you')],
        },
      ],
    },
    inbox('last', 'What comes next'),
  ],
}

const pay = (userId: string, total: number) =>
  given.track({ name: 'order.paid', userId, properties: { orderId: 'A-1', total } })

beforeAll(async () => {
  given = await givenDashboard()
  const made = await given.call<{ id: string }>('POST', '/v1/campaigns', draft)
  id = made.id
  await given.call('POST', `/v1/campaigns/${id}/publish`)
  await given.call('POST', '/v1/suppressions', { userId: 'u_silent', channel: 'inbox' })
  await pay('u_big', 200)
  await pay('u_small', 20)
  await pay('u_silent', 30)
})
afterAll(() => given?.stop())

const open = (query: Readonly<Record<string, string>> = {}, options = {}) =>
  visitSignedIn(given, given.address(`campaigns/${id}`, query), NAME, options)
const item = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name })
const focused = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement).dataset.item)

test('the page begins with the steps and their numbers, which follow what happens', async () => {
  const { page, faults } = await open()
  await expect
    .poll(async () =>
      (await page.getByRole('treeitem').allInnerTexts()).map((text) => text.split(/\s*\n\s*/).join(' ')),
    )
    .toEqual([
      'Event 3 order.paid 1 waiting now',
      'Inbox 3 Order {orderId} is paid 100 % 1 not sent 0 % read',
      'Branch 3 If total > 100 100 %',
      'If total > 100 1 33 %',
      'Wait 1 Wait 1 day 33 % 1 waiting now',
      'Inbox 0 Thank you 0 %',
      'Otherwise 2 67 %',
      'Inbox 2 What comes next 67 % 1 not sent 0 % read',
      'End 2 67 %',
    ])
  await pay('u_small', 40)
  await item(page, /Otherwise 3 75 %/).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('a selected step is in the address, and shows its numbers, its words, and reasons that lead into the history', async () => {
  const { page, faults } = await open()
  await item(page, /is paid/).click()
  expect(new URL(page.url()).searchParams.get('step')).toBe('tell')
  const side = page.getByRole('complementary', { name: 'Selected step' })
  await side.getByRole('heading', { name: 'Order {orderId} is paid' }).waitFor()
  await side.getByText('{{ event.properties.orderId }}').first().waitFor()
  await side.getByRole('row', { name: /^Delivered \d+/ }).waitFor()
  expect(await item(page, /is paid/).getAttribute('aria-selected')).toBe('true')
  expect(await findViolationsAround(page)).toEqual([])
  await side.getByRole('link', { name: 'The user or the address is suppressed' }).click()
  await page.getByRole('heading', { level: 1, name: 'Delivery History' }).waitFor()
  await page.getByText('2 deliveries.').waitFor()
  await page.goBack()
  // The link shows the same, also of a way: its step.
  await page.goto(given.address(`campaigns/${id}`, { step: 'size/big' }))
  await side.getByRole('row', { name: /If total > 100 1 / }).waitFor()
  await side.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => side.count()).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
})

test('the tree has one tab stop, and its keys lead through steps and ways', async () => {
  const { page, faults } = await open()
  await item(page, /order.paid/).waitFor()
  const stops = () => page.locator('[role=treeitem][tabindex="0"]').count()
  expect(await stops()).toBe(1)
  await item(page, /order.paid/).focus()
  const seen: (string | undefined)[] = []
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowLeft', 'End', 'Home']) {
    await page.keyboard.press(key)
    seen.push(await focused(page))
  }
  expect(seen).toEqual(['tell', 'size', 'size/big', 'pause', 'size/big', 'size', '/end', '/trigger'])
  // The keys fold the ways of a step, too.
  const size = page.locator('[data-item="size"]')
  await size.focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => page.locator('[data-item="pause"]').count()).toBe(0)
  expect(await size.getAttribute('aria-expanded')).toBe('false')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => page.locator('[data-item="pause"]').count()).toBe(1)
  await size.locator('[data-fold]').click()
  await expect.poll(() => page.locator('[data-item="pause"]').count()).toBe(0)
  await size.locator('[data-fold]').click()
  await page.locator('[data-item="/trigger"]').focus()
  await expect.poll(() => page.locator('[data-item="pause"]').count()).toBe(1)
  expect(await stops()).toBe(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Selected step' }).waitFor()
  expect(await focused(page)).toBe('tell')
  const levels = await page
    .getByRole('treeitem')
    .evaluateAll((all) =>
      all.map((one) => ['level', 'posinset', 'setsize'].map((name) => one.getAttribute(`aria-${name}`))),
    )
  expect(levels.slice(2, 6)).toEqual([
    ['1', '3', '5'],
    ['2', '1', '2'],
    ['3', '1', '2'],
    ['3', '2', '2'],
  ])
  expect(faults).toEqual([])
  await page.context().close()
})

test('ways stand side by side, and in a narrow window the same steps are a list', async () => {
  const { page, faults } = await open({}, { viewport: { width: 1280, height: 900 } })
  const placeOf = async (name: string | RegExp) => (await item(page, name).boundingBox()) ?? { x: 0, y: 0 }
  await item(page, /Otherwise/).waitFor()
  const [way, other] = [await placeOf(/^If total > 100 \d/), await placeOf(/Otherwise/)]
  expect(way.y).toBe(other.y)
  expect(way.x).toBeLessThan(other.x)
  await page.setViewportSize({ width: 360, height: 780 })
  await expect.poll(() => page.locator('.flow-lines').isVisible()).toBe(false)
  const boxes = await page.getByRole('treeitem').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))
  for (const [at, { top, right }] of boxes.entries()) {
    expect(right).toBeLessThanOrEqual(360)
    if (at > 0) expect(top).toBeGreaterThanOrEqual(boxes[at - 1]?.bottom ?? 0)
  }
  expect(faults).toEqual([])
  await page.context().close()
})

test('another version shows its own steps and numbers, and another window is kept in the address', async () => {
  await given.call('PUT', `/v1/campaigns/${id}`, { ...draft, steps: [inbox('tell', 'Paid, in short')] })
  await given.call('POST', `/v1/campaigns/${id}/publish`)
  const { page, faults } = await open()
  await item(page, 'Inbox 0 Paid, in short').waitFor()
  expect(await page.getByRole('treeitem').count()).toBe(3)
  await page.getByRole('combobox', { name: 'Version' }).selectOption('1')
  await item(page, /Otherwise [1-9]/).waitFor()
  await page.getByRole('button', { name: '24 hours' }).click()
  await item(page, /Otherwise [1-9]/).waitFor()
  const { searchParams } = new URL(page.url())
  expect([searchParams.get('version'), searchParams.get('window')]).toEqual(['1', '24h'])
  expect(faults).toEqual([])
  await page.context().close()
})

test('a picture takes marked steps and what stands between steps, and is made smaller and fitted again', async () => {
  const { page, faults } = await open({ version: '1' })
  await item(page, /Otherwise/).waitFor()
  const widthOf = async () => (await item(page, /Otherwise/).boundingBox())?.width
  const before = await widthOf()
  await page.getByRole('button', { name: 'Smaller' }).click()
  await expect.poll(widthOf).toBeLessThan(before ?? 0)
  await page.getByRole('button', { name: 'Fit to width' }).click()
  await expect.poll(widthOf).toBe(before)
  await page.locator('nc-flow').evaluate((flow) => {
    const between = ({ parent, index }: { parent?: string; index: number }) => `${parent ?? 'top'} ${index}`
    Object.assign(flow, { highlighted: new Set(['/trigger', 'tell', 'size', 'size/']), between })
  })
  const gaps = page.locator('.flow-gap')
  await expect.poll(() => gaps.allInnerTexts()).toHaveLength(8)
  expect((await gaps.allInnerTexts()).toSorted()).toEqual(
    ['size/ 0', 'size/big 0', 'size/big 1', 'size/big 2', 'top 0', 'top 1', 'top 2', 'top 3'].toSorted(),
  )
  // From the event to the branch, into its way, and out of it.
  expect(await page.locator('.flow-line[data-highlighted]').count()).toBe(4)
  expect(await findViolationsAround(page)).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

test('tabs are reached by arrow keys and by a link, and what is typed into one stays', async () => {
  const { page, faults } = await open({ tab: 'messages' })
  const user = page.locator('nc-draft-preview').getByLabel('User ID')
  await user.fill('u_typed')
  await page.getByRole('tab', { name: 'Messages' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('heading', { name: 'Definition of the draft' }).waitFor()
  expect(new URL(page.url()).searchParams.get('tab')).toBe('versions')
  await page.keyboard.press('Home')
  await item(page, /order.paid/).waitFor()
  expect(new URL(page.url()).searchParams.get('tab')).toBe(null)
  expect(await page.getByRole('heading', { name: 'Definition of the draft' }).count()).toBe(0)
  await item(page, /Paid, in short/).click()
  await page.getByRole('link', { name: 'Preview the message' }).click()
  await page.locator('nc-message-preview').getByText('Paid, in short').first().waitFor()
  expect(await user.inputValue()).toBe('u_typed')
  expect(faults).toEqual([])
  await page.context().close()
})

test('the funnel compares branches side by side, of a version and of all, with a trend', async () => {
  const properties = { invoiceId: 'I-1', total: 900, currency: 'EUR', dueOn: 'Monday', daysOverdue: 0 }
  for (const [at, daysOverdue] of [0, 0, 3].entries())
    await given.track({ name: 'invoice.issued', userId: `u_${at}`, properties: { ...properties, daysOverdue } })
  const address = given.address(`campaigns/${given.demo.campaigns.invoice}`, { tab: 'funnel' })
  const { page, faults } = await visitSignedIn(given, address, 'Invoice (with branches)')
  const captions = () => page.locator('.funnel-table caption').allTextContents()
  await expect.poll(captions).toEqual(['All branches', 'large', 'overdue'])
  const groups = page.locator('.branch-group')
  expect(await groups.locator('.branch-step').allTextContents()).toEqual(['Read', 'Opened', 'Clicked'])
  expect(await groups.first().locator('.branch-name').allTextContents()).toEqual(['large', 'overdue'])
  expect(await page.locator('.trend polyline').count()).toBe(3)
  await page.getByRole('combobox', { name: 'Version' }).selectOption('1')
  await expect.poll(captions).toEqual(['Version 1', 'large', 'overdue'])
  expect(await page.locator('.funnel-table').first().locator('tbody tr').first().allInnerTexts()).toEqual([
    expect.stringMatching(/Delivery\s+3/),
  ])
  expect(await findViolationsAround(page)).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})
