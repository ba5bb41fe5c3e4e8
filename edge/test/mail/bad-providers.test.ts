// Tests mails whose provider refuses one of many, has an expired credential, or answers garbage: who gets the mail, what
// its record says, and what the integration shows.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import { addPostmark, addSmtp } from '../support/add-integration.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenMailApi, givenMailApi } from '../support/given-mail-api.ts'
import { type GivenSmtp, givenSmtp } from '../support/given-smtp.ts'
import { openSandbox } from '../support/open-sandbox.ts'

interface Delivery {
  messageId: string
  userId: string
  status: string
  statusReason: string | null
  provider: string | null
  attempts: number
  lastError: string | null
}
interface Integration {
  id: string
  state: { lastSentAt: string | null; lastErrorAt: string | null; lastError: string | null }
}

const PATH = '/v1/email/integrations'
const EXPIRED = { status: 401, text: '{"ErrorCode":10,"Message":"The Server API token has expired."}' }
const WORDS = '401: The Server API token has expired.'
let smtp: GivenSmtp
let api: GivenMailApi
let given: GivenEdge
let key: string
let count = 0

beforeAll(async () => {
  smtp = await givenSmtp()
  api = await givenMailApi()
  given = await givenEdge(api.env, { outbound: api.outbound, mailPausesMs: { attempts: [1, 1, 1, 1, 1] } })
  await openSandbox(given)
  key = given.demo.environments.dev.sdkSecretKey
  await given.publish({
    key: 'letters',
    name: 'Letters',
    trigger: { event: 'letter' },
    steps: [{ id: 'tell', type: 'email', subject: 'Hello', html: '<p>Hello</p>' }],
  })
})
afterEach(async () => {
  api.answer = null
  smtp.refuse = () => null
  const { data } = await read<Page<Integration>>(PATH)
  for (const { id } of data) await given.call('DELETE', `${PATH}/${id}`, { key })
})
afterAll(async () => {
  await given.stop()
  await Promise.all([smtp.stop(), api.stop()])
})

const read = async <T>(path: string) => (await given.call<T>('GET', path, { key })).body
const stateOf = async (id: string) => (await read<Integration>(`${PATH}/${id}`)).state

const create = (provider: 'smtp' | 'postmark', priority: number): Promise<string> =>
  provider === 'smtp'
    ? addSmtp(given, smtp, priority, `smtp ${++count}`)
    : addPostmark(given, api, priority, `postmark ${++count}`)

/** Tracks an event for these users. @returns the records of their mails, once none is under way */
async function send(userIds: string[]): Promise<Delivery[]> {
  await Promise.all(
    userIds.map((id) => given.call('PUT', `/v1/users/${id}`, { key, body: { email: `${id}@example.org` } })),
  )
  const { eventId } = (await given.track({ name: 'letter', userIds })).body
  const list = async () => (await read<Page<Delivery>>(`/v1/deliveries?eventId=${eventId}&limit=100`)).data
  const ENDS = ['sent', 'failed', 'skipped', 'cancelled']
  await expect
    .poll(async () => (await list()).filter(({ status }) => ENDS.includes(status)).length)
    .toBe(userIds.length)
  return list()
}

test('one refused address of many fails alone, in the words of the server', async () => {
  const id = await create('smtp', 1)
  smtp.refuse = (to) => (to.startsWith('reader-7@') ? { code: 550, message: '5.1.1 No such user' } : null)
  const userIds = Array.from({ length: 20 }, (_, at) => `reader-${at}`)
  const records = await send(userIds)
  const failed = records.filter(({ status }) => status === 'failed')
  expect(failed).toMatchObject([
    {
      userId: 'reader-7',
      statusReason: 'provider-error',
      attempts: 1,
      lastError: expect.stringContaining('No such user'),
    },
  ])
  expect(records.filter(({ status }) => status === 'sent')).toHaveLength(19)
  const arrived = smtp.mails.map(({ to }) => to[0]).sort()
  expect(arrived).toEqual(
    userIds
      .filter((one) => one !== 'reader-7')
      .map((one) => `${one}@example.org`)
      .sort(),
  )
  // The account itself has no fault.
  expect(await stateOf(id)).toMatchObject({ lastError: null, lastSentAt: expect.stringMatching(/Z$/) })
})

test('an expired credential: the next integration sends, and the first one shows the words of its provider', async () => {
  const [first, second] = [await create('postmark', 1), await create('smtp', 2)]
  api.answer = EXPIRED
  expect(await send(['expired-1'])).toMatchObject([{ status: 'sent', provider: 'smtp', attempts: 2 }])
  expect(await stateOf(first)).toMatchObject({
    lastSentAt: null,
    lastErrorAt: expect.stringMatching(/Z$/),
    lastError: WORDS,
  })
  expect(await stateOf(second)).toMatchObject({ lastError: null, lastSentAt: expect.stringMatching(/Z$/) })
})

test('an expired credential and no other integration: the mail fails after its attempts, in words', async () => {
  const id = await create('postmark', 1)
  api.answer = EXPIRED
  const [record] = await send(['expired-2'])
  expect(record).toMatchObject({ status: 'failed', statusReason: 'retries-exhausted', attempts: 6, lastError: WORDS })
  expect((await stateOf(id)).lastError).toBe(WORDS)
  const tested = await given.call('POST', `${PATH}/${id}/test`, { key, body: { to: 'ada@example.com' } })
  expect(tested.body).toEqual({ ok: false, error: WORDS })
})

test.each([
  ['<!doctype html><h1>Bad gateway</h1>', 502, 'retries-exhausted', '502: <!doctype html><h1>Bad gateway</h1>'],
  ['{"Message":"trunc', 422, 'provider-error', '422: {"Message":"trunc'],
])('the answer %j fails the mail with these words', async (text, status, statusReason, lastError) => {
  await create('postmark', 1)
  api.answer = { status, text }
  expect(await send([`garbage-${status}`])).toMatchObject([{ status: 'failed', statusReason, lastError }])
})
