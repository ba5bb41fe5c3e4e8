// Tests that addresses beyond ASCII go to servers with SMTPUTF8 alone, over TLS, with a login and signed as all mails.

import type { Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { Credentials, OutgoingMail } from '../../domain/mail/mail-provider.ts'
import { makeDkimKey, verifyDkim } from '../../test/support/dkim.ts'
import { makeCertificate } from '../../test/support/endpoint.ts'
import { givenSmtp } from '../../test/support/given-smtp.ts'
import { MAIL } from '../test/given-provider-api.ts'
import { givenSmtpScript } from '../test/given-smtp-script.ts'
import { sendingSafeMails } from './safe-mail.ts'
import { createSmtpProvider } from './smtp.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const LOGIN = { user: 'shop', password: 'correct horse' }
const to = (address: string): Partial<OutgoingMail> => ({ to: { name: 'Zoë', address } })
const UNSENDABLE: [string, Partial<OutgoingMail>][] = [
  ['recipient', to('zoë@home.example')],
  ['recipient at a domain beyond ASCII', to('zoë@bücher.example')],
  ['sender', { from: { name: null, address: 'grüße@shop.example' } }],
]

function senderTo(port: number, credentials: Credentials = {}, ca?: string) {
  const limits = { greetingMs: 2000, socketMs: 2000 }
  const provider = createSmtpProvider({
    allow: ['127.0.0.0/8'],
    resolve: (_hostname, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    timeLimits: limits,
    ...(ca !== undefined && { ca }),
  })
  const all = { host: 'mail.customer.example', port: String(port), tls: 'none', ...credentials }
  const sender = sendingSafeMails(provider).createSender(all)
  ends.push(() => sender.close())
  return sender
}

/** Takes every mail; `offers` are the lines of its answer to EHLO; `null`: it knows HELO alone. */
async function givenServer(offers: string[] | null) {
  const got: string[] = []
  const answer = (line: string, socket: Socket) => {
    if (line.startsWith('EHLO')) {
      const lines = ['mail.customer.example greets SMTPUTF8', ...(offers ?? [])]
      const text = lines.map((one, at) => `250${at < lines.length - 1 ? '-' : ' '}${one}\r\n`).join('')
      return socket.write(offers === null ? '502 no\r\n' : text)
    }
    if (line === 'DATA') return socket.write('354 go\r\n')
    return socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n')
  }
  let rest = ''
  let isData = false
  const { port, stop } = await givenSmtpScript('220 here\r\n', (text, socket) => {
    got.push(text)
    const lines = (rest + text).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (isData && line !== '.') continue
      isData = line === 'DATA'
      answer(line, socket)
    }
  })
  ends.push(stop)
  return { port, got: () => got.join('') }
}

const NO_UTF8 = { outcome: 'refused', error: expect.stringContaining('SMTPUTF8') }

test.each(UNSENDABLE)('a server without SMTPUTF8 gets no byte of a mail whose %s is beyond ASCII', async (_, mail) => {
  for (const offers of [[], ['8BITMIME'], ['PIPELINING', '8BITMIME'], ['SIZE 1', 'X-SMTPUTF8'], null]) {
    const server = await givenServer(offers)
    expect(await senderTo(server.port).send({ ...MAIL, ...mail })).toEqual(NO_UTF8)
    expect(server.got()).toMatch(/^[\0-\x7f]*$/)
    expect(server.got()).not.toContain('MAIL FROM')
  }
})

test.each(UNSENDABLE)(
  'a server with SMTPUTF8 is told of it, and gets a mail whose %s is beyond ASCII',
  async (_, mail) => {
    for (const offers of [['SMTPUTF8'], ['PIPELINING', '8BITMIME', 'smtputf8']]) {
      const server = await givenServer(offers)
      expect(await senderTo(server.port).send({ ...MAIL, ...mail })).toMatchObject({ outcome: 'accepted' })
      expect(server.got()).toMatch(/MAIL FROM:<[^>]+>(?: \S+)* SMTPUTF8/)
    }
  },
)

test('an address for replies beyond ASCII needs such a sender or recipient, as the server is told of those alone', async () => {
  const server = await givenServer(['SMTPUTF8'])
  const sender = senderTo(server.port)
  const replyTo = 'grüße@shop.example'
  const refused = { outcome: 'refused', error: expect.stringContaining('address for replies') }
  expect(await sender.send({ ...MAIL, replyTo })).toEqual(refused)
  expect(server.got()).toBe('')
  expect(await sender.send({ ...MAIL, ...to('zoë@home.example'), replyTo })).toMatchObject({ outcome: 'accepted' })
})

test('a domain beyond ASCII alone needs no SMTPUTF8', async () => {
  const server = await givenServer(['8BITMIME'])
  const mail = { ...MAIL, ...to('zoe@bücher.example'), from: { name: 'Bücher', address: 'shop@bücher.example' } }
  expect(await senderTo(server.port).send(mail)).toMatchObject({ outcome: 'accepted' })
  expect(server.got()).toContain('RCPT TO:<zoe@xn--bcher-kva.example>')
  expect(server.got()).toMatch(/^[\0-\x7f]*$/)
})

test('with TLS, a login and a signature such a mail arrives like others', async () => {
  const tls = makeCertificate()
  const dkim = makeDkimKey()
  for (const fromStart of [true, false]) {
    const smtp = await givenSmtp({ tls: { ...tls, fromStart }, login: LOGIN })
    ends.push(() => smtp.stop())
    const signs = { dkimDomain: 'shop.example', dkimSelector: 'main', dkimPrivateKey: dkim.pem }
    const login = { user: LOGIN.user, password: LOGIN.password, tls: fromStart ? 'tls' : 'starttls' }
    const sender = senderTo(smtp.port, { ...signs, ...login }, tls.cert)
    const mail = { ...MAIL, ...to('zoë@bücher.example'), from: { name: 'Shop', address: 'hello@shop.example' } }
    expect(await sender.send(mail)).toEqual({
      outcome: 'accepted',
      providerMessageId: `<${MAIL.messageId}@shop.example>`,
      answer: '250 taken',
    })
    const [received] = await smtp.received(1)
    expect(received?.to).toEqual(['zoë@bücher.example'])
    expect(received?.parsed.to?.[0]?.name).toBe('Zoë')
    const { verdicts } = await verifyDkim(received?.raw ?? Buffer.alloc(0), dkim.record)
    expect(verdicts[0]?.status.result).toBe('pass')
    const wrong = senderTo(smtp.port, { ...login, password: 'wrong horse' }, tls.cert)
    const refused = await wrong.send(mail)
    expect(refused).toMatchObject({ outcome: 'unavailable', error: expect.stringContaining('535') })
    expect(JSON.stringify(refused)).not.toContain('wrong horse')
  }
})

test('an answer, a silence and a cut say of such a mail what they say of others', async () => {
  const smtp = await givenSmtp()
  ends.push(() => smtp.stop())
  const sender = senderTo(smtp.port)
  const send = () => sender.send({ ...MAIL, ...to('zoë@home.example') })
  smtp.refuse = () => ({ code: 550, message: '5.1.1 no such user' })
  expect(await send()).toMatchObject({ outcome: 'refused', error: expect.stringContaining('no such user') })
  smtp.refuse = () => null
  smtp.behave = () => ({ code: 451, message: 'later' })
  expect(await send()).toMatchObject({ outcome: 'unavailable' })
  smtp.behave = () => 'cut'
  expect(await send()).toMatchObject({ outcome: 'unknown' })
  await smtp.stop()
  expect(await send()).toMatchObject({ outcome: 'unavailable' })
})
