// Tests that the webhooks of all providers take lists and single events by one rule, and refuse what is neither.

import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { MailProviderName } from '../../../contract/tenant.ts'
import type { WebhookReader } from '../../domain/mail/mail-provider.ts'
import { hmacHex } from '../../lib/hmac.ts'
import { callOf, MAIL, NOW } from '../test/given-provider-api.ts'
import { createBrevoProvider } from './brevo.ts'
import { createMailgunProvider } from './mailgun.ts'
import { createMailjetProvider } from './mailjet.ts'
import { createPostmarkProvider } from './postmark.ts'
import { createResendProvider } from './resend.ts'
import { createSendgridProvider } from './sendgrid.ts'

const deps = { fetch: () => Promise.reject(new Error('no call')) }
const seconds = String(NOW / 1000)
const { messageId } = MAIL
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const webhookKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')

interface Given {
  reader: WebhookReader | undefined
  bounce: object
  unknown: object
  sign?(text: string): Record<string, string>
}

let tokens = 0
function mailgun(event: object) {
  const token = `token-${tokens++}`
  const signature = hmacHex('key', seconds + token)
  return { signature: { timestamp: seconds, token, signature }, 'event-data': event }
}

/** Amazon SES has a test of its own, because its events come in a signed envelope. */
const GIVEN: Record<Exclude<MailProviderName, 'smtp' | 'ses'>, Given> = {
  brevo: {
    reader: createBrevoProvider(deps).createWebhookReader?.({}),
    bounce: { event: 'hard_bounce', 'X-Mailin-custom': messageId },
    unknown: { event: 'other' },
  },
  mailjet: {
    reader: createMailjetProvider(deps).createWebhookReader?.({}),
    bounce: { event: 'bounce', hard_bounce: true, CustomID: messageId },
    unknown: { event: 'other' },
  },
  postmark: {
    reader: createPostmarkProvider(deps).createWebhookReader?.({}),
    bounce: { RecordType: 'Bounce', Type: 'HardBounce', Metadata: { messageId } },
    unknown: { RecordType: 'Inbound' },
  },
  resend: {
    reader: createResendProvider(deps).createWebhookReader?.({ webhookKey: `whsec_${'A'.repeat(32)}` }),
    bounce: { type: 'email.bounced', data: { tags: { messageId } } },
    unknown: { type: 'contact.created' },
    sign(text) {
      const hmac = createHmac('sha256', Buffer.from('A'.repeat(32), 'base64')).update(`msg_01.${seconds}.${text}`)
      return { 'svix-id': 'msg_01', 'svix-timestamp': seconds, 'svix-signature': `v1,${hmac.digest('base64')}` }
    },
  },
  sendgrid: {
    reader: createSendgridProvider(deps).createWebhookReader?.({ webhookKey }),
    bounce: { event: 'bounce', messageId },
    unknown: { event: 'other' },
    sign: (text) => ({
      'x-twilio-email-event-webhook-timestamp': seconds,
      'x-twilio-email-event-webhook-signature': createSign('sha256')
        .update(seconds + text)
        .sign(privateKey, 'base64'),
    }),
  },
  mailgun: {
    reader: createMailgunProvider(deps).createWebhookReader?.({ webhookKey: 'key' }),
    bounce: mailgun({ event: 'failed', severity: 'permanent', 'user-variables': { messageId } }),
    unknown: mailgun({ event: 'accepted' }),
  },
}

describe.each(Object.entries(GIVEN))('%s', (name, { reader, bounce, unknown, sign }) => {
  async function read(body: unknown) {
    const text = JSON.stringify(body)
    const verdict = await reader?.read({ ...callOf(text), headers: sign?.(text) ?? {} })
    if (!verdict?.ok || 'confirmUrl' in verdict) throw new Error(`The call is refused: ${JSON.stringify(verdict)}`)
    return verdict
  }
  const report = expect.objectContaining({ kind: 'bounced', messageId })

  test('takes one event, and a list of events', async () => {
    expect(await read(bounce)).toMatchObject({ reports: [report], ignored: 0 })
    expect(await read([bounce])).toMatchObject({ reports: [report], ignored: 0 })
    expect(await read(unknown)).toMatchObject({ reports: [], ignored: 1 })
  })

  test('an unknown event in a list is counted, and the others take effect', async () => {
    expect(await read([unknown, bounce, unknown])).toMatchObject({ reports: [report], ignored: 2 })
  })

  // The signature of Mailgun is a part of the body, so these are not signed there.
  const refused = name === 'mailgun' ? [] : [null, 3, 'x', true, {}, { event: 7 }, { events: [bounce] }]
  test.each(refused)('refuses %j', async (body) => {
    await expect(read(body)).rejects.toMatchObject({ code: 'request/invalid-body' })
  })
})

test('mailgun refuses a list in which one event is not signed, and a signed call without an event', async () => {
  const { reader, bounce } = GIVEN.mailgun as Given
  expect(await reader?.read(callOf([bounce, { 'event-data': { event: 'failed' } }]))).toMatchObject({ ok: false })
  for (const event of [{}, [], [{ event: 'failed' }]]) {
    await expect(reader?.read(callOf(mailgun(event)))).rejects.toMatchObject({ code: 'request/invalid-body' })
  }
})
