// Tests large bodies of many small values: each is refused as what it is, and none is a defect.
// SQLite alone: what is tested lies before the store.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'

let given: GivenEdge
let key: string
let id: string
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
  id = await given.publish(inboxCampaign('large', 'large.body'))
})
afterAll(() => given.stop())

const MIB = 1024 * 1024
const list = (count: number, item: (at: number) => string) => Array.from({ length: count }, (_, at) => item(at)).join()
/** As many items as four MiB hold. */
const fill = (item: string) =>
  Array(Math.floor((4 * MIB - 200) / (item.length + 1)))
    .fill(item)
    .join()
const keys = (count: number) => list(count, (at) => `"${'k'.repeat(60)}${at}":1`)
const definition = (steps: string, more = '') =>
  `{"key":"x","name":"y","trigger":{"event":"p"${more}},"steps":[${steps}]}`
const inbox = (more: string) => `{"id":"s","type":"inbox","title":"t",${more}}`
const email = (more: string) => `{"id":"m","type":"email","subject":"s","markdown":"m",${more}}`
const branch = (id: number, branches: string) => `{"id":"b${id}","type":"branch","branches":[${branches}]}`

async function send(method: string, path: string, body: string, bearer = key) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${bearer}` }
  const answer = await fetch(`${given.url}${path}`, { method, headers, body })
  return { status: answer.status, body: (await answer.json()) as { code?: string; results?: { code?: string }[] } }
}

const INVALID = { status: 400, body: { code: 'campaign/invalid-definition' } }
const TOO_LARGE = { status: 413, body: { code: 'request/payload-too-large' } }

const TOO_DEEP = { status: 400, body: { code: 'request/invalid-body' } }

describe('a definition', () => {
  test.each<[string, string, object]>([
    ['4 MiB of empty steps', definition(fill('{}')), TOO_LARGE],
    ['4 MiB of large integers', definition(fill('9007199254740993')), TOO_LARGE],
    ['4 MiB of brackets', definition('['.repeat(2 * MIB - 100) + ']'.repeat(2 * MIB - 100)), TOO_DEEP],
    ['60,000 unknown keys', `{${keys(60_000)},${definition('').slice(1)}`, TOO_LARGE],
    ['40,000 unknown keys', `{${keys(40_000)},${definition('').slice(1)}`, INVALID],
    ['40,000 keys of the trigger', definition('{}', `,${keys(40_000)}`), INVALID],
    ['40,000 keys of a step', definition(inbox(keys(40_000))), INVALID],
    ['40,000 headers', definition(email(`"headers":{${keys(40_000)}}`)), INVALID],
    ['40,000 copies', definition(email(`"cc":[${list(40_000, () => '"a@example.com"')}]`)), INVALID],
    ['40,000 data', definition(inbox(`"data":{"a":[${list(40_000, () => '"{{ user.id | upcase }}"')}]}`)), INVALID],
    ['10,000 locales', definition(inbox(`"locales":{${list(10_000, (at) => `"en-a${at}":{"title":"t"}`)}}`)), INVALID],
    ['a condition of 2 MiB', definition('{}', `,"where":"${'a'.repeat(2 * MIB)}"`), INVALID],
    ['49,000 empty steps', definition(list(49_000, () => '{}')), INVALID],
    [
      '44,000 steps in branches',
      definition(
        list(200, (at) =>
          branch(
            at,
            list(20, (one) => `{"key":"k${one}","steps":[${list(11, () => '{}')}]}`),
          ),
        ),
      ),
      INVALID,
    ],
  ])('with %s is refused, new or as a draft', async (_, body, refusal) => {
    expect(await send('POST', '/v1/campaigns', body)).toMatchObject(refusal)
    expect(await send('PUT', `/v1/campaigns/${id}`, body)).toMatchObject(refusal)
  })
})

test('a translation with too many keys is refused', async () => {
  const path = '/v1/translations/en'
  expect(await send('PUT', path, `{${keys(55_000)}}`)).toMatchObject(TOO_LARGE)
  expect(await send('PUT', path, `{${keys(49_000)}}`)).toMatchObject({ status: 400 })
  const messages = `{${list(5001, (at) => `"k${at}":"m"`)}}`
  expect(await send('PUT', path, messages)).toMatchObject({ status: 400, body: { code: 'request/invalid-body' } })
})

describe('a batch', () => {
  const deep = '['.repeat(MIB) + ']'.repeat(MIB)
  const event = '{"name":"large.body","userId":"u"}'

  test('has an event of too many values refused alone', async () => {
    const values = `{"name":"large.body","userId":"u","properties":{"a":[${list(500_000, () => '{}')}]}}`
    const answer = await send(
      'POST',
      '/v1/events/track/batch',
      `{"sdkSecretKey":"${key}","events":[${event},${deep},${values}]}`,
    )
    const results = [{ duplicate: false }, TOO_DEEP.body, TOO_LARGE.body]
    expect(answer).toMatchObject({ status: 202, body: { results } })
  })

  test('of reports is refused', async () => {
    const { sessionToken } = await given.signIn('u')
    const body = `{"events":[${deep}]}`
    expect(await send('POST', '/v1/notification/event/register', body, sessionToken)).toMatchObject(TOO_DEEP)
  })
})
