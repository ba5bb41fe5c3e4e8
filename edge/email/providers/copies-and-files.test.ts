// Tests that each provider gets copies and attachments in its own form, and that neither can add a header or a recipient.

import PostalMime from 'postal-mime'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MailProviderName } from '../../../contract/tenant.ts'
import type { OutgoingMail } from '../../domain/mail/mail-provider.ts'
import { type GivenSmtp, givenSmtp } from '../../test/support/given-smtp.ts'
import { API_CASES } from '../test/api-cases.ts'
import { type GivenProviderApi, givenProviderApi, MAIL } from '../test/given-provider-api.ts'
import { createMailProviders } from './mail-providers.ts'

let api: GivenProviderApi
let smtp: GivenSmtp
beforeEach(async () => {
  api = await givenProviderApi()
  smtp = await givenSmtp()
})
afterEach(async () => {
  await api.stop()
  await smtp.stop()
})

const FILE = Buffer.from([0, 255, 13, 10, 46, 13, 10, 128, 1])
const CONTENT = FILE.toString('base64')
const copied: OutgoingMail = {
  ...MAIL,
  cc: [
    { name: null, address: 'boss@customer.example' },
    { name: 'Zoë', address: 'zoe@bücher.example' },
  ],
  bcc: [{ name: null, address: 'archive@shop.example' }],
  attachments: [{ filename: 'Größe "1".pdf', contentType: 'application/pdf', content: FILE }],
}
const NAMED = '"Zoë" <zoe@xn--bcher-kva.example>'
const asObjects = (email: string, name: string) => [
  { [email]: 'boss@customer.example' },
  { [email]: 'zoe@xn--bcher-kva.example', [name]: 'Zoë' },
]

/** Of each API that takes fields: where copies and files stand in the call, by the documentation of the provider. */
const FORMS: Partial<Record<MailProviderName, object>> = {
  sendgrid: {
    personalizations: [{ cc: asObjects('email', 'name'), bcc: [{ email: 'archive@shop.example' }] }],
    attachments: [{ filename: 'Größe "1".pdf', type: 'application/pdf', content: CONTENT, disposition: 'attachment' }],
  },
  postmark: {
    Cc: `boss@customer.example, ${NAMED}`,
    Bcc: 'archive@shop.example',
    Attachments: [{ Name: 'Größe "1".pdf', ContentType: 'application/pdf', Content: CONTENT }],
  },
  resend: {
    cc: ['boss@customer.example', NAMED],
    bcc: ['archive@shop.example'],
    attachments: [{ filename: 'Größe "1".pdf', content_type: 'application/pdf', content: CONTENT }],
  },
  brevo: {
    cc: asObjects('email', 'name'),
    bcc: [{ email: 'archive@shop.example' }],
    attachment: [{ name: 'Größe "1".pdf', content: CONTENT }],
  },
  mailjet: {
    Messages: [
      {
        Cc: asObjects('Email', 'Name'),
        Bcc: [{ Email: 'archive@shop.example' }],
        Attachments: [{ Filename: 'Größe "1".pdf', ContentType: 'application/pdf', Base64Content: CONTENT }],
      },
    ],
  },
}

const senderOf = (name: MailProviderName, credentials: Record<string, string>) => {
  const provider = createMailProviders({ fetch: api.fetch, allow: [] }).get(name)
  if (provider === undefined) throw new Error('no such provider')
  return provider.createSender({ ...credentials, baseUrl: api.url })
}

describe.each(API_CASES)('$name', (given) => {
  test('the API receives copies and files', async () => {
    api.answer = given.accepts
    expect(await senderOf(given.name, given.credentials).send(copied)).toMatchObject({ outcome: 'accepted' })
    const [call] = api.calls
    if (given.name === 'mailgun') {
      const { headers, body } = call ?? { headers: {}, body: '' }
      const form = await new Response(body, { headers: { 'content-type': String(headers['content-type']) } }).formData()
      expect(form.getAll('cc')).toEqual(['boss@customer.example', NAMED])
      expect(form.getAll('bcc')).toEqual(['archive@shop.example'])
      expect(form.get('to')).toBe('ada@example.org')
      expect(form.get('attachment')).toMatchObject({ name: 'Größe "1".pdf', type: 'application/pdf' })
    } else {
      expect(call && given.parseBody(call)).toMatchObject(FORMS[given.name] ?? { tested: 'nothing' })
    }
  })

  test('a copy that is no address is refused, and no name adds another', async () => {
    const hostile = { name: 'A\r\nBcc: c@evil.example', address: 'b@customer.example' }
    const bad = { name: null, address: 'a@b.example\r\nBcc: c@evil.example' }
    const sender = senderOf(given.name, given.credentials)
    expect(await sender.send({ ...copied, bcc: [bad] })).toMatchObject({ outcome: 'refused' })
    expect(api.calls).toEqual([])
    api.answer = given.accepts
    await sender.send({ ...MAIL, cc: [hostile], attachments: [{ ...FILE_OF_LINES, content: FILE }] })
    expect(decodeURIComponent(api.calls[0]?.body.replaceAll('%', '%25') ?? '')).not.toMatch(/\nBcc|\\nBcc|\nX-Evil/)
  })
})

const FILE_OF_LINES = { filename: 'a.pdf"\r\nBcc: c@evil.example', contentType: 'text/plain\r\nX-Evil: 1' }

const CREDENTIALS_OF_SES = { accessKeyId: 'AKIA1', secretAccessKey: 'secret', region: 'eu-central-1' }

test('Amazon SES gets all recipients beside the mail, which hides the hidden ones', async () => {
  api.answer = { status: 200, text: '{"MessageId":"1"}' }
  expect(await senderOf('ses', CREDENTIALS_OF_SES).send(copied)).toMatchObject({ outcome: 'accepted' })
  const { Destination, Content } = JSON.parse(api.calls[0]?.body ?? '{}')
  expect(Destination).toEqual({
    ToAddresses: ['ada@example.org'],
    CcAddresses: ['boss@customer.example', 'zoe@xn--bcher-kva.example'],
    BccAddresses: ['archive@shop.example'],
  })
  expectMime(Buffer.from(Content.Raw.Data, 'base64').toString('latin1'))
})

const smtpSender = () =>
  createMailProviders({ fetch: api.fetch, allow: ['127.0.0.0/8'] })
    .get('smtp')
    ?.createSender({ host: smtp.host, port: String(smtp.port), tls: 'none' })

test('an SMTP server gets all recipients in the envelope, and the file byte for byte', async () => {
  const sender = smtpSender()
  expect(await sender?.send(copied)).toMatchObject({ outcome: 'accepted' })
  const [mail] = await smtp.received(1)
  expect(mail?.to).toEqual([
    'ada@example.org',
    'boss@customer.example',
    // The library of the server decodes it.
    'zoe@bücher.example',
    'archive@shop.example',
  ])
  expectMime(mail?.raw.toString('latin1') ?? '')
  const parsed = await PostalMime.parse(mail?.raw ?? '')
  const [file] = parsed.attachments
  expect(file).toMatchObject({ filename: 'Größe "1".pdf', mimeType: 'application/pdf', disposition: 'attachment' })
  expect(Buffer.from(file?.content as ArrayBuffer)).toEqual(FILE)
  expect(parsed.html).toContain('<p>Hello</p>')
  await sender?.close()
})

test('a refused copy leaves the mail accepted; a refused user fails it, and nothing is sent again', async () => {
  const sender = smtpSender()
  const words = '5.1.1 no such user'
  smtp.refuse = (to) => (to === 'boss@customer.example' ? { code: 550, message: words } : null)
  expect(await sender?.send(copied)).toMatchObject({ outcome: 'accepted' })
  for (const code of [550, 451]) {
    smtp.refuse = (to) => (to === 'ada@example.org' ? { code, message: words } : null)
    expect(await sender?.send(copied)).toMatchObject({ outcome: 'refused', error: expect.stringContaining(words) })
  }
  await sender?.close()
})

test('an SMTP server that has no copies gets a mail as before', async () => {
  const sender = smtpSender()
  await sender?.send({ ...MAIL, cc: [], bcc: [], attachments: [] })
  const [mail] = await smtp.received(1)
  expect(mail?.to).toEqual(['ada@example.org'])
  expect(mail?.raw.toString()).not.toMatch(/^Cc:|multipart\/mixed/m)
  await sender?.close()
})

/** All headers are ASCII, and hidden copies stand in none. */
function expectMime(mime: string): void {
  const headers = mime.slice(0, mime.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  expect(headers).toMatch(/^Cc: boss@customer\.example, .*<zoe@xn--bcher-kva\.example>$/m)
  expect(headers).not.toMatch(/^bcc:|archive@|[^\x20-\x7e\r\n]/im)
  expect(mime).not.toContain('archive@shop.example')
}
