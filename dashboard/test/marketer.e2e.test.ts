// Tests the main job of the editor as a marketer does it who never saw JSON: by mouse, and by keyboard alone.

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CampaignAnswer } from '../../contract/resources/campaign.ts'
import type { KeptMailAnswer } from '../../contract/resources/mail.ts'
import { programPath } from '../../tools/programs/programs.ts'
import { openBrowser } from '../../tools/test/one-browser.ts'
import { type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

/** How a person works: both ways lead through the same pages. */
interface Hand {
  /** Presses a link or a button. */
  press(target: Locator): Promise<void>
  /** Replaces what a field has. */
  write(field: Locator, text: string): Promise<void>
  choose(field: Locator, option: string): Promise<void>
  /** Adds a step behind the one of that text. */
  add(page: Page, after: RegExp, step: string): Promise<void>
}

/** More keys than any way through a page takes. */
const MOST_KEYS = 250

const item = (page: Page, text: RegExp) => page.getByRole('treeitem').filter({ hasText: text }).last()
/** Within the shadow root that the target is in. */
const isFocused = (target: Locator) =>
  target.evaluate((element) => (element.getRootNode() as Document | ShadowRoot).activeElement === element)

/** Reaches the target by Tab, from wherever the focus is. */
async function tabTo(target: Locator): Promise<void> {
  await target.waitFor()
  for (let keys = 0; keys < MOST_KEYS; keys++) {
    if (await isFocused(target)) return
    await target.page().keyboard.press('Tab')
  }
  throw new Error(`no key leads to ${target}`)
}

/** Reaches an item of the tree: Tab leads to one of them, arrows to the others. */
async function walkTo(page: Page, text: RegExp): Promise<void> {
  const current = page.locator('[role=treeitem][tabindex="0"]')
  await tabTo(current)
  await page.keyboard.press('Home')
  for (let keys = 0; keys < MOST_KEYS; keys++) {
    if (await isFocused(item(page, text))) return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`no arrow leads to ${text}`)
}

const keyboard: Hand = {
  async press(target) {
    await tabTo(target)
    await target.page().keyboard.press('Enter')
  },
  async write(field, text) {
    await tabTo(field)
    await field.page().keyboard.press('Control+a')
    await field.page().keyboard.type(text)
    // Closes the list of variables.
    await field.page().keyboard.press('Escape')
  },
  async choose(field, option) {
    await tabTo(field)
    await field.page().keyboard.type(option)
  },
  async add(page, after, step) {
    await walkTo(page, after)
    await page.keyboard.press('+')
    await page.getByRole('menuitem', { name: step }).waitFor()
    await page.keyboard.type(step[0] as string)
    await page.keyboard.press('Enter')
  },
}

const mouse: Hand = {
  press: (target) => target.click(),
  async write(field, text) {
    await field.click()
    await field.page().keyboard.press('Control+a')
    await field.page().keyboard.insertText(text)
    await field.page().keyboard.press('Escape')
  },
  choose: async (field, option) => void (await field.selectOption({ label: option })),
  async add(page, after, step) {
    await item(page, after).click()
    await page.locator('.flow-add').last().click()
    await page.getByRole('menuitem', { name: step }).click()
  },
}

let laterMs = 0
let given: GivenDashboard
beforeAll(async () => {
  const shared = await givenDashboard({}, { clock: { now: () => Date.now() + laterMs } })
  // Without a window, Tab leads from the last element of a page to none.
  given = { ...shared, browser: await openBrowser({ executablePath: programPath('chromium') }) }
  // The service knows what a paid order looks like.
  for (const way of ['keyboard', 'mouse'])
    await given.track({ name: `paid.${way}`, userId: 'somebody', properties: { orderId: 'A-1', total: 74 } })
})
afterAll(async () => {
  await given?.browser.close()
  await given?.stop()
})

const subjectsTo = async (address: string): Promise<string[]> => {
  const { data } = await given.call<{ data: KeptMailAnswer[] }>('GET', '/v1/email/mailbox')
  return data.filter(({ to }) => to.address === address).map(({ subject }) => subject)
}

const messagesOf = async (userId: string, campaignId: string): Promise<unknown[]> => {
  const query = new URLSearchParams({ userId, campaignId, channel: 'inbox' })
  const { data } = await given.call<{ data: { title: string }[] }>('GET', `/v1/deliveries?${query}`)
  return data.map(({ title }) => title)
}

test.each([
  ['keyboard', keyboard],
  ['mouse', mouse],
] as const)(
  'a paid order over 100, ten minutes, a mail in two languages unless it was read: made and published by %s',
  async (way, { press, write, choose, add }) => {
    const { page, faults } = await visitSignedIn(given, given.address('campaigns'), 'Campaigns')
    const name = `Paid by ${way}`
    await press(page.getByRole('link', { name: 'New campaign' }))
    await press(page.getByRole('link', { name: 'From blank' }))
    await write(page.getByLabel('Name'), name)
    await write(page.getByLabel('Event', { exact: true }), `paid.${way}`)
    await write(page.getByLabel('Title of the message'), 'Order {{ event.properties.orderId }} is paid')
    await press(page.getByRole('button', { name: 'Create the draft' }))
    await page.getByRole('heading', { level: 1, name }).waitFor()

    const form = page.locator('nc-step-form, nc-campaign-form')
    const field = (label: string) => form.getByLabel(label, { exact: true })
    await press(form.getByRole('button', { name: 'Add a condition' }))
    await write(field('Property: Only if, 1'), 'event.properties.total')
    await choose(field('Operator: Only if, 1'), 'is more than')
    await write(field('Value: Only if, 1'), '100')

    await add(page, /is paid/, 'Wait Goes on')
    await expect.poll(() => field('How long').inputValue()).toBe('10')
    await add(page, /Wait 10 minutes/, 'Email')
    await choose(field('Send'), 'unless “message” was read: Order {{ event.properties.orderId }} is paid')
    await write(field('Subject'), 'Thank you for {{ event.properties.orderId }}')
    await write(form.getByRole('textbox', { name: 'Body' }), 'Thank you.')
    await press(form.getByRole('button', { name: 'Add a language' }))
    await expect.poll(() => isFocused(field('Language'))).toBe(true)
    await page.keyboard.type('de')
    await page.keyboard.press('Enter')
    await form.getByText('German. Missing: subject, body').waitFor()
    await write(field('Subject'), 'Danke für {{ event.properties.orderId }}')
    await write(form.getByRole('textbox', { name: 'Body' }), 'Danke.')
    await page.locator('.save-state').getByText('Saved', { exact: true }).waitFor()

    await press(page.getByRole('button', { name: 'Publish' }))
    const dialog = page.locator('wa-dialog[open]')
    await dialog.getByText('This is its first version.').waitFor()
    await press(dialog.getByRole('button', { name: 'Publish' }))
    await page.getByText(`“${name}” is published as version 1.`).waitFor()
    const id = /\/(cmp_[^/]+)\/edit/.exec(page.url())?.[1] ?? ''
    const { draft } = await given.call<CampaignAnswer>('GET', `/v1/campaigns/${id}`)
    expect([draft.trigger, draft.steps]).toEqual([
      { event: `paid.${way}`, where: 'event.properties.total > 100' },
      [
        { id: 'message', type: 'inbox', title: 'Order {{ event.properties.orderId }} is paid' },
        { id: 'wait', type: 'delay', for: 'PT10M' },
        {
          id: 'mail',
          type: 'email',
          subject: 'Thank you for {{ event.properties.orderId }}',
          markdown: 'Thank you.',
          unless: { read: 'message' },
          locales: { de: { subject: 'Danke für {{ event.properties.orderId }}', markdown: 'Danke.' } },
        },
      ],
    ])
    expect(faults).toEqual([])
    await page.context().close()

    const address = `${way}@shop.example`
    await given.call('PUT', `/v1/users/${way}`, { name: 'Käthe', locale: 'de', email: address })
    for (const total of [100, 101]) {
      await given.track({ name: `paid.${way}`, userId: way, properties: { orderId: `A-${total}`, total } })
    }
    await expect.poll(() => messagesOf(way, id)).toEqual(['Order A-101 is paid'])
    expect(await subjectsTo(address)).toEqual([])
    laterMs += 10 * 60_000
    await expect.poll(() => subjectsTo(address)).toEqual(['Danke für A-101'])
  },
)
