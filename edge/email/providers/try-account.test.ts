// Tries an account at each provider of mail: the call only reads, and what each answer means.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MailProviderName } from '../../../contract/tenant.ts'
import type { AccountFault } from '../../domain/mail/mail-provider.ts'
import { OutboundError } from '../../lib/outbound/outbound-error.ts'
import { API_CASES } from '../test/api-cases.ts'
import { type GivenProviderApi, givenProviderApi } from '../test/given-provider-api.ts'
import { createMailProviders, type MailProvidersDeps } from './mail-providers.ts'

let api: GivenProviderApi
beforeEach(async () => {
  api = await givenProviderApi()
})
afterEach(() => api.stop())

type Answer = [status: number, body: object, headers?: Record<string, string>]
interface Case {
  path: string
  refused: Answer
  /** Of a key that may send and not read. */
  sendsOnly?: Answer
}

const CASES: Record<Exclude<MailProviderName, 'smtp'>, Case> = {
  sendgrid: { path: '/v3/scopes', refused: [401, { errors: [{ message: 'The grant is invalid' }] }] },
  postmark: { path: '/server', refused: [401, { ErrorCode: 10, Message: 'No or bad token' }] },
  mailgun: { path: '/v4/domains/mg.shop.example', refused: [404, { message: 'Domain not found' }] },
  ses: {
    path: '/v2/email/account',
    refused: [403, { message: 'The token is invalid.' }, { 'x-amzn-errortype': 'UnrecognizedClientException' }],
    sendsOnly: [403, { message: 'Not authorized' }, { 'x-amzn-errortype': 'AccessDeniedException' }],
  },
  resend: {
    path: '/domains',
    refused: [400, { name: 'validation_error', message: 'API key is invalid' }],
    sendsOnly: [401, { name: 'restricted_api_key', message: 'Restricted to only send emails' }],
  },
  brevo: { path: '/v3/account', refused: [401, { code: 'unauthorized', message: 'Key not found' }] },
  mailjet: { path: '/v3/REST/sender?Limit=1', refused: [401, { ErrorMessage: 'API key authentication failure' }] },
}

/** Answers of accounts, and how those for tests send. */
const LIMITS: Record<string, [account: object, words: RegExp | null][]> = {
  postmark: [
    [{ DeliveryType: 'Sandbox' }, /delivers none/],
    [{ DeliveryType: 'Live' }, null],
  ],
  mailgun: [
    [{ domain: { type: 'sandbox' } }, /authorized recipients alone/],
    [{ domain: { type: 'custom' } }, null],
  ],
  ses: [
    [{ ProductionAccessEnabled: false, SendingEnabled: true }, /verified addresses alone/],
    [{ ProductionAccessEnabled: true, SendingEnabled: false }, /switched off/],
    [{ ProductionAccessEnabled: true, SendingEnabled: true }, null],
  ],
}

const SES = { accessKeyId: 'AKIA1', secretAccessKey: 'secret-of-ses', region: 'eu-west-1' }

describe.each([...API_CASES, { name: 'ses' as const, credentials: SES, headers: {} }])('$name', (given) => {
  const { path, refused, sendsOnly } = CASES[given.name] as Case
  async function tryAccount(fetch: MailProvidersDeps['fetch'] = api.fetch): Promise<AccountFault | null> {
    const provider = createMailProviders({ fetch, allow: [] }).get(given.name)
    if (provider?.tryAccount == null) throw new Error('no such trial')
    return provider.tryAccount({ ...given.credentials, baseUrl: api.url })
  }
  const answer = ([status, body, headers = {}]: Answer) => {
    api.answer = { status, text: JSON.stringify(body), headers }
  }

  test('an account that answers is right, and the call only reads', async () => {
    answer([200, {}])
    expect(await tryAccount()).toBeNull()
    expect(api.calls.map((call) => [call.method, call.path, call.body])).toEqual([['GET', path, '']])
    for (const [name, value] of Object.entries(given.headers)) {
      if (!/^(authorization|api-key|x-postmark-server-token)$/.test(name)) continue
      expect(api.calls[0]?.headers[name]).toBe(value)
    }
  })

  test('refused credentials are a fault, in the words of the provider', async () => {
    answer(refused)
    const words = JSON.stringify(Object.values(refused[1]))
    const fault = await tryAccount()
    expect(fault?.kind).toBe('refused')
    expect(words).toContain(fault?.words.split(': ').at(-1) ?? 'none')
  })

  test('an account for tests is named, and one that sends to everybody is none', async () => {
    for (const [account, words] of LIMITS[given.name] ?? []) {
      answer([200, account])
      expect([account, await tryAccount()]).toEqual([
        account,
        words && { kind: 'tests', words: expect.stringMatching(words) },
      ])
    }
  })

  test('a key that may only send is no fault', async () => {
    if (sendsOnly !== undefined) {
      answer(sendsOnly)
      expect(await tryAccount()).toBeNull()
    }
    answer([405, {}])
    expect((await tryAccount())?.kind).toBe('untried')
    if (given.name !== 'mailgun') return
    for (const status of [401, 403]) {
      answer([status, { message: 'Forbidden' }])
      expect((await tryAccount())?.kind).toBe('untried')
    }
  })

  test('its words have no secret, whatever the provider says', async () => {
    const secrets = Object.values(given.credentials).filter((value) => value.includes('secret'))
    for (const status of [401, 404, 500]) {
      answer([status, { message: secrets.join(), Message: secrets.join(), ErrorMessage: secrets.join() }])
      const { words = '' } = (await tryAccount()) ?? {}
      for (const secret of secrets) expect(words).not.toContain(secret)
    }
  })

  test.each([
    ['unreached', 'unreachable'],
    ['unreached', 'timeout'],
    ['unreached', 'redirect'],
    ['address', 'forbidden-address'],
  ] as const)('is %s when the call ends with %s', async (kind, reason) => {
    const fault = await tryAccount(() => Promise.reject(new OutboundError(reason)))
    expect(fault?.kind).toBe(kind)
  })
})

test("Postmark's token for tests is named without a call", async () => {
  const provider = createMailProviders({ fetch: api.fetch, allow: [] }).get('postmark')
  const fault = await provider?.tryAccount?.({ serverToken: 'POSTMARK_API_TEST', baseUrl: api.url })
  expect(fault).toEqual({ kind: 'tests', words: expect.stringContaining('delivers none') })
  expect(api.calls).toEqual([])
})
