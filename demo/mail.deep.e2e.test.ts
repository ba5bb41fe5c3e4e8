// Tests the mails of the demo in a real browser: the list, a mail opened and its link followed, and what no mail may do.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveBrowser, shareBrowser } from '../tools/test/one-browser.ts'
import { createInboxReader } from './replay/inbox.ts'
import { findViolations, type GivenDemo, givenDemo, visit } from './test/browser.ts'

let given: GivenDemo
let browser: Browser

beforeAll(async () => {
  given = await givenDemo()
  browser = await shareBrowser()
})

afterAll(async () => {
  await leaveBrowser()
  await given?.stop()
})

async function funnelOf(key: string): Promise<number[]> {
  const answer = await given.dev.get(`/v1/campaigns/${given.demo.campaigns[key]}/stats?channel=email`)
  return (answer.body as { steps: { count: number }[] }).steps.map(({ count }) => count)
}

interface Kept {
  messageId: string
  to: { address: string }
}

/** Waits for the mail to that address. */
async function mailTo(address: string): Promise<Kept> {
  const find = async () =>
    ((await given.dev.get('/v1/email/mailbox')).body as { data: Kept[] }).data.find(({ to }) => to.address === address)
  await expect.poll(find).toBeDefined()
  return (await find()) as Kept
}

const openTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()
const row = (page: Page, text: string) => page.locator('.mail-row').filter({ hasText: text })
const mailFrame = (page: Page) => page.frameLocator('#mail iframe')

test('an event becomes a mail that is opened and whose link is followed, and the funnel of email says so', async () => {
  const { page, faults } = await visit(browser, given.edge.url)
  await openTab(page, 'Mail')
  await page.getByText('No mail yet').waitFor()
  await openTab(page, 'Send')
  await page.getByRole('button', { name: 'Welcome' }).click()
  await page.locator('#send').click()
  await page.getByText('2 messages.').waitFor()
  await openTab(page, 'Mail')
  await row(page, 'Welcome to Loam, Mira').waitFor()
  await expect.poll(() => funnelOf('welcome')).toEqual([1, 0, 0, 0])

  await row(page, 'Mira Okafor').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Welcome to Loam, Mira')
  await mailFrame(page).getByText('Glad to have you').waitFor()
  await page.locator('#mail').getByText('Mira Okafor <mira@example.com>').waitFor()
  expect(await findViolations(page)).toEqual([])
  await expect.poll(() => funnelOf('welcome')).toEqual([1, 1, 1, 0])

  const link = mailFrame(page).getByRole('link', { name: 'See all plants' })
  expect(await link.getAttribute('href')).toContain('/v1/t/c/')
  const opened = page.waitForEvent('popup')
  await link.click()
  await (await opened).waitForURL(`${given.edge.url}/`)
  await expect.poll(() => funnelOf('welcome')).toEqual([1, 1, 1, 1])

  await page.getByRole('radio', { name: 'Text' }).check()
  await page.locator('#mail pre').getByText('Glad to have you').waitFor()
  expect(await page.locator('#mail iframe').isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Back' }).click()
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await expect.poll(focused).toContain('Welcome to Loam, Mira')
  expect(await findViolations(page)).toEqual([])
  // A new row does not take the focus of another one.
  await given.dev.track({ name: 'user.signed-up', userId: 'u_7', properties: {} })
  await row(page, 'Jonas Weidt').waitFor()
  expect(await page.locator('.mail-row').allInnerTexts()).toEqual([
    expect.stringContaining('Jonas'),
    expect.stringContaining('Mira'),
  ])
  expect(await focused()).toContain('Mira')

  await openTab(page, 'Funnel')
  await page.locator('#funnel-campaign option').first().waitFor({ state: 'attached' })
  await page.locator('#funnel-campaign').selectOption({ label: 'Welcome' })
  await page.getByRole('radio', { name: 'Email' }).check()
  const counts = page.locator('table.funnel').first().locator('.count')
  await expect.poll(() => counts.allTextContents()).toEqual(['2', '1', '1', '1'])
  await page.getByRole('radio', { name: 'Inbox' }).check()
  await expect.poll(() => counts.allTextContents()).toEqual(['2', '0', '0', '0'])
  expect(faults).toEqual([])
  await page.context().close()
})

test('the mail about a delivered order goes only to who has not read its message', async () => {
  const eventIds: Record<string, string> = {}
  for (const userId of ['reader', 'other']) {
    const user = { email: `${userId}@example.com` }
    const { body } = await given.dev.track({ name: 'order.delivered', userId, user, properties: { orderId: 'L-7' } })
    eventIds[userId] = (body as { eventId: string }).eventId
  }
  const deliveries = async (userId: string) =>
    (
      (await given.dev.get(`/v1/deliveries?eventId=${eventIds[userId]}`)).body as {
        data: { channel: string; status: string; statusReason: string | null }[]
      }
    ).data
  await expect.poll(() => deliveries('reader')).toMatchObject([{ channel: 'inbox' }])
  await createInboxReader(given.edge.url, given.demo).register('reader', 'read')
  await mailTo('other@example.com')
  await expect
    .poll(() => deliveries('reader'))
    .toEqual(
      expect.arrayContaining([
        expect.objectContaining({ channel: 'email', status: 'skipped', statusReason: 'condition' }),
      ]),
    )
})

test('a mail runs no script, and reaches neither the page around it nor another site’s', async () => {
  const campaign = {
    key: 'hostile',
    trigger: { event: 'hostile' },
    steps: [
      {
        id: 'mail',
        type: 'email',
        subject: '<b>Hostile</b>',
        html: '<p id="said">before</p><script>document.getElementById("said").textContent = "after"</script><form action="/"><button>Go</button></form>',
      },
    ],
  }
  const { id } = (await given.dev.post('/v1/campaigns', campaign)).body as { id: string }
  await given.dev.post(`/v1/campaigns/${id}/publish`)
  await given.dev.track({ name: 'hostile', userId: 'u_h', user: { email: 'h@example.com' }, properties: {} })
  const { messageId } = await mailTo('h@example.com')
  const { page } = await visit(browser, given.edge.url)
  await openTab(page, 'Mail')
  await row(page, '<b>Hostile</b>').click()
  await mailFrame(page).getByText('before').waitFor()
  const path = (await page.locator('#mail iframe').getAttribute('src')) ?? ''
  expect(path).toContain(messageId)
  expect(await page.locator('#mail iframe').getAttribute('sandbox')).not.toMatch(/scripts|same-origin|forms|top/)

  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Open in a tab' }).click(),
  ])
  await tab.getByText('before').waitFor()
  await page.context().close()

  const ask = (url: string, site: string) => fetch(given.edge.url + url, { headers: { 'sec-fetch-site': site } })
  const document = await ask(path, 'same-origin')
  expect(document.headers.get('content-security-policy')).toContain('sandbox allow-popups')
  expect(document.headers.get('cache-control')).toBe('no-store')
  expect((await ask(path, 'cross-site')).status).toBe(403)
  expect((await ask(path.replace('/dev/', '/prod/'), 'same-origin')).status).toBe(404)
  expect((await ask(path.replace('/dev/', '/none/'), 'same-origin')).status).toBe(404)
  expect((await ask(path.replace(messageId, 'msg_none'), 'same-origin')).status).toBe(404)
})
