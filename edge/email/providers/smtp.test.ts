// Tests the SMTP provider against real servers: what arrives, and what each answer, silence and cut says about a mail.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Credentials, MailSender, OutgoingMail } from '../../domain/mail/mail-provider.ts'
import type { Resolve } from '../../lib/outbound/resolve.ts'
import { makeDkimKey, verifyDkim } from '../../test/support/dkim.ts'
import { makeCertificate } from '../../test/support/endpoint.ts'
import { type Behaviour, type GivenSmtp, type GivenSmtpOptions, givenSmtp } from '../../test/support/given-smtp.ts'
import { answerUntil, givenSmtpScript } from '../test/given-smtp-script.ts'
import { createSmtpProvider, type SmtpProviderDeps } from './smtp.ts'

const HOST = 'mail.customer.example'
const LOOPBACK = ['127.0.0.0/8']
const LOGIN = { user: 'shop', password: 'correct horse' }
const toLoopback: Resolve = (_hostname, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }])

let certificate: { key: string; cert: string }
beforeAll(() => {
  certificate = makeCertificate()
})
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  // The senders first: a server ends after its connections.
  for (const end of ends.splice(0).reverse()) await end()
})

async function given(options: GivenSmtpOptions = {}): Promise<GivenSmtp> {
  const smtp = await givenSmtp(options)
  ends.push(() => smtp.stop())
  return smtp
}

/** Creates a sender that resolves each name to this machine, and may reach it. */
function senderTo(port: number, credentials: Credentials = {}, deps: Partial<SmtpProviderDeps> = {}): MailSender {
  const provider = createSmtpProvider({ allow: LOOPBACK, resolve: toLoopback, ca: certificate.cert, ...deps })
  const all = { host: HOST, port: String(port), tls: 'none', ...credentials }
  expect(provider.check(all)).toEqual([])
  const sender = provider.createSender(all)
  ends.push(() => sender.close())
  return sender
}

const mailTo = (address: string, changes: Partial<OutgoingMail> = {}): OutgoingMail => ({
  messageId: 'msg_1',
  idempotencyKey: 'msg_1',
  from: { name: 'Shop', address: 'hello@shop.example' },
  to: { name: 'Zoe', address },
  replyTo: 'help@shop.example',
  subject: 'Your order',
  html: '<p>Hello</p>',
  text: 'Hello',
  headers: { 'List-Unsubscribe': '<https://shop.example/u>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  tracking: { opens: false, clicks: false },
  ...changes,
})

test('an accepted mail arrives with its addresses, parts and headers', async () => {
  const smtp = await given()
  const outcome = await senderTo(smtp.port).send(mailTo('zoe@home.example'))
  expect(outcome).toEqual({
    outcome: 'accepted',
    providerMessageId: '<msg_1@shop.example>',
    answer: '250 taken',
  })
  const [mail] = await smtp.received(1)
  expect(mail).toMatchObject({ from: 'hello@shop.example', to: ['zoe@home.example'] })
  expect(mail?.parsed).toMatchObject({
    from: { name: 'Shop', address: 'hello@shop.example' },
    to: [{ name: 'Zoe', address: 'zoe@home.example' }],
    replyTo: [{ address: 'help@shop.example' }],
    subject: 'Your order',
    messageId: '<msg_1@shop.example>',
    html: expect.stringContaining('<p>Hello</p>'),
    text: expect.stringContaining('Hello'),
  })
  expect(mail?.parsed.headers).toContainEqual(
    expect.objectContaining({ key: 'list-unsubscribe-post', value: 'List-Unsubscribe=One-Click' }),
  )
})

test('names, a subject and addresses that are not ASCII arrive as they were', async () => {
  const smtp = await given()
  const mail = mailTo('zoë@exämple.org', {
    to: { name: 'Zoë Müller, 李', address: 'zoë@exämple.org' },
    subject: 'Größe 42 — ✓ 注文',
    text: 'Grüße',
  })
  expect(await senderTo(smtp.port).send(mail)).toMatchObject({ outcome: 'accepted' })
  const [received] = await smtp.received(1)
  expect(received?.to).toEqual(['zoë@exämple.org'])
  expect(received?.parsed.subject).toBe(mail.subject)
  expect(received?.parsed.to?.[0]?.name).toBe('Zoë Müller, 李')
  expect(received?.parsed.text?.trim()).toBe('Grüße')
})

test('line breaks and lists add no header and no recipient', async () => {
  const smtp = await given()
  const sender = senderTo(smtp.port)
  const evil = 'x\r\nBcc: evil@example.com\r\n\r\nbody'
  const mail = mailTo('zoe@home.example', {
    from: { name: evil, address: 'hello@shop.example' },
    to: { name: `${evil}, <evil@example.com>`, address: 'zoe@home.example' },
    replyTo: 'help@shop.example\r\nBcc: evil@example.com',
    subject: evil,
    headers: { 'List-Unsubscribe': `<https://shop.example/u>\r\nBcc: evil@example.com` },
  })
  expect(await sender.send(mail)).toMatchObject({ outcome: 'accepted' })
  const [received] = await smtp.received(1)
  expect(received?.to).toEqual(['zoe@home.example'])
  expect(received?.parsed.bcc).toBeUndefined()
  expect(received?.parsed.to).toHaveLength(1)
  expect(received?.parsed.text?.trim()).toBe('Hello')

  for (const address of [
    'zoe@home.example\r\nRCPT TO:<evil@example.com>',
    'zoe@home.example>\r\nRCPT TO:<evil@example.com',
    'zoe@home.example, evil@example.com',
    '<zoe@home.example>, <evil@example.com>',
  ]) {
    await sender.send(mailTo(address))
    await sender.send(mailTo('zoe@home.example', { from: { name: null, address } }))
  }
  for (const { from, to, parsed } of smtp.mails) {
    expect([from, ...to]).not.toContain('evil@example.com')
    expect(to).toHaveLength(1)
    expect(parsed.bcc).toBeUndefined()
  }
})

test('a login goes over STARTTLS, or over TLS from the start', async () => {
  for (const fromStart of [false, true]) {
    const smtp = await given({ tls: { ...certificate, fromStart }, login: LOGIN })
    const sender = senderTo(smtp.port, { ...LOGIN, tls: fromStart ? 'tls' : 'starttls' })
    expect(await sender.send(mailTo('zoe@home.example'))).toMatchObject({ outcome: 'accepted' })
    expect(smtp.mails).toHaveLength(1)
  }
})

test('no mail goes out without the encryption and the login that the credentials ask for', async () => {
  const plain = await given()
  const secure = await given({ tls: certificate })
  const cases = [
    { name: 'no STARTTLS', sender: senderTo(plain.port, { tls: 'starttls' }) },
    { name: 'no login', sender: senderTo(plain.port, LOGIN) },
    { name: 'unknown authority', sender: senderTo(secure.port, { tls: 'starttls' }, { ca: makeCertificate().cert }) },
    { name: 'other name', sender: senderTo(secure.port, { tls: 'starttls', host: 'other.example' }) },
  ]
  for (const { name, sender } of cases) {
    expect(await sender.send(mailTo('zoe@home.example')), name).toMatchObject({ outcome: 'unavailable' })
  }
  expect([...plain.mails, ...secure.mails]).toEqual([])
})

test('the words of a wrong kind of TLS, and of a certificate, are no words of OpenSSL', async () => {
  const plain = await given()
  const secure = await given({ tls: certificate })
  const fromStart = senderTo(plain.port, { tls: 'tls' })
  const unknown = senderTo(secure.port, { tls: 'starttls' }, { ca: makeCertificate().cert })
  expect(await fromStart.send(mailTo('zoe@home.example'))).toEqual({
    outcome: 'unavailable',
    error: 'The mail server speaks no TLS where it was expected.',
  })
  expect(await unknown.send(mailTo('zoe@home.example'))).toMatchObject({
    error: expect.stringMatching(/^The certificate of the mail server is not accepted: /),
  })
})

test('a wrong password is of the provider, and the words do not repeat it', async () => {
  const smtp = await given({ tls: certificate, login: LOGIN })
  const sender = senderTo(smtp.port, { user: 'shop', password: 'battery staple', tls: 'starttls' })
  const outcome = await sender.send(mailTo('zoe@home.example'))
  expect(outcome).toEqual({ outcome: 'unavailable', error: 'The mail server answers: 535 5.7.8 Wrong password ***' })
})

test('a DKIM signature is valid, and covers the headers of one-click unsubscribing', async () => {
  const smtp = await given()
  const { pem, record } = makeDkimKey()
  const dkim = { dkimDomain: 'shop.example', dkimSelector: 'news', dkimPrivateKey: pem }
  await senderTo(smtp.port, dkim).send(mailTo('zoe@home.example', { subject: 'Größe', html: `<p>${'ü '.repeat(500)}` }))
  const [mail] = await smtp.received(1)
  const raw = mail?.raw ?? Buffer.alloc(0)
  const { verdicts, asked } = await verifyDkim(raw, record)
  expect(verdicts[0]).toMatchObject({ status: { result: 'pass' }, signingDomain: 'shop.example' })
  expect(verdicts[0]?.signingHeaders.keys).toMatch(/List-Unsubscribe:.*List-Unsubscribe-Post/i)
  expect(asked).toEqual(['news._domainkey.shop.example'])
  const changed = Buffer.from(raw.toString('latin1').replace('One-Click', 'Two-Click'), 'latin1')
  expect((await verifyDkim(changed, record)).verdicts[0]?.status.result).not.toBe('pass')
  // Another header of these names comes before the signed one, and programs show either of them.
  for (const added of [
    ...['From: Bank <bank@evil.example>', 'Subject: Your account is locked', 'To: all@evil.example'],
    ...['Reply-To: bank@evil.example', 'Cc: all@evil.example', 'Content-Type: text/plain'],
  ]) {
    const [head = '', ...rest] = raw.toString('latin1').split('\r\n\r\n')
    for (const mail of [`${added}\r\n${head}`, `${head}\r\n${added}`]) {
      const { verdicts: broken } = await verifyDkim(Buffer.from([mail, ...rest].join('\r\n\r\n'), 'latin1'), record)
      expect([added, broken[0]?.status.result]).not.toEqual([added, 'pass'])
    }
  }
})

test('each answer of the server names who is at fault', async () => {
  const smtp = await given()
  const cases = [
    { code: 550, outcome: 'refused' },
    { code: 552, outcome: 'refused' },
    { code: 530, outcome: 'unavailable' },
    { code: 421, outcome: 'unavailable' },
    { code: 451, outcome: 'unavailable' },
  ]
  for (const { code, outcome } of cases) {
    // A new connection for each: after a 421 on a used one the pool keeps the outcome, but not the words.
    const sender = senderTo(smtp.port)
    const error = `The mail server answers: ${code} 5.1.1 Not here`
    smtp.refuse = () => ({ code, message: '5.1.1 Not here' })
    expect(await sender.send(mailTo('nobody@home.example')), `recipient ${code}`).toEqual({
      outcome,
      error,
      ...(outcome === 'refused' && { unknownAddress: 'nobody@home.example' }),
    })
    smtp.refuse = () => null
    smtp.behave = () => ({ code, message: '5.1.1 Not here' })
    expect(await sender.send(mailTo('zoe@home.example')), `data ${code}`).toEqual({ outcome, error })
    smtp.behave = () => 'take'
  }
  expect(smtp.mails).toEqual([])
})

test('a refused mail leaves its connection to the next one, and an ended connection is replaced', async () => {
  const smtp = await given()
  const sender = senderTo(smtp.port)
  const outcomes: string[] = []
  for (const code of [null, 550, null, 421, null]) {
    smtp.refuse = () => (code === null ? null : { code, message: 'Not now' })
    outcomes.push((await sender.send(mailTo('zoe@home.example'))).outcome)
  }
  expect(outcomes).toEqual(['accepted', 'refused', 'accepted', 'unavailable', 'accepted'])
  expect(smtp.mails).toHaveLength(3)
})

test('the words of an answer are one line of at most 500 characters', async () => {
  const smtp = await given()
  smtp.refuse = () => ({ code: 550, message: `5.7.1 first\r\nsecond ${'x'.repeat(900)}` })
  const outcome = await senderTo(smtp.port).send(mailTo('zoe@home.example'))
  if (outcome.outcome !== 'refused') throw new Error(outcome.outcome)
  expect(outcome.error).toHaveLength(500)
  expect(outcome.error).not.toMatch(/\p{Cc}/u)
})

test('a connection cut after the mail leaves its outcome unknown, and sends it once', async () => {
  const smtp = await given()
  smtp.behave = () => 'cut'
  const sender = senderTo(smtp.port)
  expect(await sender.send(mailTo('zoe@home.example'))).toMatchObject({ outcome: 'unknown' })
  // On a connection that has sent a mail already as well.
  smtp.behave = () => 'take'
  expect(await sender.send(mailTo('zoe@home.example'))).toMatchObject({ outcome: 'accepted' })
  smtp.behave = () => 'cut'
  expect(await sender.send(mailTo('zoe@home.example'))).toMatchObject({ outcome: 'unknown' })
  expect(smtp.mails).toHaveLength(3)
})

async function givenScript(greeting: string | null, onText: (text: string, socket: Socket) => void) {
  const server = await givenSmtpScript(greeting, onText)
  ends.push(() => server.stop())
  return server
}

interface Relay {
  port: number
  /** The header `To` of each mail that was taken. */
  mails: string[]
  /** How many mails each connection has brought. */
  taken: Map<Socket, number>
}

/** Starts a server that takes mails. `onText` handles a command, or `idle` after a mail, when it returns true. */
async function givenRelay(onText: (text: string, socket: Socket, count: number) => boolean): Promise<Relay> {
  const taken = new Map<Socket, number>()
  const bodies = new Map<Socket, string>()
  const { port } = await givenScript('220 here\r\n', (text, socket) => {
    const body = bodies.get(socket)
    if (body === undefined) {
      if (!taken.has(socket)) taken.set(socket, 0)
      if (onText(text, socket, taken.get(socket) ?? 0)) return
      const isData = text.startsWith('DATA')
      if (isData) bodies.set(socket, '')
      socket.write(isData ? '354 go\r\n' : '250 ok\r\n')
      return
    }
    bodies.set(socket, body + text)
    if (!(body + text).endsWith('\r\n.\r\n')) return
    bodies.delete(socket)
    relay.mails.push(/^To: (.*)$/m.exec(body + text)?.[1]?.trim() ?? '')
    taken.set(socket, (taken.get(socket) ?? 0) + 1)
    if (!onText('taken', socket, taken.get(socket) ?? 0)) socket.write('250 taken\r\n')
  })
  const relay: Relay = { port, mails: [], taken }
  return relay
}

test.each([
  ['MAIL FROM', 'a 421', (socket: Socket) => socket.end('421 4.4.2 Timed out\r\n')],
  ['MAIL FROM', 'a cut', (socket: Socket) => socket.destroy()],
  ['MAIL FROM', 'a reset', (socket: Socket) => socket.resetAndDestroy()],
  ['RCPT TO', 'a 421', (socket: Socket) => socket.end('421 4.7.0 Too many mails on this connection\r\n')],
  ['DATA', 'a 421', (socket: Socket) => socket.end('421 4.3.2 Going down\r\n')],
  ['DATA', 'a cut', (socket: Socket) => socket.destroy()],
  ['idle', 'a 421', (socket: Socket) => socket.end('421 4.4.2 Timed out\r\n')],
  ['idle', 'a reset', (socket: Socket) => socket.resetAndDestroy()],
] as const)('a used connection that ends at %s by %s sends its mail on a new one, once', async (at, _how, end) => {
  const relay = await givenRelay((text, socket, count) => {
    if (count === 0 || !text.startsWith(at === 'idle' ? 'taken' : at)) return false
    if (at === 'idle') socket.write('250 taken\r\n')
    end(socket)
    return true
  })
  const sender = senderTo(relay.port)
  for (const name of ['one', 'two', 'three']) {
    expect(await sender.send(mailTo(`${name}@home.example`)), name).toMatchObject({ outcome: 'accepted' })
  }
  expect(relay.mails).toEqual(['one', 'two', 'three'].map((name) => `Zoe <${name}@home.example>`))
  expect([...relay.taken.values()]).toEqual([1, 1, 1])
})

test('a mail goes on when all kept connections have ended, and a new one that ends is of the provider', async () => {
  let isDown = false
  const held: Socket[] = []
  const relay = await givenRelay((text, socket, count) => {
    if (text.startsWith('MAIL FROM') && (isDown || count > 0)) return socket.destroy().destroyed
    if (text !== 'taken' || relay.mails.length > 10) return false
    // Ten mails on ten connections: each is answered when all are there.
    held.push(socket)
    if (held.length === 10) for (const one of held) one.write('250 taken\r\n')
    return true
  })
  const sender = senderTo(relay.port)
  const first = Array.from({ length: 10 }, (_, n) => sender.send(mailTo(`user${n}@home.example`)))
  for (const outcome of await Promise.all(first)) expect(outcome).toMatchObject({ outcome: 'accepted' })
  expect(await sender.send(mailTo('zoe@home.example'))).toMatchObject({ outcome: 'accepted' })
  expect([relay.mails.length, relay.taken.size]).toEqual([11, 11])
  isDown = true
  expect(await sender.send(mailTo('zoe@home.example'))).toMatchObject({ outcome: 'unavailable' })
  expect(await sender.send(mailTo('zoe@home.example'))).toMatchObject({ outcome: 'unavailable' })
  // The kept one was used up, and each mail had one new connection.
  expect([relay.mails.length, relay.taken.size]).toEqual([11, 13])
})

test('a used connection that is silent ends in time, and its mail is not tried on another', async () => {
  const relay = await givenRelay((text, _socket, count) => text.startsWith('MAIL FROM') && count > 0)
  const sender = senderTo(relay.port, {}, { timeLimits: { socketMs: 300 } })
  expect(await sender.send(mailTo('zoe@home.example'))).toMatchObject({ outcome: 'accepted' })
  expect(await sender.send(mailTo('zoe@home.example'))).toMatchObject({ outcome: 'unavailable' })
  expect([relay.mails.length, relay.taken.size]).toEqual([1, 1])
})

test('a connection cut before the end of the mail sends nothing', async () => {
  for (const at of ['EHLO', 'MAIL FROM', 'RCPT TO', 'DATA']) {
    const { port } = await givenScript(
      '220 here\r\n',
      answerUntil(at, (socket) => socket.destroy()),
    )
    expect(await senderTo(port).send(mailTo('zoe@home.example')), at).toMatchObject({ outcome: 'unavailable' })
  }
  const inTheMiddle = answerUntil('DATA', (socket, text) => {
    if (text.startsWith('DATA')) socket.write('354 go\r\n')
    else socket.resetAndDestroy()
  })
  const { port } = await givenScript('220 here\r\n', inTheMiddle)
  const large = mailTo('zoe@home.example', { html: 'x '.repeat(8_000_000) })
  expect(await senderTo(port).send(large)).toMatchObject({ outcome: 'unavailable' })
})

test('a refusal of the session is of the provider', async () => {
  const refuse = (socket: Socket) => socket.write('550 5.7.1 Not you\r\n')
  const greeting = await givenScript('554 5.3.2 Closed\r\n', () => {})
  const ehlo = await givenScript('220 here\r\n', answerUntil('EHLO', refuse))
  for (const { port } of [greeting, ehlo]) {
    expect(await senderTo(port).send(mailTo('zoe@home.example'))).toMatchObject({ outcome: 'unavailable' })
  }
  const from = await givenScript('220 here\r\n', answerUntil('MAIL FROM', refuse))
  expect(await senderTo(from.port).send(mailTo('zoe@home.example'))).toEqual({
    outcome: 'refused',
    error: 'The mail server answers: 550 5.7.1 Not you',
  })
})

test('a silent server ends in time: unknown after the whole mail, unavailable before', async () => {
  const timeLimits = { greetingMs: 200, socketMs: 300 }
  const error = 'The mail server did not answer in time.'
  const greeting = await givenScript(null, () => {})
  const before = senderTo(greeting.port, {}, { timeLimits })
  expect(await before.send(mailTo('zoe@home.example'))).toEqual({ outcome: 'unavailable', error })

  const recipient = await givenScript(
    '220 here\r\n',
    answerUntil('RCPT TO', () => {}),
  )
  const during = senderTo(recipient.port, {}, { timeLimits })
  expect(await during.send(mailTo('zoe@home.example'))).toEqual({ outcome: 'unavailable', error })

  const smtp = await given()
  let answer = () => {}
  smtp.behave = () =>
    new Promise<Behaviour>((resolve) => {
      answer = () => resolve('take')
    })
  const after = senderTo(smtp.port, {}, { timeLimits })
  expect(await after.send(mailTo('zoe@home.example'))).toEqual({ outcome: 'unknown', error })
  answer()
})

test('an address that is not public is not connected to', async () => {
  let connections = 0
  const counted = createServer(() => connections++).listen(0, '127.0.0.1')
  await once(counted, 'listening')
  ends.push(() => new Promise((resolve) => counted.close(resolve)))
  const own = (counted.address() as AddressInfo).port
  const error = 'The address of the mail server is not public, and OUTBOUND_ALLOW does not contain it.'
  for (const host of [HOST, '127.0.0.1', '0x7f.1', '::ffff:127.0.0.1', '169.254.169.254']) {
    const sender = senderTo(own, { host }, { allow: [] })
    expect(await sender.send(mailTo('zoe@home.example')), host).toEqual({ outcome: 'unavailable', error })
  }
  expect(connections).toBe(0)
})

test('a name without an address, and a port without a server, are of the provider', async () => {
  const unknown: Resolve = (_hostname, _options, callback) =>
    callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address() as AddressInfo
  await new Promise((resolve) => free.close(resolve))
  const outcome = { outcome: 'unavailable', error: 'The mail server could not be reached.' }
  expect(await senderTo(port, {}, { resolve: unknown }).send(mailTo('zoe@home.example'))).toEqual(outcome)
  expect(await senderTo(port).send(mailTo('zoe@home.example'))).toEqual(outcome)
})

test('mails share at most ten connections, and closing ends mails in progress first', async () => {
  const smtp = await given()
  let most = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let arrived = 0
  smtp.behave = async (): Promise<Behaviour> => {
    most = Math.max(most, smtp.connections())
    if (++arrived === 10) release()
    await released
    return 'take'
  }
  const sender = senderTo(smtp.port)
  const sent = Array.from({ length: 25 }, (_, n) => sender.send(mailTo(`user${n}@home.example`)))
  await released
  const closing = sender.close()
  expect(await sender.send(mailTo('late@home.example'))).toMatchObject({ outcome: 'unavailable' })
  for (const outcome of await Promise.all(sent)) expect(outcome).toMatchObject({ outcome: 'accepted' })
  await closing
  expect(most).toBe(10)
  expect(new Set(smtp.mails.map(({ to }) => to[0])).size).toBe(25)
  await expect.poll(() => smtp.connections()).toBe(0)
})
