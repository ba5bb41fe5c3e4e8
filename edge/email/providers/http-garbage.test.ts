// Tests providers' HTTP APIs that answer garbage, or an answer without an end: the status says what became of the mail.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SendOutcome } from '../../domain/mail/mail-provider.ts'
import { API_CASES } from '../test/api-cases.ts'
import { type BodyEnd, type GivenProviderApi, givenProviderApi, MAIL } from '../test/given-provider-api.ts'
import { createMailProviders } from './mail-providers.ts'

let api: GivenProviderApi
beforeEach(async () => {
  api = await givenProviderApi()
})
afterEach(() => api.stop())

const HTML = '<!doctype html><title>Bad gateway</title>\r\n<h1>Gate\0way\u2028</h1>'
const BODIES = ['', ' ', HTML, '{"id":"1', '[', 'null', '7', '"text"', '[[[]]]', '{}', '\xff\xfe']
const KEYS = [
  'MessageID',
  'MessageId',
  'Message',
  'Messages',
  'messageId',
  'message',
  'id',
  'errors',
  'ErrorCode',
  'code',
]
const VALUES = [null, 7, {}, [], [null], [[]], true, [{ Errors: 7, To: 'x', Status: 7 }]]
/** Right names with values of other types. */
const ODD = VALUES.map((value) => JSON.stringify(Object.fromEntries(KEYS.map((name) => [name, value]))))
/** The outcome of each status, whatever the body is. */
const STATUSES: [number, SendOutcome['outcome']][] = [
  [200, 'accepted'],
  [202, 'accepted'],
  [400, 'refused'],
  [401, 'unavailable'],
  [429, 'unavailable'],
  [500, 'unavailable'],
  [502, 'unavailable'],
]
const ENDS: BodyEnd[] = ['cut', 'repeat']
/** Long enough for the status to arrive on a busy machine. */
const HANG_MS = 2000

function senderOf({ name, credentials }: (typeof API_CASES)[number], to: GivenProviderApi, timeoutMs?: number) {
  const fetch: GivenProviderApi['fetch'] = (url, options) =>
    to.fetch(url, { ...options, ...(timeoutMs !== undefined && { timeoutMs }) })
  const provider = createMailProviders({ fetch, allow: [] }).get(name)
  if (provider === undefined) throw new Error('no such provider')
  return provider.createSender({ ...credentials, baseUrl: to.url })
}

test('a body that never ends is judged by its status, by each provider', async () => {
  // At once, each at a server of its own: every one takes the whole time limit.
  const answers = API_CASES.flatMap((apiCase) =>
    STATUSES.map(async ([status, outcome]) => {
      const own = await givenProviderApi()
      own.answer = { status, text: HTML, then: 'hang' }
      const where = `${apiCase.name}, ${status}`
      expect(await senderOf(apiCase, own, HANG_MS).send(MAIL), where).toMatchObject({ outcome })
      expect(own.calls, where).toHaveLength(1)
      await own.stop()
    }),
  )
  await Promise.all(answers)
})

describe.each(API_CASES)('$name', (apiCase) => {
  const givenSender = () => senderOf(apiCase, api)

  test.each(STATUSES)('garbage with the status %i is %s', async (status, outcome) => {
    const sender = givenSender()
    for (const text of [...BODIES, ...ODD]) {
      api.answer = { status, text }
      const answer = await sender.send(MAIL)
      expect(answer.outcome, text).toBe(outcome)
      if (answer.outcome === 'accepted') {
        expect(answer.providerMessageId === null || typeof answer.providerMessageId === 'string').toBe(true)
      } else expect(answer.error, text).toMatch(new RegExp(`^${status}:\\P{C}*$`, 'u'))
    }
  })

  test.each(ENDS.flatMap((then) => STATUSES.map(([status, outcome]) => [then, status, outcome] as const)))(
    'a body whose end is a %s, after the status %i, is %s',
    async (then, status, outcome) => {
      api.answer = { status, text: HTML, then }
      expect(await givenSender().send(MAIL)).toMatchObject({ outcome })
      expect(api.calls).toHaveLength(1)
    },
  )

  test('what is no HTTP leaves the outcome unknown', async () => {
    api.answer = { status: 200, text: '', headers: { 'x-long': 'x'.repeat(40_000) } }
    expect(await givenSender().send(MAIL)).toMatchObject({ outcome: 'unknown' })
  })
})
