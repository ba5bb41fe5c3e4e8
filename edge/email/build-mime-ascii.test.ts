// Tests that the headers of a mail are ASCII.

import { expect, test } from 'vitest'
import type { OutgoingMail } from '../domain/mail/mail-provider.ts'
import { buildMime } from './build-mime.ts'
import { sendingSafeMails } from './providers/safe-mail.ts'
import { createSmtpProvider } from './providers/smtp.ts'
import { MAIL } from './test/given-provider-api.ts'

test('a mail from a domain of another script has headers of ASCII alone', async () => {
  const from = { name: 'Bücher', address: 'shop@bücher.example' }
  const to = { name: 'Jürgen', address: 'ada@bücher.example' }
  const mime = await buildMime({ ...MAIL, from, to })
  const [head = ''] = mime.toString('utf8').split('\r\n\r\n')
  expect(head).toMatch(/^[\x20-\x7e\t\r\n]+$/)
  expect(head).toContain(`Message-ID: <${MAIL.messageId}@xn--bcher-kva.example>`)
})

test.each([
  ['List-Unsubscribe', '<https://bücher.example/ü?a=ö>', '<https://xn--bcher-kva.example/%C3%BC?a=%C3%B6>'],
  ['List-Unsubscribe', '<mailto:weg@bücher.example>', '<mailto:weg@b%C3%BCcher.example>'],
  ['References', '<1@bücher.example> <2@shop.example>', '<1@xn--bcher-kva.example> <2@shop.example>'],
  ['In-Reply-To', '<1@BÜCHER.example>', '<1@xn--bcher-kva.example>'],
  ['List-ID', '<news.bücher.example>', '<news.xn--bcher-kva.example>'],
  ['List-ID', 'News <news.example>', 'News <news.example>'],
])('the header %s: %s is sent as %s', async (name, value, sent) => {
  const [head] = await send({ headers: { [name]: value } })
  expect(head).toMatch(/^[\x20-\x7e\t\r\n]+$/)
  expect(head).toContain(`${name}: ${sent}`)
})

test('words of headers are encoded words, ids without a form in ASCII are left out, and no provider gets other headers', async () => {
  const headers = { 'X-Shop': 'Größe', 'List-ID': 'Bücher <news.bücher.example>', References: '<ü@shop.example>' }
  const [head = '', mail] = await send({ headers, replyTo: 'hilfe@bücher.example' })
  expect(head).toMatch(/^[\x20-\x7e\t\r\n]+$/)
  expect(head).toContain('X-Shop: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?=')
  expect(head).toContain('Reply-To: hilfe@xn--bcher-kva.example')
  expect(head).not.toContain('References')
  expect(mail?.headers['List-ID']).toBe('Bücher <news.xn--bcher-kva.example>')
})

/** Sends by a provider that builds mails. @returns the headers, and what the provider got */
async function send(changes: Partial<OutgoingMail>): Promise<[head: string, mail: OutgoingMail | undefined]> {
  let got: OutgoingMail | undefined
  const smtp = createSmtpProvider({ allow: [] })
  const provider = sendingSafeMails({
    ...smtp,
    createSender: () => ({
      async send(mail) {
        got = mail
        return { outcome: 'accepted', providerMessageId: null }
      },
      async close() {},
    }),
  })
  await provider.createSender({}).send({ ...MAIL, ...changes })
  const [head = ''] = got === undefined ? [] : (await buildMime(got)).toString('utf8').split('\r\n\r\n')
  return [head, got]
}
