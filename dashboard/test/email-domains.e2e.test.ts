// Tests the domains of senders on the page of e-mail: the records to add, and what is well.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenNameServer, givenNameServer } from '../../edge/test/support/given-name-server.ts'
import { findViolationsAround, type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
let names: GivenNameServer
beforeAll(async () => {
  names = await givenNameServer()
  given = await givenDashboard({}, { findTexts: names.findTexts })
})
afterAll(async () => {
  await given?.stop()
  await names?.stop()
})

test('a missing record is shown to copy, and is well when it was added', async () => {
  const credentials = { host: 'mail.example.com', user: 'shop', password: 'battery staple' }
  const body = { name: 'Relay', provider: 'smtp', credentials, from: { address: 'news@shop.example' } }
  await given.call('POST', '/v1/email/integrations', body)
  const { page, faults } = await visitSignedIn(given, given.address('email'), 'Email')
  const row = (kind: string) => page.locator('nc-domain-check tbody tr').filter({ hasText: `${kind} of shop.example` })
  await row('SPF').getByText('v=spf1 a:mail.example.com ~all').waitFor()
  await row('SPF').getByText('Missing').waitFor()
  await row('DMARC').getByText('_dmarc.shop.example').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  names.records.set('shop.example', ['v=spf1 a:mail.example.com ~all'])
  await page.getByRole('button', { name: 'Check again' }).click()
  await row('SPF').getByText('Ok').waitFor()
  await page.getByRole('link', { name: 'Relay' }).click()
  await page.locator('.facts').getByText('mail.example.com').waitFor()
  expect(await page.content()).not.toContain('battery staple')
  expect(faults).toEqual([])
  await page.context().close()
})
