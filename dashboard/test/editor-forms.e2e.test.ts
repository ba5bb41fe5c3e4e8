// Tests the forms of the campaign editor as people use them: completion, clicks, durations, locales, faults, JSON, a viewer.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CampaignAnswer } from '../../contract/resources/campaign.ts'
import {
  type Account,
  findViolationsAround,
  type GivenDashboard,
  givenDashboard,
  visitSignedIn,
} from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

const STEPS = [
  { id: 'tell', type: 'inbox', title: 'Thank you', body: 'Paid', locales: { de: { title: 'Danke' } } },
  { id: 'wait', type: 'delay', for: 'PT10M' },
  { id: 'mail', type: 'email', subject: 'Paid', markdown: 'Hello', unless: { read: 'tell' } },
]
/** Printed by clicks it would be another text. */
const WHERE = 'event.properties.total>100'

async function create(key: string, where = WHERE): Promise<string> {
  const body = { key, name: `Campaign ${key}`, trigger: { event: 'order.paid', where }, steps: STEPS }
  return (await given.call<CampaignAnswer>('POST', '/v1/campaigns', body)).id
}

const draftOf = async (id: string) => (await given.call<CampaignAnswer>('GET', `/v1/campaigns/${id}`)).draft
const open = (id: string, key: string, account?: Account) =>
  visitSignedIn(given, given.address(`campaigns/${id}/edit`), `Campaign ${key}`, {}, account)
const item = (page: Page, text: string) => page.getByRole('treeitem').filter({ hasText: text })
const form = (page: Page) => page.locator('nc-step-form, nc-campaign-form')
const view = (page: Page, name: string) => page.getByRole('group', { name: 'View' }).getByRole('button', { name })
const field = (page: Page, name: string) => form(page).getByLabel(name, { exact: true })

test('a text is completed by keys, and one word is all that changes', async () => {
  const id = await create('texts')
  const before = await draftOf(id)
  const { page, faults } = await open(id, 'texts')
  await item(page, 'Thank you').click()
  const title = field(page, 'Title')
  await title.focus()
  await page.keyboard.press('End')
  await page.keyboard.type(', {{ user.na')
  await page.getByRole('option', { name: 'user.name' }).waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.keyboard.type('!')
  expect(await title.inputValue()).toBe('Thank you, {{ user.name }}!')
  await title.evaluate((element: HTMLInputElement) => element.setSelectionRange(5, 5))
  await page.keyboard.type(' {{ user')
  await page.keyboard.press('Escape')
  await page.keyboard.type('.id }},')
  expect(await title.inputValue()).toBe('Thank {{ user.id }}, you, {{ user.name }}!')
  await page.getByRole('button', { name: 'Insert a variable: Link' }).click()
  await page.getByRole('option', { name: 'user.locale' }).click()
  expect(await field(page, 'Link').inputValue()).toBe('{{ user.locale }}')
  await field(page, 'Link').fill('')
  const steps = [{ ...STEPS[0], title: 'Thank {{ user.id }}, you, {{ user.name }}!' }, ...STEPS.slice(1)]
  await expect.poll(async () => JSON.stringify((await draftOf(id)).steps)).toBe(JSON.stringify(steps))
  expect(JSON.stringify(await draftOf(id))).toBe(JSON.stringify({ ...before, steps }))
  expect(faults).toEqual([])
  await page.context().close()
})

test('a condition is kept as written until a click changes it, and goes to CEL and back', async () => {
  const id = await create('clicks')
  const { page, faults } = await open(id, 'clicks')
  const whereOf = async () => ((await draftOf(id)).trigger as { where?: string }).where
  await field(page, 'Name').fill('Campaign renamed')
  await expect.poll(async () => (await draftOf(id)).name).toBe('Campaign renamed')
  expect(await whereOf()).toBe(WHERE)
  await field(page, 'Value: Only if, 1').fill('74')
  await expect.poll(whereOf).toBe('event.properties.total > 74')
  await form(page).getByRole('button', { name: 'Add', exact: true }).click()
  const property = field(page, 'Property: Only if, 2')
  await property.fill('user.loc')
  await page.getByRole('option', { name: 'user.locale' }).waitFor()
  await page.keyboard.press('Enter')
  await field(page, 'Operator: Only if, 2').selectOption('is one of')
  await field(page, 'Value: Only if, 2, one a line').fill('de\nfr')
  await form(page).getByRole('button', { name: 'Any of these' }).click()
  await expect.poll(whereOf).toBe('event.properties.total > 74 || user.locale in ["de", "fr"]')
  expect(await findViolationsAround(page)).toEqual([])

  // A row that is not complete keeps the condition as it was.
  await field(page, 'Value: Only if, 1').fill('many')
  await form(page).getByText('This row is not complete').waitFor()
  await field(page, 'Value: Only if, 1').fill('75')
  await expect.poll(whereOf).toBe('event.properties.total > 75 || user.locale in ["de", "fr"]')

  await form(page).getByRole('button', { name: 'Write as CEL' }).click()
  const code = form(page).getByRole('textbox', { name: 'Only if, in CEL' })
  await code.locator('.cm-line').waitFor()
  await code.press('Control+a')
  await page.keyboard.type('size(event.properties.items) > 2')
  await form(page).getByText('More than clicks can say').waitFor()
  await expect.poll(whereOf).toBe('size(event.properties.items) > 2')
  expect(await findViolationsAround(page)).toEqual([])
  await code.press('Control+a')
  await page.keyboard.type('user.id == "a"')
  await form(page).getByRole('button', { name: 'Build by clicks' }).click()
  await field(page, 'Value: Only if, 1').waitFor()
  await form(page).getByRole('button', { name: 'Remove: Only if, 1' }).click()
  await expect.poll(whereOf).toBeUndefined()
  expect(faults).toEqual([])
  await page.context().close()
})

test('durations, locales, buttons and the body of a mail are changed without JSON', async () => {
  const id = await create('parts')
  const { page, faults } = await open(id, 'parts')
  const steps = async () => (await draftOf(id)).steps as Record<string, unknown>[]
  await item(page, 'Wait 10 minutes').click()
  await field(page, 'How long').fill('2')
  await field(page, 'Unit: How long').selectOption('hours')
  await expect.poll(async () => (await steps())[1]).toEqual({ id: 'wait', type: 'delay', for: 'PT2H' })
  await field(page, 'Unit: How long').selectOption('as text')
  await field(page, 'How long').fill('PT1H30M')
  await form(page).getByText('That is 1 hour 30 minutes.').waitFor()

  await item(page, 'Thank you').click()
  await form(page).getByRole('tab', { name: 'de, lacks body' }).click()
  await field(page, 'Body').fill('Bezahlt')
  await form(page).getByRole('tab', { name: 'de', exact: true }).waitFor()
  await form(page).getByRole('button', { name: 'Add a language' }).click()
  await field(page, 'Language').fill('fr-CA')
  await form(page).getByText('Canadian French').waitFor()
  await page.keyboard.press('Enter')
  await field(page, 'Title').fill('Merci')
  await page.keyboard.press('Tab')
  await form(page).getByRole('tab', { name: 'fr-CA' }).press('ArrowLeft')
  await form(page).getByRole('button', { name: 'Add a button' }).click()
  await field(page, 'Label').fill('See it')
  await form(page).getByRole('button', { name: 'Main', exact: true }).click()
  await form(page).getByRole('button', { name: 'Warning' }).click()
  await form(page).getByRole('button', { name: 'Urgent' }).click()
  expect(await findViolationsAround(page)).toEqual([])
  await expect
    .poll(async () => (await steps())[0])
    .toEqual({
      ...STEPS[0],
      locales: { de: { title: 'Danke', body: 'Bezahlt' }, 'fr-CA': { title: 'Merci' } },
      actions: [{ label: 'See it', style: 'primary' }],
      icon: 'warning',
      priority: 'urgent',
    })

  await field(page, 'Name in history').fill('hello')
  await page.keyboard.press('Tab')
  await expect.poll(async () => (await steps())[2]?.unless).toEqual({ read: 'hello' })
  await item(page, 'Email').click()
  await form(page).getByRole('button', { name: 'HTML' }).click()
  const body = form(page).getByRole('textbox', { name: 'Body' })
  await body.locator('.cm-line').waitFor()
  await body.press('Control+End')
  await page.keyboard.type(' {{ user.na')
  await body.page().getByRole('option', { name: 'user.name' }).waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => JSON.stringify((await steps())[2]))
    .toBe('{"id":"mail","type":"email","subject":"Paid","html":"Hello {{ user.name }}","unless":{"read":"hello"}}')
  expect(faults).toEqual([])
  await page.context().close()
})

test('a fault stands at its field, is reached from the list, and is gone with another value', async () => {
  const id = await create('faults')
  const { page, faults } = await open(id, 'faults')
  await item(page, 'Wait 10 minutes').click()
  await field(page, 'How long').fill('soon')
  const fault = form(page).getByText('This must be an ISO 8601 duration')
  await fault.waitFor()
  const input = field(page, 'How long')
  expect(await input.getAttribute('aria-invalid')).toBe('true')
  expect(await input.getAttribute('aria-describedby')).toContain(await fault.getAttribute('id'))
  expect(await findViolationsAround(page)).toEqual([])
  await item(page, 'Thank you').click()
  await field(page, 'Expires after').waitFor({ state: 'hidden' })
  await page.getByRole('region', { name: '1 fault' }).getByRole('button').click()
  await expect.poll(() => input.evaluate((element) => element === document.activeElement)).toBe(true)
  await input.fill('PT5M')
  await fault.waitFor({ state: 'detached' })
  expect(await input.getAttribute('aria-invalid')).toBeNull()

  // What is hidden is opened.
  await item(page, 'Thank you').click()
  await form(page).getByText('More', { exact: true }).click()
  await field(page, 'Expires after').fill('never')
  await form(page).getByText('More', { exact: true }).click()
  await form(page).getByRole('tab', { name: 'de, lacks body' }).click()
  await page.getByRole('region', { name: '1 fault' }).getByRole('button', { name: 'Expiry of' }).click()
  await field(page, 'Expires after').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('the definition is edited as JSON while it is JSON, with its faults at their lines', async () => {
  const id = await create('json')
  const { page, faults } = await open(id, 'json')
  await view(page, 'JSON').click()
  const code = page.getByRole('textbox', { name: 'Definition' })
  await code.locator('.cm-line').first().waitFor()
  await code.getByText('"Thank you"').click()
  await page.keyboard.press('Home')
  await page.keyboard.press('End')
  await page.keyboard.type(' x')
  const line = await code
    .locator('.cm-line')
    .evaluateAll((lines) => lines.findIndex((one) => one.textContent?.includes('Thank you')) + 1)
  await page.getByText('this is no JSON. The campaign stays as it was.').waitFor()
  expect(
    Math.abs(Number(/\d+/.exec((await page.locator('.json-editor .field-fault').textContent()) ?? '')?.[0]) - line),
  ).toBeLessThanOrEqual(1)
  expect((await draftOf(id)).steps).toEqual(STEPS)
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.getByText('Each change is one of the campaign').waitFor()
  await code.getByText('"PT10M"').dblclick()
  await page.keyboard.type('later')
  await page.getByRole('region', { name: '1 fault' }).waitFor()
  await page.locator('.cm-lintRange-error').filter({ hasText: 'later' }).waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await code.getByText('"later"').dblclick()
  await page.keyboard.type('PT20M')
  await expect.poll(async () => (await draftOf(id)).steps).toEqual([STEPS[0], { ...STEPS[1], for: 'PT20M' }, STEPS[2]])
  await view(page, 'Picture').click()
  await item(page, 'Wait 20 minutes').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('a viewer reads all forms and changes nothing', async () => {
  const id = await create('read')
  const viewer = await given.join('reader@example.com', 'viewer')
  const before = await draftOf(id)
  const { page, faults } = await open(id, 'read', viewer)
  expect(await field(page, 'Name').isDisabled()).toBe(true)
  for (const step of ['Thank you', 'Wait 10 minutes', 'Email']) {
    await item(page, step).click()
    await field(page, 'Name in history').waitFor()
    if (step === 'Thank you') {
      await form(page).getByRole('tab', { name: 'de, lacks body' }).click()
      expect(await field(page, 'Title').inputValue()).toBe('Danke')
    }
    expect(await form(page).locator('input:enabled, textarea:enabled:not([readonly]), select:enabled').count()).toBe(0)
    expect(await findViolationsAround(page)).toEqual([])
  }
  expect(await form(page).getByRole('textbox', { name: 'Body' }).getAttribute('aria-readonly')).toBe('true')
  await view(page, 'JSON').click()
  const code = page.getByRole('textbox', { name: 'Definition' })
  await code.locator('.cm-line').first().waitFor()
  await code.press('x')
  expect(await draftOf(id)).toEqual(before)
  expect(faults).toEqual([])
  await page.context().close()
})
