// Tests mails in the delivery history: how they are shown, that looking counts nothing, and hostile ones.

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  findViolationsAround,
  frameOf,
  type GivenDashboard,
  givenDashboard,
  mailOf,
  visitSignedIn,
} from './given-dashboard.ts'

let given: GivenDashboard
const HEADING = 'Delivery History'
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

/** Sends a mail to a new user. @returns the id of its message */
async function sendMail(userId: string, email: object): Promise<string> {
  const event = `mail.${userId}`
  const steps = [{ id: 'mail', type: 'email', ...email }]
  const campaign = { key: userId, name: 'Mails', trigger: { event }, steps }
  const { id } = await given.call<{ id: string }>('POST', '/v1/campaigns', campaign)
  await given.call('POST', `/v1/campaigns/${id}/publish`)
  await given.call('PUT', `/v1/users/${userId}`, { email: `${userId}@example.com`, name: 'Ada' })
  await given.track({ name: event, userId })
  const list = `/v1/deliveries?userId=${userId}&channel=email`
  const read = async () =>
    (await given.call<{ data: { messageId: string; status: string }[] }>('GET', list)).data.find(
      ({ status }) => status === 'sent',
    )?.messageId
  await expect.poll(read).toBeDefined()
  return (await read()) ?? ''
}

test('a mail is shown as it was sent: wide, narrow, dark and as text; looking counts nothing', async () => {
  const markdown =
    '# Hello {{ user.name }}\n\n**[Orders](https://shop.example/orders)**\n\n![A plant](http://shop.example/p.png)'
  const messageId = await sendMail('m_1', { subject: 'Your plants', preheader: 'Three of them', markdown })
  const { page, faults } = await visitSignedIn(given, given.address('inbox', { message: messageId }), HEADING)
  const side = page.getByRole('region', { name: 'Delivery' })
  await side.getByRole('heading', { name: 'Sending' }).waitFor()
  await side.getByRole('heading', { name: 'Attempts' }).waitFor()
  await side.getByRole('listitem').filter({ hasText: 'Accepted' }).getByText('the mailbox').waitFor()
  await side.getByRole('tab', { name: 'Message' }).click()
  await mailOf(page).getByRole('heading', { name: 'Hello Ada' }).waitFor()
  for (const text of ['Your plants', 'Three of them', 'Ada <m_1@example.com>']) {
    await side.locator('dd').filter({ hasText: text }).waitFor()
  }
  expect(await frameOf(page)).toEqual({ sandbox: 'allow-popups allow-popups-to-escape-sandbox', width: 360 })
  expect(await mailOf(page).getByRole('link', { name: 'Orders' }).getAttribute('href')).toBe(
    'https://shop.example/orders',
  )
  await side.getByText('One picture is not loaded here').waitFor()
  await side.getByRole('button', { name: 'Wide' }).click()
  await expect.poll(async () => (await frameOf(page)).width).toBe(640)

  const paper = () => mailOf(page).locator('.sheet')
  await expect
    .poll(() => paper().evaluate((element) => getComputedStyle(element).backgroundColor))
    .toBe('rgb(255, 255, 255)')
  await side.getByRole('button', { name: 'Dark' }).click()
  await expect
    .poll(() => paper().evaluate((element) => getComputedStyle(element).backgroundColor))
    .toBe('rgb(29, 32, 37)')
  expect(await findViolationsAround(page)).toEqual([])
  await side.getByRole('button', { name: 'Text' }).click()
  await side.getByRole('region', { name: 'Text of the mail' }).getByText('https://shop.example/orders').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  const { timeline } = await given.call<{ timeline: { eventType: string }[] }>('GET', `/v1/deliveries/${messageId}`)
  expect(timeline.map(({ eventType }) => eventType)).toEqual(['send'])
  expect(faults.filter((fault) => !fault.includes('http://shop.example/p.png'))).toEqual([])
  await page.context().close()
})

test('a hostile mail runs no script, sends no form and leaves its frame only into a tab', async () => {
  const html = `<p id="p">before</p><script>document.getElementById('p').textContent = 'after'</script>
    <p onclick="document.body.textContent = 'clicked'">Click</p><form action="/dashboard"><button>Send</button></form>
    <a href="https://elsewhere.example/" target="_top">Leave</a> <a href="#p">Up</a><style>@import url(https://elsewhere.example/x.css);</style>`
  const messageId = await sendMail('m_2', { subject: '<b>Hostile</b>', html })
  const { page } = await visitSignedIn(given, given.address('inbox', { message: messageId }), HEADING)
  const side = page.getByRole('region', { name: 'Delivery' })
  await side.getByRole('tab', { name: 'Message' }).click()
  await mailOf(page).getByText('before', { exact: true }).waitFor()
  const address = page.url()
  await mailOf(page).getByText('Click').click()
  await mailOf(page).getByRole('button', { name: 'Send' }).click()
  const opened = page.waitForEvent('popup')
  await mailOf(page).getByRole('link', { name: 'Leave' }).click()
  await (await opened).close()
  // A link into the mail itself does nothing.
  await mailOf(page).getByText('Up').click({ force: true })
  await mailOf(page).getByText('before', { exact: true }).waitFor()
  await mailOf(page).getByText('Click').waitFor()
  expect(page.url()).toBe(address)
  expect(page.frames()).toHaveLength(3)
  await side.getByText('Styles and fonts from elsewhere').waitFor()
  await page.context().close()
})

test('a mail that was not written says so', async () => {
  await given.call('POST', '/v1/suppressions', { userId: 'm_1', channel: 'email' })
  const eventId = await given.track({ name: 'mail.m_1', userId: 'm_1' })
  const list = `/v1/deliveries?eventId=${eventId}`
  const { data } = await given.call<{ data: { messageId: string }[] }>('GET', list)
  const { page, faults } = await visitSignedIn(
    given,
    given.address('inbox', { message: data[0]?.messageId ?? '' }),
    HEADING,
  )
  const side = page.getByRole('region', { name: 'Delivery' })
  await side.getByRole('tab', { name: 'Message' }).click()
  await side.getByText('There is no mail').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('a mail to a suppressed address shows why, and that no provider was asked', async () => {
  await given.call('PUT', '/v1/users/m_gone', { email: 'gone@example.com' })
  await given.call('POST', '/v1/suppressions', { address: 'gone@example.com', reason: 'complaint' })
  const steps = [{ id: 'mail', type: 'email', subject: 'Hello', markdown: 'Hello' }]
  const { id } = await given.call<{ id: string }>('POST', '/v1/campaigns', {
    key: 'gone',
    name: 'Gone',
    trigger: { event: 'gone' },
    steps,
  })
  await given.call('POST', `/v1/campaigns/${id}/publish`)
  const find = async () => {
    await given.track({ name: 'gone', userId: 'm_gone' })
    const path = '/v1/deliveries?userId=m_gone&status=skipped'
    return (await given.call<{ data: { messageId: string }[] }>('GET', path)).data[0]?.messageId
  }
  await expect.poll(find).toBeDefined()
  const message = (await find()) ?? ''
  const { page, faults } = await visitSignedIn(given, given.address('inbox', { message }), HEADING)
  const side = page.getByRole('region', { name: 'Delivery' })
  await side.getByText('its owner reported a mail as spam').waitFor()
  await side.getByText('No provider was asked.').waitFor()
  await side.getByRole('link', { name: 'Suppressions' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('address')).toBe('gone@example.com')
  expect(faults).toEqual([])
  await page.context().close()
})
