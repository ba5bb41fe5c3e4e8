// Tests the SMTP provider against servers that answer what is no SMTP, or without an end: no mail is refused by garbage,
// and none is sent twice.

import type { Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { MAIL } from '../test/given-provider-api.ts'
import { answerUntil, givenSmtpScript } from '../test/given-smtp-script.ts'
import { createSmtpProvider } from './smtp.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Sends a mail to a server that behaves in this way. */
async function send(greeting: Parameters<typeof givenSmtpScript>[0], onText: (text: string, socket: Socket) => void) {
  const { port, stop } = await givenSmtpScript(greeting, onText)
  ends.push(stop)
  const provider = createSmtpProvider({ allow: ['127.0.0.0/8'], timeLimits: { greetingMs: 500, socketMs: 500 } })
  const sender = provider.createSender({ host: '127.0.0.1', port: String(port), tls: 'none' })
  ends.push(() => sender.close())
  return sender.send(MAIL)
}

const GARBAGE = [
  'HTTP/1.1 400 Bad Request\r\n\r\n<html>',
  'hello\r\n',
  '\r\n',
  '99 too short\r\n',
  '999 too much\r\n',
  '\0\xff\xfe\r\n',
]
const COMMANDS = ['EHLO', 'MAIL FROM', 'RCPT TO', 'DATA']

test.each(GARBAGE)('the greeting %j is of the provider', async (greeting) => {
  expect(await send(greeting, () => {})).toMatchObject({ outcome: 'unavailable' })
})

test.each(COMMANDS.flatMap((at) => GARBAGE.map((answer) => [at, answer] as const)))(
  '%s answered by %j is of the provider',
  async (at, answer) => {
    const outcome = await send(
      '220 here\r\n',
      answerUntil(at, (socket) => socket.write(answer)),
    )
    expect(outcome).toMatchObject({ outcome: 'unavailable', error: expect.stringMatching(/^\P{Cc}+$/u) })
  },
)

/** Handles the mail that follows DATA. */
const afterMail = (onMail: (socket: Socket) => void) =>
  answerUntil('DATA', (socket, text) => {
    if (text.startsWith('DATA')) socket.write('354 go\r\n')
    else if (text.endsWith('\r\n.\r\n')) onMail(socket)
  })

test.each(GARBAGE)('a whole mail answered by %j has an unknown outcome', async (answer) => {
  let mails = 0
  const outcome = await send(
    '220 here\r\n',
    afterMail((socket) => {
      mails++
      socket.write(answer)
    }),
  )
  expect(outcome).toMatchObject({ outcome: 'unknown', error: expect.stringMatching(/^\P{Cc}+$/u) })
  expect(mails).toBe(1)
})

/** Writes lines until the client ends the connection. */
function writeForever(socket: Socket, line: string): void {
  const lines = line.repeat(100)
  function write(): void {
    while (!socket.destroyed && socket.writable && socket.write(lines));
  }
  socket.on('drain', write)
  write()
}

test.each(['the greeting', ...COMMANDS, 'the mail'])('an answer to %s without an end is cut', async (at) => {
  let ended = 0
  const begin = (socket: Socket) => {
    socket.once('close', () => ended++)
    writeForever(socket, at === 'the greeting' ? '220-more\r\n' : '250-more\r\n')
  }
  const onText = at === 'the mail' ? afterMail(begin) : answerUntil(at, begin)
  const outcome = await send(at === 'the greeting' ? begin : '220 here\r\n', onText)
  expect(outcome).toMatchObject({ outcome: at === 'the mail' ? 'unknown' : 'unavailable' })
  await expect.poll(() => ended).toBe(1)
})
