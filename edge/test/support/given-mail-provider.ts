// Runs a provider of mail: a real HTTP server on this machine, and the providers that speak to it. `sendgrid` signs its
// calls with an HMAC, `postmark` sends the password of its address, and `smtp` reports nothing.

import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MailProviderName } from '../../../contract/tenant.ts'
import type {
  Credentials,
  MailProvider,
  MailProviders,
  MailReport,
  OutgoingMail,
  SendOutcome,
  WebhookCall,
  WebhookVerdict,
} from '../../domain/mail/mail-provider.ts'
import { ApiError } from '../../lib/api-error.ts'
import { isEqualInConstantTime } from '../../lib/hmac.ts'

export interface GivenMailProvider {
  providers: MailProviders
  /** Mails that the server took, with the key of the account. */
  mails: { key: string; mail: OutgoingMail }[]
  /** Called addresses that confirm a subscription. */
  confirmed: string[]
  url: string
  /** Answers each mail; default 200. */
  answer: { status: number; text: string }
  /** Senders that were closed, by the key of their account. */
  closed: string[]
  stop(): Promise<void>
}

/** An event as the provider sends it. `kind` may be one that means nothing. */
export type SentReport = Partial<Omit<MailReport, 'kind'>> & { kind: string; eventId: string }

const KINDS = ['read', 'opened', 'clicked', 'delivered', 'bounced', 'dropped', 'deferred', 'complaint', 'unsubscribe']

/** The signature of a body. */
export const signatureOf = (key: string, body: string | Buffer) => createHmac('sha256', key).update(body).digest('hex')

export async function givenMailProvider(): Promise<GivenMailProvider> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.url?.startsWith('/confirm') === true) {
      given.confirmed.push(request.url)
      response.writeHead(request.url.includes('refused') ? 500 : 200).end()
      return
    }
    const { status, text } = given.answer
    const mail = JSON.parse(Buffer.concat(chunks).toString('utf8')) as OutgoingMail
    if (status < 300) given.mails.push({ key: String(request.headers['x-key']), mail })
    response.writeHead(status).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const given: GivenMailProvider = {
    providers: new Map(),
    mails: [],
    confirmed: [],
    closed: [],
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: { status: 200, text: 'mail-1' },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  const names = ['smtp', 'sendgrid', 'postmark'] as const
  given.providers = new Map(names.map((name): [MailProviderName, MailProvider] => [name, providerOf(name, given)]))
  return given
}

function providerOf(name: 'smtp' | 'sendgrid' | 'postmark', given: GivenMailProvider): MailProvider {
  const title = { smtp: 'SMTP', sendgrid: 'SendGrid', postmark: 'Postmark' }[name]
  const signs = name === 'sendgrid'
  const region = { name: 'region', label: 'Region', isSecret: false, isRequired: false }
  return {
    name,
    title,
    takesIdempotencyKeys: false,
    tracksEngagement: name !== 'smtp',
    fields: [
      { name: 'apiKey', label: 'API key', isSecret: true, isRequired: true },
      ...(signs ? [{ name: 'webhookKey', label: 'Key of the webhook', isSecret: true, isRequired: false }] : []),
      { ...region, values: ['eu', 'us'], byDefault: 'us' },
    ],
    check: ({ apiKey = '', region: at }) => [
      ...(/\s/.test(apiKey) ? [{ path: 'apiKey', message: 'This has spaces.' }] : []),
      ...(at === undefined ? [{ path: 'region', message: 'The default is missing.' }] : []),
    ],
    createSender: (credentials) => ({
      send: (mail) => post(given, credentials, mail),
      close: async () => void given.closed.push(credentials.apiKey ?? ''),
    }),
    createWebhookReader:
      name === 'smtp' ? null : (credentials) => ({ read: async (call) => readCall(signs ? credentials : null, call) }),
    usesWebhookPassword: name === 'postmark',
  }
}

/** How long a mail waits after a 5xx: longer than any test. */
const LATER_MS = 20 * 60_000

async function post(given: GivenMailProvider, { apiKey = '' }: Credentials, mail: OutgoingMail): Promise<SendOutcome> {
  const headers = { 'content-type': 'application/json', 'x-key': apiKey }
  const answer = await fetch(`${given.url}/send`, { method: 'POST', headers, body: JSON.stringify(mail) })
  const text = await answer.text()
  if (answer.ok) return { outcome: 'accepted', providerMessageId: text }
  if (answer.status < 500) return { outcome: 'refused', error: text }
  return { outcome: 'unavailable', error: text, retryAfterMs: LATER_MS }
}

function readCall(signing: Credentials | null, { headers, body }: WebhookCall): WebhookVerdict {
  const signature = String(headers['x-signature'] ?? '')
  if (signing !== null && !isEqualInConstantTime(signature, signatureOf(signing.webhookKey ?? '', body))) {
    return { ok: false, reason: 'The signature is wrong.' }
  }
  const parsed = parse(body.toString('utf8'))
  if (!Array.isArray(parsed)) {
    const { confirm } = parsed as { confirm?: string }
    if (confirm !== undefined) return { ok: true, confirmUrl: confirm }
  }
  const events = (Array.isArray(parsed) ? parsed : [parsed]) as SentReport[]
  const known = events.filter(({ kind }) => KINDS.includes(kind))
  const once = headers['x-once']
  return {
    ok: true,
    reports: known.map((event) => ({ ...NOTHING, ...event, kind: event.kind as MailReport['kind'] })),
    ignored: events.length - known.length,
    ...(typeof once === 'string' ? { onceOnly: once } : {}),
  }
}

const NOTHING = {
  messageId: null,
  providerMessageId: null,
  at: 0,
  automated: false,
  address: null,
  link: null,
  reason: null,
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ApiError('request/invalid-body', { message: 'The body is not valid JSON.' }, { cause })
  }
}
