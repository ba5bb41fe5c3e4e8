// Tests sender, replies, copies, headers and attachments of mails over a real SMTP server, and files that cannot be fetched.
// SQLite alone: what is tested is composed after the store.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import type { DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenSmtp, givenSmtp } from '../support/given-smtp.ts'
import { openSandbox } from '../support/open-sandbox.ts'

const SOON = { timeout: 60_000, interval: 20 }
const FILE = Buffer.from([37, 80, 68, 70, 0, 255, 13, 10])
const SENDER = { name: 'Billing', address: 'billing@shop.example' }

let smtp: GivenSmtp
let given: GivenEdge
let key: string
let files: { url: string; calls: string[]; answer(path: string, response: ServerResponse): void; stop(): void }
const takeFile = (_: string, response: ServerResponse) => void response.end(FILE)

beforeAll(async () => {
  smtp = await givenSmtp()
  const server = createServer(({ url = '' }, response) => {
    files.calls.push(url)
    files.answer(url, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  files = { url, calls: [], answer: takeFile, stop: () => void server.close() }
  given = await givenEdge({ OUTBOUND_ALLOW: '127.0.0.0/8' }, { mailPausesMs: { attempts: [1, 1, 1, 1, 1] } })
  await openSandbox(given)
  key = given.demo.environments.dev.sdkSecretKey
  const credentials = { host: smtp.host, port: String(smtp.port), tls: 'none' }
  const integration = { name: 'main', provider: 'smtp', credentials, from: SENDER }
  expect((await given.call('POST', '/v1/email/integrations', { key, body: integration })).status).toBe(201)
})
afterEach(() => {
  files.answer = takeFile
})
afterAll(async () => {
  await given.stop()
  await smtp.stop()
  files.stop()
})

const campaignOf = (name: string, fields: object) => ({
  key: name,
  name,
  trigger: { event: name },
  steps: [{ id: 'mail', type: 'email', subject: 'Invoice', markdown: 'Hello', ...fields }],
})

/** Publishes a campaign with these fields, and sends its mail. @returns the record at its end */
async function send(name: string, fields: object, properties: object = {}): Promise<DeliveryRecordAnswer> {
  await given.publish(campaignOf(name, fields))
  const user = { email: `${name}@example.org` }
  const { eventId } = (await given.track({ name, userId: name, user, properties })).body
  const find = async () =>
    (await given.call<Page<DeliveryRecordAnswer>>('GET', `/v1/deliveries?eventId=${eventId}`, { key })).body.data[0]
  await expect.poll(async () => (await find())?.status, SOON).toMatch(/sent|failed|skipped/)
  return (await find()) as DeliveryRecordAnswer
}

test('a mail arrives with all that its step names', async () => {
  const suppressed = { address: 'gone@customer.example', reason: 'bounce' }
  await given.call('POST', '/v1/suppressions', { key, body: suppressed })
  const fields = {
    from: 'The Shop <BILLING@shop.example>',
    replyTo: 'order-{{ event.properties.id }}@shop.example',
    cc: ['{{ event.properties.manager }}', 'gone@customer.example'],
    bcc: ['archive@shop.example', 'full@example.org', 'a@bücher.example', 'A@xn--bcher-kva.example'],
    headers: { 'X-Order': '{{ event.properties.id }}' },
    attachments: [
      { filename: 'invoice-{{ event.properties.id }}.pdf', url: `${files.url}/{{ event.properties.id }}.pdf` },
      { filename: 'terms.txt', content: Buffer.from('Terms').toString('base64') },
    ],
  }
  const record = await send('full', fields, { id: 'A-1', manager: 'boss@customer.example' })
  expect(record).toMatchObject({ status: 'sent', attempts: 1 })
  const mail = smtp.mails.find(({ to }) => to.includes('full@example.org'))
  expect(mail?.to).toEqual(['full@example.org', 'boss@customer.example', 'archive@shop.example', 'a@bücher.example'])
  expect(mail?.from).toBe('BILLING@shop.example')
  expect(mail?.parsed).toMatchObject({
    from: { name: 'The Shop', address: 'BILLING@shop.example' },
    replyTo: [{ address: 'order-A-1@shop.example' }],
    cc: [{ address: 'boss@customer.example' }],
  })
  expect(mail?.parsed.headers).toContainEqual(expect.objectContaining({ key: 'x-order', value: 'A-1' }))
  expect(mail?.raw.toString('latin1')).not.toMatch(/archive@|gone@/)
  const sent = mail?.parsed.attachments.map(({ filename, mimeType, content }) => {
    return { filename, mimeType, content: Buffer.from(content as ArrayBuffer).toString('latin1') }
  })
  expect(sent).toEqual([
    { filename: 'invoice-A-1.pdf', mimeType: 'application/pdf', content: FILE.toString('latin1') },
    { filename: 'terms.txt', mimeType: 'text/plain', content: 'Terms' },
  ])
  expect(files.calls).toContain('/A-1.pdf')
})

test('a sender that no config and no integration has is refused when it is saved', async () => {
  const body = campaignOf('spoof', { from: 'ceo@bank.example' })
  const answer = await given.call<{ details: unknown }>('POST', '/v1/campaigns', { key, body })
  expect(answer).toMatchObject({ status: 400, body: { code: 'campaign/invalid-definition' } })
  expect(answer.body.details).toMatchObject([{ path: 'steps[0].from' }])
})

test('a file that comes at the third attempt is sent with its mail', async () => {
  let calls = 0
  files.answer = (_, response) => void (++calls < 3 ? response.writeHead(503).end() : response.end(FILE))
  const record = await send('late', { attachments: [{ filename: 'a.pdf', url: `${files.url}/late` }] })
  expect(record).toMatchObject({ status: 'sent', attempts: 3 })
})

test('a file that never comes fails the mail after six attempts, with the reason', async () => {
  const lastError = 'The attachment a.pdf is missing: its address answers 404.'
  files.answer = (_, response) => void response.writeHead(404).end()
  const record = await send('never', { attachments: [{ filename: 'a.pdf', url: `${files.url}/never` }] })
  expect(record).toMatchObject({ status: 'failed', statusReason: 'retries-exhausted', attempts: 6, lastError })
  expect(smtp.mails.some(({ to }) => to.includes('never@example.org'))).toBe(false)
})

test('a file beyond 10 MiB, and one at an internal address, are not sent', async () => {
  const chunk = Buffer.alloc(1024 * 1024)
  files.answer = (_, response) => {
    for (let part = 0; part <= 10; part++) response.write(chunk)
    response.end()
  }
  const large = await send('large', { attachments: [{ filename: 'a.bin', url: `${files.url}/large` }] })
  expect(large).toMatchObject({ status: 'failed', lastError: expect.stringContaining('too large') })
  const inside = { filename: 'a.txt', url: 'https://169.254.169.254/latest/meta-data' }
  const internal = await send('internal', { attachments: [inside] })
  expect(internal).toMatchObject({ status: 'failed', lastError: expect.stringContaining('OUTBOUND_ALLOW') })
})

test('a value stays one segment of the address of a file', async () => {
  const url = `${files.url}/files/{{ event.properties.name }}`
  await send('segment', { attachments: [{ filename: 'a.txt', url }] }, { name: '../../secret?x=#' })
  expect(files.calls).toContain('/files/..%2F..%2Fsecret%3Fx%3D%23')
})

test('an inner address that a value chooses is not reached, though OUTBOUND_ALLOW has it', async () => {
  const { hostname: host, port } = new URL(files.url)
  const attachments = (url: string) => ({ attachments: [{ filename: 'a.txt', url }] })
  const before = files.calls.length
  const whole = await send('whole', attachments('{{ event.properties.url }}'), { url: `${files.url}/whole` })
  const named = await send('named', attachments(`http://{{ event.properties.host }}:${port}/named`), { host })
  for (const record of [whole, named]) {
    expect(record).toMatchObject({ status: 'failed', lastError: expect.stringContaining('OUTBOUND_ALLOW') })
  }
  expect(files.calls.slice(before)).toEqual([])
})

test('a value that could continue the host of a file is refused when it is saved', async () => {
  const attachments = [{ filename: 'a.txt', url: 'https://files.example{{ event.properties.path }}' }]
  const body = campaignOf('continued', { attachments })
  const answer = await given.call<{ details: unknown }>('POST', '/v1/campaigns', { key, body })
  expect(answer).toMatchObject({ status: 400, body: { code: 'campaign/invalid-definition' } })
  expect(answer.body.details).toMatchObject([{ path: 'steps[0].attachments[0].url', position: 21 }])
})
