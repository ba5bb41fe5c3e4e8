// Tests that a record shows each attempt with the words of the provider, and that unknown mailboxes are suppressed.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { type GivenSmtp, givenSmtp } from '../support/given-smtp.ts'
import { openSandbox } from '../support/open-sandbox.ts'

let smtp: GivenSmtp
let given: GivenEdge
let key: string
beforeAll(async () => {
  smtp = await givenSmtp()
  given = await givenEdge({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}?tls=none` }, { mailPausesMs: { attempts: [1] } })
  await openSandbox(given)
  key = given.demo.environments.dev.sdkSecretKey
  const steps = [{ id: 'mail', type: 'email', subject: 'Paid', markdown: 'Paid' }]
  await given.publish(inboxCampaign('order', 'order.paid', { steps }))
})
afterAll(async () => {
  await given.stop()
  await smtp.stop()
})

type Detail = { status: string; statusReason: string | null; attemptLog: Record<string, unknown>[] }

async function send(userId: string): Promise<Detail> {
  const { eventId } = (await given.track({ name: 'order.paid', userId, user: { email: `${userId}@example.org` } })).body
  const list = () => given.call<{ data: { messageId: string }[] }>('GET', `/v1/deliveries?eventId=${eventId}`, { key })
  const read = async () => {
    const id = (await list()).body.data[0]?.messageId
    return (await given.call<Detail>('GET', `/v1/deliveries/${id}`, { key })).body
  }
  await expect.poll(async () => (await read()).status).toMatch(/^(sent|failed|skipped)$/)
  return read()
}

test.each(['5.1.1', '5.1.10', '5.2.1'])('550 %s at RCPT TO suppresses the address, and is in the log', async (code) => {
  smtp.refuse = () => ({ code: 550, message: `${code} no such user` })
  const userId = `gone-${code.replaceAll('.', '')}`
  const failed = await send(userId)
  expect(failed).toMatchObject({ status: 'failed', statusReason: 'provider-error' })
  expect(failed.attemptLog).toEqual([
    {
      at: expect.any(String),
      integration: null,
      provider: 'smtp',
      outcome: 'refused',
      answer: `The mail server answers: 550 ${code} no such user`,
    },
  ])
  smtp.refuse = () => null
  expect(await send(userId)).toMatchObject({ status: 'skipped', statusReason: 'suppressed', attemptLog: [] })
})

test.each(['550 5.7.1 spam', '550 no such user', '550 5.1.100 other', '552 5.2.2 full'])(
  '%s suppresses nobody',
  async (words) => {
    const [code, ...message] = words.split(' ')
    smtp.refuse = () => ({ code: Number(code), message: message.join(' ') })
    const userId = `kept-${words.replace(/\W/g, '')}`
    expect(await send(userId)).toMatchObject({ status: 'failed' })
    smtp.refuse = () => null
    expect(await send(userId)).toMatchObject({ status: 'sent' })
  },
)

test('the log has a refusal that may pass, and the acceptance after it', async () => {
  let asked = 0
  smtp.refuse = () => (asked++ === 0 ? { code: 451, message: '4.7.1 greylisted' } : null)
  const { attemptLog } = await send('later')
  expect(attemptLog).toMatchObject([
    { outcome: 'unavailable', answer: expect.stringContaining('greylisted') },
    { outcome: 'accepted', answer: expect.stringContaining('250') },
  ])
})
