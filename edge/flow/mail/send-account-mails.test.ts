// Tests the attempts of account mails: what is tried again, what a stop does, and what errors may say.

import { expect, test } from 'vitest'
import type { AccountMail } from '../../domain/mail/account-mail.ts'
import type { OutgoingMail, SendOutcome } from '../../domain/mail/mail-provider.ts'
import { createLog } from '../../lib/log.ts'
import { createSendAccountMails } from './send-account-mails.ts'

const MAIL: AccountMail = { to: 'a@b.example', locale: 'en', subject: 's', preheader: 'p', markdown: 'm', text: 't' }
const ABOUT = { kind: 'reset', correlationId: 'c' }
const write = async () => MAIL
const away: SendOutcome = { outcome: 'unavailable', error: 'The mail server could not be reached.' }

/** @param answers of the mail server, in order; the last one stays */
function given(answers: SendOutcome[], pausesMs?: number[]) {
  const lines: string[] = []
  let attempts = 0
  const sending = createSendAccountMails({
    compose: async ({ to }) => ({ to: { name: null, address: to } }) as OutgoingMail,
    sender: {
      send: async () => answers[Math.min(attempts++, answers.length - 1)] as SendOutcome,
      close: async () => {},
    },
    pausesMs,
    log: createLog('info', (line) => lines.push(line)),
  })
  return { ...sending, lines, attempts: () => attempts }
}

test('a mail is tried until the server takes it', async () => {
  const { send, attempts, lines } = given([away, away, { outcome: 'accepted', providerMessageId: null }], [1, 1, 1])
  expect(await send(write, ABOUT)).toEqual({ state: 'sent', error: null })
  expect([attempts(), lines.length]).toEqual([3, 2])
})

test.each([
  [{ outcome: 'refused', error: 'No such mailbox.' }, 1, 'failed'],
  [{ outcome: 'unknown', error: 'Cut.' }, 1, 'unknown'],
  [away, 4, 'failed'],
] as const)('%j is given up after %i attempts: %s', async (answer, count, state) => {
  const { send, attempts } = given([answer], [1, 1, 1])
  expect(await send(write, ABOUT)).toEqual({ state, error: answer.error })
  expect(attempts()).toBe(count)
})

test('a stop ends the pauses, and what begins later is tried once', async () => {
  const { send, stop, attempts } = given([away], [3_600_000])
  const waiting = send(write, ABOUT)
  await expect.poll(attempts).toBe(1)
  stop()
  expect(await waiting).toMatchObject({ state: 'failed' })
  expect(await send(write, ABOUT)).toMatchObject({ state: 'failed' })
  expect(attempts()).toBe(2)
})

test('a mail that cannot be made is failed, and the cause is in the log', async () => {
  const { send, attempts, lines } = given([away])
  const fail = async () => {
    throw new Error('the store is away')
  }
  expect(await send(fail, ABOUT)).toMatchObject({ state: 'failed' })
  expect([attempts(), lines.length]).toEqual([0, 1])
  expect(lines[0]).toContain('the store is away')
})

test('no token is in a reason or in the log, in no case of its letters', async () => {
  const error = 'See https://x/#nc_invite_Ab-9_z and HTTPS://X/#NC_RESET_AB-9.'
  const { send, lines } = given([{ outcome: 'refused', error }])
  expect(await send(write, ABOUT)).toMatchObject({ error: 'See https://x/#nc_invite_… and HTTPS://X/#nc_RESET_….' })
  expect(lines.join('')).not.toMatch(/ab-9/i)
})

test('at most a thousand mails wait; the next one is failed at once, until one has ended', async () => {
  const { send, stop } = given([away], [3_600_000])
  const waiting = Array.from({ length: 1000 }, () => send(write, ABOUT))
  expect((await send(write, ABOUT)).error).toMatch('Too many')
  stop()
  await Promise.all(waiting)
  expect((await send(write, ABOUT)).error).toBe(away.error)
})
