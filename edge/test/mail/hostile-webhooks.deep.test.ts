// Tests the webhooks of every provider against calls that are forged, replayed, written again or made of garbage.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import type { Credentials } from '../../domain/mail/mail-provider.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenMailApi, givenMailApi } from '../support/given-mail-api.ts'
import { openSandbox } from '../support/open-sandbox.ts'
import {
  EVENTS_OF,
  PROVIDER_EVENTS,
  type ProviderEvents,
  type SignedCall,
  writeCall,
} from '../support/provider-events.ts'

interface Integration {
  webhookUrl: string
  webhookCredentials?: { username: string; password: string }
}
interface Delivery {
  messageId: string
  status: string
}

const RUNS = 150
const ADDRESS = 'ada@example.com'

let api: GivenMailApi
let given: GivenEdge
let key: string
/** No call may change this mail; the events with odd values are of the other one. */
let messageId: string
let fuzzedId: string
const own = new Map<string, Integration>()
const foreign = new Map<string, Integration>()

beforeAll(async () => {
  api = await givenMailApi()
  given = await givenEdge(api.env, { outbound: api.outbound })
  await openSandbox(given)
  key = given.demo.environments.dev.sdkSecretKey
  for (const written of PROVIDER_EVENTS) {
    const { provider } = written
    own.set(provider, await create(provider, written))
    foreign.set(provider, await create(`other ${provider}`, written, written.foreign))
  }
  await given.publish({
    key: 'letters',
    name: 'Letters',
    trigger: { event: 'letter' },
    steps: [{ id: 'tell', type: 'email', subject: 'Hello', html: '<p>Hello</p>' }],
  })
  messageId = await sendMail(ADDRESS)
  fuzzedId = await sendMail('fuzzed@example.com')
})
afterAll(async () => {
  await given.stop()
  await api.stop()
})

const read = async <T>(path: string) => (await given.call<T>('GET', path, { key })).body

async function create(name: string, written: ProviderEvents, changes: Credentials = {}): Promise<Integration> {
  const body = { name, provider: written.provider, credentials: { ...api.credentialsOf(written), ...changes } }
  const { status, body: created } = await given.call<Integration>('POST', '/v1/email/integrations', { key, body })
  expect(status).toBe(201)
  return created
}

async function sendMail(email: string): Promise<string> {
  const { eventId } = (await given.track({ name: 'letter', userId: email, user: { email } })).body
  const find = async () => (await read<Page<Delivery>>(`/v1/deliveries?eventId=${eventId}`)).data[0]
  await vi.waitUntil(async () => (await find())?.status === 'sent', { timeout: 60_000 })
  return (await find())?.messageId ?? ''
}

/** @param login whose password the call has, where the provider signs nothing */
async function post(to: Integration | undefined, { headers, body }: SignedCall, login = to) {
  const { username, password } = login?.webhookCredentials ?? {}
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const answer = await fetch(given.url + new URL(to?.webhookUrl ?? '').pathname, {
    method: 'POST',
    headers: { ...(username !== undefined && { authorization }), ...headers },
    body,
  })
  const text = await answer.text()
  return { status: answer.status, body: JSON.parse(text) as Record<string, unknown> }
}

/** Nothing that was refused has touched the mail or its address. */
async function expectUntouched() {
  expect(await read<Delivery>(`/v1/deliveries/${messageId}`)).toMatchObject({
    status: 'sent',
    timeline: [{ eventType: 'send' }],
  })
  expect((await read<Page<object>>(`/v1/suppressions?address=${ADDRESS}`)).data).toEqual([])
}

const JSON_VALUE = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    'x'.repeat(5000),
    1e300,
    -1,
    0,
    2 ** 53,
    '9'.repeat(40),
    '2026-13-45',
    [],
    {},
    null,
  ),
)
/** Replaces one value within an event, at any depth. */
function mutate(value: unknown, path: number[], replacement: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined || typeof value !== 'object' || value === null) return replacement
  const names = Object.keys(value)
  const name = names[first % Math.max(1, names.length)]
  if (name === undefined) return replacement
  if (Array.isArray(value)) return value.map((one, at) => (String(at) === name ? mutate(one, rest, replacement) : one))
  return { ...value, [name]: mutate(value[name as keyof typeof value], rest, replacement) }
}

describe.each(PROVIDER_EVENTS.map((one) => [one.provider, one] as const))('%s', (provider, written) => {
  const bounce = () => {
    const event = written.events.find(({ means }) => means === 'bounced')
    if (event === undefined) throw new Error('no bounce')
    return { ...event, messageId, address: ADDRESS }
  }

  test('a call with the secret of another integration is refused', async () => {
    const refused = await post(foreign.get(provider), writeCall(written, bounce()), own.get(provider))
    expect(refused).toMatchObject({ status: 401, body: { code: 'webhook/invalid-signature' } })
    await expectUntouched()
  })

  // The others sign no events. Mailgun's token may come once, which its own test below shows.
  if (written.signs !== 'nothing') {
    test('a signed event is refused once it is changed', async () => {
      const { headers, body } = writeCall(written, { ...bounce(), messageId: 'msg_1', address: 'eve@example.com' })
      const forged = { headers, body: body.replaceAll('msg_1', messageId).replaceAll('eve@example.com', ADDRESS) }
      expect(await post(own.get(provider), forged)).toMatchObject({ status: 401 })
      await expectUntouched()
    })
  }

  test('a body that was written again is refused where the bytes are signed, and else taken', async () => {
    const { headers, body } = writeCall(written, { ...bounce(), messageId: 'msg_1' })
    const again = await post(own.get(provider), { headers, body: JSON.stringify(JSON.parse(body), null, 2) })
    expect(again.status).toBe(written.signs === 'bytes' ? 401 : 200)
    await expectUntouched()
  })

  test('a signed event with any value in any place is taken or refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...written.events),
        fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }),
        JSON_VALUE,
        async (event, path, replacement) => {
          const content = mutate(
            written.contentOf({ ...event, messageId: fuzzedId, address: 'fuzzed@example.com' }),
            path,
            replacement,
          )
          const { status } = await post(own.get(provider), written.sign(JSON.stringify(content)))
          expect([200, 400, 401]).toContain(status)
        },
      ),
      { numRuns: RUNS },
    )
  })

  test('signed garbage is taken or refused', async () => {
    const garbage = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.constantFrom('', '[', '{}', '[[]]', '[null]', '{"a":'),
    )
    await fc.assert(
      fc.asyncProperty(garbage, async (text) => {
        const { status } = await post(own.get(provider), written.sign(text))
        expect([200, 400, 401]).toContain(status)
      }),
      { numRuns: RUNS },
    )
  })

  test('headers and bytes that are not signed are refused', async () => {
    const names = Object.keys(writeCall(written, bounce()).headers)
    const text = fc.oneof(fc.string(), fc.constantFrom('', '0', '-1', '1e99', 'NaN', '9'.repeat(30), 'v1,', 'AAAA'))
    const types = fc.constantFrom(
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    )
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), text, types, async (body, value, type) => {
        const headers = Object.fromEntries(names.map((name) => [name, value.replace(/[^\x20-\x7e]/g, '')]))
        const call = { headers: { ...headers, 'content-type': type }, body }
        const { status } = await post(own.get(provider), call, foreign.get(provider))
        expect(status).toBe(401)
      }),
      { numRuns: RUNS },
    )
    await expectUntouched()
  })
})

test('a token of Mailgun that was taken takes no other event', async () => {
  const { MAILGUN } = EVENTS_OF
  const first = writeCall(MAILGUN, { name: 'opened', means: 'opened', messageId: 'msg_1', address: ADDRESS })
  expect(await post(own.get('mailgun'), first)).toMatchObject({ status: 200 })
  const { signature } = JSON.parse(first.body) as { signature: object }
  const failed = { name: 'failed', means: 'bounced', fields: { severity: 'permanent', reason: 'bounce' } } as const
  const event = MAILGUN.contentOf({ ...failed, messageId, address: ADDRESS })
  const replayed = { headers: first.headers, body: JSON.stringify({ signature, 'event-data': event }) }
  expect(await post(own.get('mailgun'), replayed)).toMatchObject({ status: 200, body: { matched: 0, duplicates: 1 } })
  await expectUntouched()
})
