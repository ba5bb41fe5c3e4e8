// Tests notification configs: creation, edits with the live preview of the widget's panel, faults, and the default of an environment.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  findViolations,
  findViolationsAround,
  type GivenDashboard,
  givenDashboard,
  mailOf,
  overflowOf,
  visitSignedIn,
} from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

const dialog = (page: Page) => page.locator('wa-dialog[open]')
const preview = (page: Page) => page.locator('nc-config-preview')

async function createConfig(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Create a config' }).click()
  await dialog(page).getByLabel('Name').fill(name)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

test('a config is created and edited; the preview follows each change, and nothing is stored before "Save"', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('notification-configs'), 'Notification configs')
  await page.getByText('No notification configs yet').waitFor()
  await createConfig(page, 'Shop')
  await preview(page).getByText('Your order is on its way').waitFor()

  await page.getByLabel('Accent colour', { exact: true }).fill('#0a7f5a')
  const accentOf = () =>
    preview(page).evaluate((element) => getComputedStyle(element).getPropertyValue('--_service-accent').trim())
  await expect.poll(accentOf).toBe('#0a7f5a')
  await page.getByLabel('Theme').selectOption('dark')
  await expect.poll(() => preview(page).evaluate((element) => getComputedStyle(element).colorScheme)).toBe('dark')
  await page.getByLabel('Find a text').fill('notifications')
  await page.getByLabel(/^Notifications notifications$/).fill('News of the shop')
  await preview(page).getByRole('heading', { name: 'News of the shop', includeHidden: true }).waitFor()
  await page.getByRole('button', { name: 'Add a category' }).click()
  await page.getByLabel('Key of category 1').fill('orders')
  await page.getByLabel('Name of category 1').fill('Your orders')
  // The panel has tabs of categories where there is more than one.
  await page.getByRole('button', { name: 'Add a category' }).click()
  await page.getByLabel('Key of category 2').fill('news')
  await preview(page).getByText('Your orders').first().waitFor()
  await preview(page).getByText('News', { exact: true }).first().waitFor()
  expect(await findViolations(page)).toEqual([])
  const questions: string[] = []
  page.on('dialog', (question) => {
    questions.push(question.type())
    void (questions.length === 1 ? question.dismiss() : question.accept())
  })
  await page.getByRole('link', { name: 'Members' }).click()
  expect(questions).toEqual(['confirm'])
  expect(new URL(page.url()).pathname).toContain('/notification-configs/')
  await page.reload()
  expect(questions).toEqual(['confirm', 'beforeunload'])
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
  expect(await page.getByLabel('Accent colour', { exact: true }).inputValue()).toBe('')
  expect(faults).toEqual([])
  await page.context().close()
})

test('of two people who edit a config, the second keeps the text, and loads the newer one or saves over it', async () => {
  const { page: first } = await visitSignedIn(given, given.address('notification-configs'), 'Notification configs')
  await createConfig(first, 'Shared')
  const { page, faults } = await visitSignedIn(given, first.url(), 'Shared')
  const theme = (of: Page) => of.getByLabel('Theme')
  const save = (of: Page) => of.getByRole('button', { name: 'Save', exact: true })
  const conflict = page.getByRole('alert').filter({ hasText: 'after you have opened it' })
  await theme(first).selectOption('dark')
  await save(first).click()
  await first.getByText('The config is saved.').waitFor()

  await page.getByLabel('Accent colour', { exact: true }).fill('#0a7f5a')
  await save(page).click()
  await conflict.getByText(`${given.demo.dashboard.email} has changed it`).waitFor()
  expect(await page.getByLabel('Accent colour', { exact: true }).inputValue()).toBe('#0a7f5a')
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await overflowOf(page)).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Load the newer one' }).click()
  await expect.poll(() => theme(page).inputValue()).toBe('dark')
  expect(await page.getByLabel('Accent colour', { exact: true }).inputValue()).toBe('')
  expect(await conflict.count()).toBe(0)

  await theme(first).selectOption('light')
  await save(first).click()
  await expect.poll(() => save(first).count()).toBe(0)
  await page.getByLabel('Accent colour', { exact: true }).fill('#123456')
  await save(page).click()
  await page.getByRole('button', { name: 'Save over it' }).click()
  await page.getByText('The config is saved.').waitFor()
  await first.reload()
  await first.getByRole('heading', { level: 1, name: 'Shared' }).waitFor()
  expect(await first.getByLabel('Accent colour', { exact: true }).inputValue()).toBe('#123456')
  expect(await theme(first).inputValue()).toBe('dark')
  expect(faults).toEqual([])
  await page.context().close()
  await first.context().close()
})

test('a saved config is there after a reload, and its faults are named with their field', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('notification-configs'), 'Notification configs')
  await createConfig(page, 'Mails')
  await page.getByLabel('Language').selectOption('de')
  await preview(page).getByText('Ungelesen').first().waitFor()
  await page.getByLabel('Find a text').fill('markAllRead')
  await page.getByLabel(/markAllRead$/).fill('Alles gelesen')
  await page.getByLabel('Accent colour', { exact: true }).fill('green')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This must be a colour: #rrggbb.').waitFor()
  await page.getByLabel('Accent colour', { exact: true }).fill('#0a7f5a')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The config is saved.').waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Mails' }).waitFor()
  expect(await page.getByLabel('Accent colour', { exact: true }).inputValue()).toBe('#0a7f5a')
  await page.getByLabel('Language').selectOption('de')
  expect(await page.getByLabel(/markAllRead$/).inputValue()).toBe('Alles gelesen')

  await page.getByRole('button', { name: 'Make it the default' }).click()
  await dialog(page).getByLabel('Environment').selectOption('dev')
  await dialog(page).getByRole('button', { name: 'Make it the default' }).click()
  await page.getByText('Default of dev', { exact: true }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('further senders and the site of a config are edited, with each fault at its field', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('notification-configs'), 'Notification configs')
  await createConfig(page, 'Senders')
  await openMail(page)
  const site = page.getByLabel('Site', { exact: true })
  expect(await site.getAttribute('placeholder')).toBe('Inherited from the environment')
  await site.fill('shop')
  await page.locator('#mail-siteUrl-fault').getByText('This must be the https (or http) address of a site').waitFor()
  await site.fill('https://shop.example/de')
  await page.getByRole('button', { name: 'Add a sender' }).click()
  await page.getByLabel('Name of sender 1').fill('Orders')
  await page.getByLabel('Address of sender 1').fill('orders')
  await page.locator('#sender-faults-0').getByText('This is no e-mail address.').waitFor()
  expect(await page.getByLabel('Address of sender 1').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Address of sender 1').fill('orders@shop.example')
  await page.getByRole('button', { name: 'Add a sender' }).click()
  await page.getByLabel('Address of sender 2').fill('help@shop.example')
  await page.getByLabel('Remove sender 1').click()
  expect(await findViolationsAround(page)).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The config is saved.').waitFor()
  await page.reload()
  await expect.poll(() => page.getByLabel('Address of sender 1').inputValue()).toBe('help@shop.example')
  expect(await page.getByLabel('Address of sender 2').count()).toBe(0)
  expect(await site.inputValue()).toBe('https://shop.example/de')
  expect(await overflowOf(page)).toBe(0)
  // 400: what the preview refuses while a fault is typed.
  expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
  await page.context().close()
})

const layoutText = (page: Page) => page.getByRole('textbox', { name: 'Layout' })
const openMail = (page: Page) => page.getByRole('button', { name: 'Mail', exact: true }).click()

test('the mails of a config are edited beside their preview, begun from the standard layout, and stored', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('notification-configs'), 'Notification configs')
  await createConfig(page, 'Letters')
  await openMail(page)
  await mailOf(page).getByRole('heading', { name: 'Good news, Ada' }).waitFor()
  await page.getByLabel('Sender’s name').fill('Loam Plants')
  await mailOf(page).getByText('Loam Plants').waitFor()
  await page.getByRole('button', { name: 'Begin with the standard layout' }).click()
  await expect.poll(() => layoutText(page).inputValue()).toContain('{{ content }}')
  await mailOf(page).getByText('Loam Plants').waitFor()
  expect(await findViolationsAround(page)).toEqual([])

  await layoutText(page).fill('<main>\n  <h6>News of {{ senderName }}</h6>\n  {{ content }}\n</main>')
  await mailOf(page).getByRole('heading', { name: 'News of Loam Plants' }).waitFor()
  await page.getByLabel('Clicks').uncheck()
  await page.getByLabel('Answers go to').fill('help@loam.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The config is saved.').waitFor()
  await page.reload()
  await mailOf(page).getByRole('heading', { name: 'News of Loam Plants' }).waitFor()
  expect(await page.getByLabel('Clicks').isChecked()).toBe(false)
  expect(await page.getByLabel('Openings').isChecked()).toBe(true)
  expect(await page.getByLabel('Answers go to').inputValue()).toBe('help@loam.example')
  expect(faults).toEqual([])
  await page.context().close()
})

test('a fault of a layout has its line, which a click selects; the last preview stays', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('notification-configs'), 'Notification configs')
  await createConfig(page, 'Faults')
  await openMail(page)
  await mailOf(page).getByRole('heading', { name: 'Good news, Ada' }).waitFor()
  await layoutText(page).fill('<main>\n{{ content }}\n  {% if subject %}\n</main>')
  const line = page.getByRole('button', { name: 'Line 3, column 3' })
  await line.waitFor()
  await page.getByText('the preview shows the last state').waitFor()
  await mailOf(page).getByRole('heading', { name: 'Good news, Ada' }).waitFor()
  await line.click()
  const selected = () =>
    layoutText(page).evaluate((element) => {
      const { value, selectionStart, selectionEnd } = element as HTMLTextAreaElement
      return value.slice(selectionStart, selectionEnd)
    })
  expect(await selected()).toBe('{% if subject %}')
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').filter({ hasText: 'email.layout' }).waitFor()

  await layoutText(page).fill('')
  await page.getByRole('button', { name: 'MJML' }).click()
  await page.getByRole('button', { name: 'Begin with a layout in MJML' }).click()
  await expect.poll(() => layoutText(page).inputValue()).toContain('<mjml>')
  await page.getByText('the preview shows the last state').waitFor({ state: 'detached' })
  const source = await layoutText(page).inputValue()
  await layoutText(page).fill(source.replace('</mj-body>', '</mj-section>\n</mj-body>'))
  await page.getByText('This is no MJML').waitFor()
  await page.getByRole('button', { name: /^Line \d+, column/ }).waitFor()
  await page.getByLabel('Sender’s address').fill('nowhere')
  await page.getByText('email.senderAddress').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('a viewer reads the mails of a config, and may not change them', async () => {
  const viewer = await given.join('config-viewer@example.com', 'viewer')
  const { page, faults } = await visitSignedIn(
    given,
    given.address('notification-configs'),
    'Notification configs',
    {},
    viewer,
  )
  await page.getByRole('link', { name: 'Letters' }).click()
  await openMail(page)
  await mailOf(page).getByRole('heading', { name: 'News of Loam Plants' }).waitFor()
  expect(await page.getByLabel('Sender’s name').isDisabled()).toBe(true)
  expect(await layoutText(page).getAttribute('readonly')).not.toBeNull()
  expect(faults).toEqual([])
  await page.context().close()
})

test.each(['light', 'dark'] as const)('%s: a config has no violation, wide and narrow', async (colorScheme) => {
  const options = { colorScheme }
  const { page, faults } = await visitSignedIn(
    given,
    given.address('notification-configs'),
    'Notification configs',
    options,
  )
  await createConfig(page, `Look, ${colorScheme}`)
  await preview(page).getByText('Your order is on its way').waitFor()
  for (const key of ['orders', 'news']) {
    await page.getByRole('button', { name: 'Add a category' }).click()
    await page
      .getByRole('textbox', { name: /^Key of category/ })
      .last()
      .fill(key)
  }
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await findViolations(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  }
  expect(faults).toEqual([])
  await page.context().close()
})
