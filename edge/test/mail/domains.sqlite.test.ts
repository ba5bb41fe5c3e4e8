// Tests the check of the domains of senders against a name server: SPF, DKIM and DMARC, with the records to add.
// SQLite alone: a name server is asked, not the store.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DomainFinding } from '../../../contract/resources/email-domain.ts'
import { makeDkimKey } from '../support/dkim.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenNameServer, givenNameServer } from '../support/given-name-server.ts'
import { givenNc } from '../support/given-nc.ts'

const DOMAIN = 'shop.example.com'
const { pem, record: dkimRecord } = makeDkimKey()
const KEY_NAME = `news._domainkey.${DOMAIN}`
const SMTP = {
  name: 'relay',
  provider: 'smtp',
  credentials: { host: 'mail.example.com', dkimDomain: DOMAIN, dkimSelector: 'news', dkimPrivateKey: pem },
  from: { address: `news@${DOMAIN}` },
}
const SPF = 'v=spf1 a:mail.example.com ~all'
const DMARC = 'v=DMARC1; p=none'

let names: GivenNameServer
let given: GivenEdge
let key: string
let id: string

beforeAll(async () => {
  names = await givenNameServer(200)
  given = await givenEdge({}, { findTexts: names.findTexts })
  key = given.demo.environments.dev.sdkSecretKey
  id = (await given.call<{ id: string }>('POST', '/v1/email/integrations', { key, body: SMTP })).body.id
})
beforeEach(() => {
  names.records.clear()
  names.failure = undefined
})
afterAll(async () => {
  await given.stop()
  await names.stop()
})

async function check() {
  const { status, body } = await given.call<{ data: DomainFinding[] }>('GET', '/v1/email/domains', { key })
  expect(status).toBe(200)
  return body.data
}
const put = (settings: object) => given.call('PUT', `/v1/email/integrations/${id}`, { key, body: settings })
/** By kind. */
const verdicts = async () => Object.fromEntries((await check()).map(({ kind, verdict }) => [kind, verdict]))
const recordOf = async (kind: string) => (await check()).find((one) => one.kind === kind)?.record
const ALL_OK = { spf: 'ok', dkim: 'ok', dmarc: 'ok' }

test('records that are missing are given to copy, and with them all is well', async () => {
  const found = await check()
  expect(found.map(({ verdict }) => verdict)).toEqual(['missing', 'missing', 'missing'])
  expect(found.map(({ record }) => record)).toEqual([
    { name: DOMAIN, type: 'TXT', value: SPF },
    { name: KEY_NAME, type: 'TXT', value: dkimRecord },
    { name: `_dmarc.${DOMAIN}`, type: 'TXT', value: DMARC },
  ])
  expect(JSON.stringify(found)).not.toContain('PRIVATE')
  for (const { record } of found) names.records.set(record?.name ?? '', [record?.value ?? ''])
  expect(await verdicts()).toEqual(ALL_OK)
  expect((await check()).map(({ record }) => record)).toEqual([null, null, null])
})

test.each<[string, string, string[], Record<string, string>]>([
  ['two SPF records', DOMAIN, [SPF, 'v=spf1 -all'], { spf: 'wrong' }],
  ['SPF for everybody', DOMAIN, ['v=spf1 +all'], { spf: 'wrong' }],
  ['SPF for everybody, in short', DOMAIN, ['v=spf1 a all'], { spf: 'wrong' }],
  ['texts of others', DOMAIN, ['google-site-verification=x', SPF], ALL_OK],
  ['a text that only begins like SPF', DOMAIN, ['v=spf10 all'], { spf: 'missing' }],
  ['another key', KEY_NAME, [makeDkimKey().record], { dkim: 'wrong' }],
  ['a revoked key', KEY_NAME, ['v=DKIM1; p='], { dkim: 'wrong' }],
  ['a key with spaces', KEY_NAME, [dkimRecord.replace('p=', 'p = ').replace(/(.{80})/g, '$1 ')], ALL_OK],
  ['no policy', `_dmarc.${DOMAIN}`, ['v=DMARC1; rua=mailto:a@example.com'], { dmarc: 'wrong' }],
  ['two policies', `_dmarc.${DOMAIN}`, [DMARC, 'v=DMARC1; p=reject'], { dmarc: 'wrong' }],
])('%s', async (_, name, texts, expected) => {
  names.records.set(DOMAIN, [SPF]).set(KEY_NAME, [dkimRecord]).set(`_dmarc.${DOMAIN}`, [DMARC])
  names.records.set(name, texts)
  expect(await verdicts()).toEqual({ ...ALL_OK, ...expected })
})

test('the policy of the domain above counts', async () => {
  names.records.set('_dmarc.example.com', ['v=DMARC1; p=quarantine'])
  expect((await verdicts()).dmarc).toBe('ok')
})

test('silent name servers prove nothing', async () => {
  for (const failure of ['silence', 'servfail', 'refused'] as const) {
    names.failure = failure
    expect(await verdicts()).toEqual({ spf: 'unknown', dkim: 'unknown', dmarc: 'unknown' })
  }
})

test('an SPF record is completed for a provider, whose key may be known to it alone', async () => {
  names.records.set(DOMAIN, ['v=spf1 include:_spf.google.com -all'])
  await put({ ...SMTP, provider: 'postmark', credentials: { serverToken: 'token' } })
  expect(await verdicts()).toMatchObject({ spf: 'missing', dkim: 'unknown' })
  expect(await recordOf('spf')).toMatchObject({ value: 'v=spf1 include:spf.mtasv.net include:_spf.google.com -all' })
  await put({ ...SMTP, provider: 'resend', credentials: { apiKey: 'key' } })
  names.records.set(`resend._domainkey.${DOMAIN}`, [dkimRecord])
  expect((await verdicts()).dkim).toBe('ok')
})

test('a key of another domain does not prove the sender', async () => {
  names.records.set(KEY_NAME, [dkimRecord])
  await put({ ...SMTP, from: { address: 'news@other.example' } })
  expect((await verdicts()).dkim).toBe('wrong')
})

test('the doctor and the command say the same', async () => {
  await put(SMTP)
  names.records.set(DOMAIN, [SPF, 'v=spf1 -all'])
  const { json, nc } = givenNc(given.settings, names.findTexts)
  const env = given.demo.environments.dev.id
  expect(await json(`email domains --env ${env}`)).toEqual(await check())
  const { out } = await nc('doctor')
  expect(out).toContain(`SPF of ${DOMAIN} by relay is wrong`)
  expect(out).toContain(`TXT record at _dmarc.${DOMAIN}: ${DMARC}`)
})

test('an environment whose mails stay in the mailbox has nothing to check', async () => {
  await given.call('DELETE', `/v1/email/integrations/${id}`, { key })
  expect(await check()).toEqual([])
})
