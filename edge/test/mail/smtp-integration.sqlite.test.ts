// Tests an integration by SMTP with TLS, a login and DKIM: from the event to the mail that arrives, and back to the funnel.
// SQLite alone: what is tested lies between the service and the mail server.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FunnelAnswer, Page } from '../../../contract/api.ts'
import { createMailProviders } from '../../email/providers/mail-providers.ts'
import { createGuardedFetch } from '../../lib/outbound/guarded-fetch.ts'
import { makeDkimKey, verifyDkim } from '../support/dkim.ts'
import { makeCertificate } from '../support/endpoint.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { PERSON } from '../support/given-mails.ts'
import { type GivenSmtp, givenSmtp } from '../support/given-smtp.ts'
import { openSandbox } from '../support/open-sandbox.ts'

const ALLOW = ['127.0.0.0/8']
const LOGIN = { user: 'shop', password: 'correct horse' }
const TARGET = 'https://shop.example/bestellungen/7?größe=ü'

const certificate = makeCertificate()
const dkim = makeDkimKey()
const outbound = createGuardedFetch({ allow: ALLOW })
let smtp: GivenSmtp
let given: GivenEdge
let key: string
let campaignId: string

beforeAll(async () => {
  smtp = await givenSmtp({ tls: certificate, login: LOGIN })
  const mailProviders = createMailProviders({
    fetch: outbound.fetch,
    allow: ALLOW,
    ca: certificate.cert,
    resolve: (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  })
  given = await givenEdge({ OUTBOUND_ALLOW: ALLOW.join(',') }, { mailProviders })
  await openSandbox(given)
  key = given.demo.environments.dev.sdkSecretKey
  const credentials = {
    host: 'mail.customer.example',
    port: String(smtp.port),
    tls: 'starttls',
    ...LOGIN,
    dkimDomain: 'shop.example',
    dkimSelector: 'news',
    dkimPrivateKey: dkim.pem,
  }
  const from = { name: 'Lädchen, "Zum Bären" 🐻', address: 'hallo@shop.example' }
  const body = { name: 'Own server', provider: 'smtp', credentials, from }
  expect(await given.call('POST', '/v1/email/integrations', { key, body })).toMatchObject({ status: 201 })
  campaignId = await given.publish({
    key: 'order',
    name: 'Order',
    category: 'orders',
    trigger: { event: 'order.paid' },
    steps: [
      {
        id: 'mail',
        type: 'email',
        subject: 'Bestellung {{ event.properties.id }} ✓ — Größe {{ event.properties.size }}',
        preheader: 'Danke für Ihre Bestellung',
        markdown: `# Hallo {{ user.name }}\n\n**[Ansehen](${TARGET})**`,
      },
    ],
  })
})
afterAll(async () => {
  await given.stop()
  await smtp.stop()
  await outbound.close()
})

interface Delivery {
  messageId: string
  status: string
  provider: string | null
  attempts: number
}
const stepsOf = async () => {
  const path = `/v1/campaigns/${campaignId}/stats?channel=email`
  const { steps } = (await given.call<FunnelAnswer>('GET', path, { key })).body
  return steps.map(({ count }) => count)
}

test('the mail arrives signed and whole, and its links lead to the funnel', async () => {
  const event = {
    name: 'order.paid',
    userId: 'zoë',
    user: { name: 'Zoë "Z" <Öhler> 🎉', email: 'zoë@überall.example' },
    properties: { id: 7, size: 'XL\r\nBcc: victim@example.org' },
  }
  const tracked = await given.track(event)
  expect(tracked.status).toBe(202)
  const { eventId } = tracked.body
  const [mail] = await smtp.received(1)
  if (mail === undefined) throw new Error('no mail')
  const { parsed, raw, to } = mail

  // The envelope and the heads.
  expect(to).toEqual(['zoë@überall.example'])
  expect(parsed.from).toEqual({ name: 'Lädchen, "Zum Bären" 🐻', address: 'hallo@shop.example' })
  expect(parsed.to).toEqual([{ name: 'Zoë "Z" <Öhler> 🎉', address: 'zoë@überall.example' }])
  expect(parsed.subject).toBe('Bestellung 7 ✓ — Größe XL Bcc: victim@example.org')
  expect(parsed.bcc).toBeUndefined()
  const heads = new Map(parsed.headers.map(({ key: name, value }) => [name, value]))
  expect(heads.get('list-unsubscribe')).toMatch(/^<http.*\/v1\/t\/u\/.+>$/)
  expect(heads.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  expect(heads.get('auto-submitted')).toBe('auto-generated')

  // The signature, also after one changed letter.
  const { verdicts, asked } = await verifyDkim(raw, dkim.record)
  expect(verdicts).toMatchObject([{ status: { result: 'pass' }, signingDomain: 'shop.example' }])
  expect(asked).toEqual(['news._domainkey.shop.example'])
  const changed = Buffer.from(raw.toString('latin1').replace('One-Click', 'Two-Click'), 'latin1')
  expect((await verifyDkim(changed, dkim.record)).verdicts[0]?.status.result).not.toBe('pass')

  // Both parts.
  expect(parsed.text).toContain('Zoë')
  expect(parsed.text).toContain(new URL(TARGET).href)
  const { html = '' } = parsed
  expect(html).toContain('Danke für Ihre Bestellung')
  expect(html).toContain('&lt;Öhler&gt;')

  // The record, and the funnel through the addresses in the mail.
  const find = async () =>
    (await given.call<Page<Delivery>>('GET', `/v1/deliveries?eventId=${eventId}`, { key })).body.data[0]
  await expect.poll(async () => (await find())?.status).toBe('sent')
  expect(await find()).toMatchObject({ provider: 'smtp', attempts: 1 })
  expect(await stepsOf()).toEqual([1, 0, 0, 0])
  const addressOf = (kind: string) => new RegExp(`"(http[^"]*/v1/t/${kind}/[^"]+)"`).exec(html)?.[1] ?? ''
  const visit = (url: string) => fetch(url, { headers: PERSON, redirect: 'manual' })
  expect((await visit(addressOf('o'))).status).toBe(200)
  expect(await stepsOf()).toEqual([1, 1, 1, 0])
  const click = await visit(addressOf('c'))
  expect([click.status, click.headers.get('location')]).toEqual([302, new URL(TARGET).href])
  expect(await stepsOf()).toEqual([1, 1, 1, 1])
})
