// Tests the pages of sources: creation, the secret, signed deliveries, mappings with faults and a trial, rotation, removal.

import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConnectorPlatform } from '../../contract/tenant.ts'
import { signedHeaders } from '../../edge/test/support/given-sources.ts'
import { findViolationsAround, type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

const dialog = (page: Page) => page.locator('wa-dialog[open]')
const unsaved = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' })
const mappings = (page: Page) => page.getByRole('region', { name: 'Mappings' })
const trial = (page: Page) => page.getByRole('region', { name: 'Try a payload' })
const deliveries = (page: Page) => page.getByRole('region', { name: 'Last deliveries' })
const secret = (page: Page) => page.getByRole('region', { name: 'Webhook signing secret' })
const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

const invoice = (id: string, customer = 'cus_7') => ({
  id,
  type: 'invoice.paid',
  created: Math.floor(Date.now() / 1000),
  data: { object: { customer, amount_paid: 4800 } },
})

/** @returns The status of the answer. */
async function deliver(provider: ConnectorPlatform, id: string, payload: object, value: string): Promise<number> {
  const url = `${given.url}/v1/connectors/${provider}/${id}`
  const body = JSON.stringify(payload)
  const headers = { 'content-type': 'application/json', ...signedHeaders(provider, { secret: value, body, url }) }
  return (await fetch(url, { method: 'POST', headers, body })).status
}

async function openNewSource(page: Page, platform: RegExp, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Create a source' }).click()
  await dialog(page).getByRole('radio', { name: platform }).check()
  await dialog(page).getByLabel('Name').fill(name)
}

test('a made secret is shown once with the address and the steps; a signed delivery appears and leads to its event', async () => {
  const { prod } = given.demo.environments
  const { page, faults } = await visitSignedIn(given, given.address('sources', { env: prod.id }), 'Sources')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByText('A source is an address').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await openNewSource(page, /^Segment/, 'Web')
  expect(await findViolationsAround(page)).toEqual([])
  await page.keyboard.press('Enter')
  const value =
    (await dialog(page)
      .getByText(/^whsec_/)
      .textContent()) ?? ''
  await dialog(page).getByText('Enter the address as its URL').waitFor()
  await dialog(page).getByRole('button', { name: 'Copy Address' }).click()
  expect(await findViolationsAround(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { level: 1, name: 'Web' }).waitFor()
  expect(await page.title()).toContain('Web')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`/v1/connectors/segment/${idOf(page)}`)
  await page.getByText('No delivery with a valid signature').waitFor()
  expect(await page.content()).not.toContain(value)
  expect(await findViolationsAround(page)).toEqual([])

  const call = { type: 'track', messageId: 'm-1', event: 'Order Completed', userId: 'u_9', properties: { total: 4 } }
  expect(await deliver('segment', idOf(page), call, value)).toBe(200)
  await deliveries(page).getByText('Accepted').locator('visible=true').waitFor()
  await expect.poll(() => page.getByText('No delivery with a valid signature').count()).toBe(0)
  expect(await deliver('segment', idOf(page), call, 'wrong')).toBe(401)
  await deliveries(page).getByText('The signature does not match').waitFor()
  await deliveries(page).getByRole('link', { name: 'Event', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Order Completed' }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('a platform that dictates its secret gets it by the steps; paused, its deliveries are dropped', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('sources'), 'Sources')
  await page.getByText('Demo Intercom').waitFor()
  await openNewSource(page, /^Stripe/, 'Payments')
  await dialog(page).getByText('Stripe shows it once it has the address').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
  const connect = page.getByRole('region', { name: 'Connect Stripe' })
  await connect.getByLabel('Signing secret of Stripe').fill('has a space')
  await page.keyboard.press('Enter')
  await connect.getByRole('alert').filter({ hasText: 'without spaces' }).waitFor()
  await connect.getByLabel('Signing secret of Stripe').fill('whsec_first')
  await page.keyboard.press('Enter')
  await page.locator('.notice', { hasText: 'The secret is saved.' }).waitFor()
  await connect.getByText('Another value replaces it.').waitFor()
  expect(await page.content()).not.toContain('whsec_first')
  expect(await deliver('stripe', idOf(page), invoice('evt_1'), 'whsec_first')).toBe(200)
  await expect.poll(() => connect.count()).toBe(0)

  await page.getByRole('button', { name: 'Pause' }).click()
  await dialog(page).getByRole('button', { name: 'Pause' }).click()
  await page.locator('.page-head').getByText('Paused').waitFor()
  await expect.poll(() => dialog(page).count()).toBe(0)
  expect(await deliver('stripe', idOf(page), invoice('evt_2'), 'whsec_first')).toBe(200)
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.locator('.page-head').getByText('Active').waitFor()
  expect(await deliver('stripe', idOf(page), invoice('evt_3'), 'whsec_first')).toBe(200)
  await deliveries(page).getByText('evt_3').waitFor()
  await deliveries(page).getByText('evt_2').waitFor()
  await page.getByText('Dropped in a pause').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('faults of mappings stand at their fields; a payload is tried before they are saved', async () => {
  const { id } = await given.call<{ id: string }>('POST', '/v1/sources', { name: 'Mapped', provider: 'stripe' })
  const { page, faults } = await visitSignedIn(given, given.address(`sources/${id}`), 'Mapped')
  await mappings(page).getByText('invoice.paid', { exact: true }).click()
  await mappings(page).getByLabel('Name of the event').locator('visible=true').fill('9 paid')
  await mappings(page).getByLabel('Path to the user ID').locator('visible=true').fill('data..id')
  await page.keyboard.press('Enter')
  await mappings(page).getByText('This is no name of an event').waitFor()
  await mappings(page).getByText('A path of names joined by dots').waitFor()
  const focus = () => page.evaluate(() => document.activeElement?.getAttribute('name'))
  await expect.poll(focus).toBe('event')
  expect(await findViolationsAround(page)).toEqual([])

  await trial(page).getByRole('button', { name: 'Try it' }).click()
  await trial(page).getByRole('alert').filter({ hasText: '2 fields of the mappings' }).waitFor()
  await mappings(page).getByLabel('Name of the event').locator('visible=true').fill('order.paid')
  await expect.poll(() => mappings(page).getByText('This is no name of an event').count()).toBe(0)
  await mappings(page).getByLabel('Path to the user ID').locator('visible=true').fill('data.object.nobody')
  await trial(page).getByLabel('A delivery of Stripe, as JSON').fill('{')
  await trial(page).getByRole('button', { name: 'Try it' }).click()
  await trial(page).getByRole('alert').filter({ hasText: 'no JSON' }).waitFor()
  await trial(page)
    .getByLabel('A delivery of Stripe, as JSON')
    .fill(JSON.stringify([invoice('evt_1'), { id: 'evt_2', type: 'payout.paid', data: { object: {} } }]))
  await trial(page).getByRole('button', { name: 'Try it' }).click()
  await trial(page).getByRole('heading', { name: 'It would become 2 events' }).waitFor()
  await trial(page).getByText('There is no user at data.object.nobody.').waitFor()
  await trial(page).getByText('stripe.payout.paid').waitFor()
  expect(await findViolationsAround(page)).toEqual([])

  await mappings(page).getByLabel('Path to the user ID').locator('visible=true').fill('data.object.customer')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.notice', { hasText: 'The mappings are saved.' }).waitFor()
  await page.reload()
  await mappings(page).getByText('order.paid').waitFor()
  await mappings(page).getByRole('button', { name: 'Add a mapping' }).click()
  await expect.poll(focus).toBe('providerEvent')
  await page.keyboard.type('invoice.paid')
  await page.keyboard.press('Enter')
  await mappings(page).getByText('Another mapping has this type.').waitFor()
  await mappings(page).getByRole('button', { name: 'Remove' }).locator('visible=true').click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('payout.failed')
  await unsaved(page).waitFor({ state: 'detached' })
  await mappings(page).getByText('payout.paid', { exact: true }).click()
  await mappings(page).getByRole('button', { name: 'Remove' }).locator('visible=true').click()
  await unsaved(page).waitFor()
  await unsaved(page).getByRole('button', { name: 'Discard' }).click()
  await mappings(page).getByText('payout.paid', { exact: true }).waitFor()
  await mappings(page).getByRole('button', { name: 'Use the defaults' }).click()
  await dialog(page).getByRole('button', { name: 'Replace the mappings' }).click()
  await mappings(page).getByText('stripe.invoice.paid').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('the secret rotates with an overlap, is retired and replaced at once; a removal wants the name typed', async () => {
  const first = { name: 'Turning', provider: 'hubspot', verificationSecret: 'first' }
  const { id } = await given.call<{ id: string }>('POST', '/v1/sources', first)
  const change = [{ eventId: 1, subscriptionId: 2, occurredAt: 3, subscriptionType: 'contact.creation', objectId: 4 }]
  const statuses = (...values: string[]) => Promise.all(values.map((value) => deliver('hubspot', id, change, value)))
  const { page, faults } = await visitSignedIn(given, given.address(`sources/${id}`), 'Turning')
  await secret(page).getByRole('button', { name: 'Rotate' }).click()
  await dialog(page).getByLabel('Signing secret of HubSpot').fill('second')
  expect(await findViolationsAround(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Rotate' }).click()
  await secret(page)
    .getByText(/ends in/)
    .waitFor()
  await page.locator('.page-head').getByText('Secret rotating').waitFor()
  expect(await statuses('first', 'second')).toEqual([200, 200])
  expect(await findViolationsAround(page)).toEqual([])
  await expect.poll(() => dialog(page).count()).toBe(0)
  await secret(page).getByRole('button', { name: 'Extend' }).click()
  await dialog(page).getByLabel('From now on, for').selectOption('P3D')
  await dialog(page).getByRole('button', { name: 'Extend' }).click()
  await secret(page).getByText('3.0 d').waitFor()
  await expect.poll(() => dialog(page).count()).toBe(0)
  await secret(page).getByRole('button', { name: 'Retire the old value' }).click()
  await dialog(page).getByLabel(/^Type/).fill('Turning')
  await dialog(page).getByRole('button', { name: 'Retire' }).click()
  await secret(page).getByText('Single', { exact: true }).waitFor()
  expect(await statuses('first', 'second')).toEqual([401, 200])

  await expect.poll(() => dialog(page).count()).toBe(0)
  await secret(page).getByRole('button', { name: 'Replace at once' }).click()
  await dialog(page).getByLabel('Signing secret of HubSpot').fill('third')
  await dialog(page).getByLabel(/^Type/).fill('Turning')
  await page.keyboard.press('Enter')
  await page.locator('.notice', { hasText: 'The secret is saved.' }).waitFor()
  expect(await statuses('second', 'third')).toEqual([401, 200])
  await expect.poll(() => dialog(page).count()).toBe(0)
  await secret(page).getByRole('button', { name: 'Show' }).click()
  await dialog(page).getByRole('button', { name: 'Show' }).click()
  await dialog(page).getByText('third', { exact: true }).waitFor()
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => page.getByText('third', { exact: true }).count()).toBe(0)

  await page.getByRole('button', { name: 'Remove' }).first().click()
  await dialog(page).getByLabel(/^Type/).fill('Turning')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor()
  expect(await statuses('third')).toEqual([404])
  expect(faults).toEqual([])
  await page.context().close()
})

test('the example of each platform becomes an event of a user', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('sources'), 'Sources')
  for (const [platform, { id }] of Object.entries(given.demo.sources)) {
    await page.goto(given.address(`sources/${id}`))
    await trial(page).getByRole('button', { name: 'Try it' }).click()
    await trial(page).getByRole('heading', { name: 'It would become 1 event' }).waitFor()
    await trial(page).getByText('Readable').waitFor()
    expect(await trial(page).getByText('None: it ends').count(), platform).toBe(0)
  }
  expect(faults).toEqual([])
  await page.context().close()
})

test('a viewer reads a source and tries payloads, and may not change it; an editor pauses it', async () => {
  const url = given.address(`sources/${given.demo.sources.segment?.id}`)
  const buttons = async (role: string) => {
    const account = await given.join(`${role}@example.com`, role)
    const { page, faults } = await visitSignedIn(given, url, 'Demo Segment', {}, account)
    await secret(page).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
    const labels = (await page.locator('main wa-button').filter({ visible: true }).allInnerTexts()).map((label) =>
      label.trim(),
    )
    expect(faults).toEqual([])
    await page.context().close()
    return labels
  }
  expect(await buttons('viewer')).toEqual(['Try it'])
  expect(await buttons('editor')).toEqual(['Pause', 'Try it'])
})

test('a source of a recipe is made by the form, its signature tried, and its mappings filter', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('sources'), 'Sources')
  await openNewSource(page, /^Any HMAC/, 'Repository')
  await dialog(page).getByLabel('Sender', { exact: true }).selectOption({ label: 'GitHub' })
  await expect.poll(() => dialog(page).getByLabel('Header of the signature').inputValue()).toBe('X-Hub-Signature-256')
  await dialog(page).getByLabel('Signing secret of GitHub').fill('of-github')
  expect(await findViolationsAround(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { level: 1, name: 'Repository' }).waitFor()

  const signature = page.getByRole('region', { name: 'Signature', exact: true })
  const body = '{"action":"opened"}'
  const sign = (text: string) => createHmac('sha256', 'of-github').update(text).digest('hex')
  const request = signature.getByLabel('A request: headers, an empty line, the body')
  await request.fill(`X-Hub-Signature-256: sha256=${sign('other')}\n\n${body}`)
  await signature.getByRole('button', { name: 'Try it' }).click()
  await signature.getByText(sign(body)).waitFor()
  await signature.getByText(sign('other')).waitFor()
  expect(await page.content()).not.toContain('of-github')
  expect(await findViolationsAround(page)).toEqual([])
  await signature.getByLabel('Header of the signature').fill('X-Own')
  await request.fill(`X-Own: sha256=${sign(body)}\n\n${body}`)
  await signature.getByRole('button', { name: 'Try it' }).click()
  await signature.getByText('It would be taken.').waitFor()
  await signature.getByRole('button', { name: 'Save the settings' }).click()
  await page.locator('.notice', { hasText: 'The settings are saved.' }).waitFor()
  await expect
    .poll(async () => (await given.call<{ settings: object }>('GET', `/v1/sources/${idOf(page)}`)).settings)
    .toMatchObject({ header: 'X-Own', prefix: 'sha256=' })

  await mappings(page).getByRole('button', { name: 'Add a mapping' }).click()
  await mappings(page).getByLabel('Type at the platform').fill('opened')
  await mappings(page).getByLabel('Condition').fill('event.')
  await mappings(page).getByLabel('What goes to the profile').fill('email = sender.mail\nattributes.plan = sender.plan')
  await mappings(page).getByLabel('Topic that the user joins').fill('watchers')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await mappings(page).locator('.field-fault').waitFor()
  await mappings(page).getByLabel('Condition').fill('has(event.properties.action)')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.notice', { hasText: 'The mappings are saved.' }).waitFor()
  expect((await given.call<{ mappings: object[] }>('GET', `/v1/sources/${idOf(page)}`)).mappings).toMatchObject([
    {
      where: 'has(event.properties.action)',
      identify: { email: 'sender.mail', attributes: { plan: 'sender.plan' } },
      joinTopic: 'watchers',
    },
  ])
  expect(faults).toEqual([])
  await page.context().close()
})

test('a delivery shows its body and runs again, and those of a time run again after their number is shown', async () => {
  const { dev } = given.demo.environments
  const created = await given.call<{ id: string; verificationSecret: string }>('POST', '/v1/sources', {
    name: 'Replays',
    provider: 'stripe',
  })
  const value = created.verificationSecret
  for (const number of [1, 2, 3]) expect(await deliver('stripe', created.id, invoice(`evt_${number}`), value)).toBe(200)
  const address = given.address(`sources/${created.id}`, { env: dev.id })
  const { page, faults } = await visitSignedIn(given, address, 'Replays')
  await deliveries(page).getByText('evt_3').waitFor()
  await deliveries(page).getByRole('row', { name: /evt_3/ }).getByRole('button', { name: 'Body' }).click()
  await dialog(page).getByRole('region', { name: 'Body of the delivery' }).getByText('"amount_paid": 4800').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Run again' }).click()
  await page.getByText('It is tracked.').waitFor()

  await deliveries(page).getByRole('button', { name: 'Run again…' }).click()
  await dialog(page).getByRole('button', { name: 'Count them' }).click()
  await dialog(page).getByText('Run 3 deliveries again').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Run again' }).click()
  await deliveries(page).getByText('3 of 3 deliveries: 2 new events').waitFor()
  expect(await findViolationsAround(page)).toEqual([])

  await deliveries(page).getByRole('row', { name: /evt_3/ }).last().getByRole('link', { name: 'Event' }).click()
  await page.getByText('Also sent: idempotencyKey').click()
  await page.getByRole('region', { name: 'Other fields of the event as JSON' }).waitFor()
  expect(faults).toEqual([])
})
