// Tests the reading of TXT records by a name server on UDP: answers, absence, and failures, which prove nothing.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ApiError } from '../lib/api-error.ts'
import { type GivenNameServer, givenNameServer } from '../test/support/given-name-server.ts'

let server: GivenNameServer
beforeAll(async () => {
  server = await givenNameServer(50)
})
afterAll(() => server.stop())
beforeEach(() => {
  server.failure = undefined
})

test('the texts of a name are read, long ones in one piece', async () => {
  const long = 'a long text '.repeat(30)
  server.records.set('_proof.example.com', ['one', long])
  expect(await server.findTexts('_proof.example.com')).toEqual(['one', long])
})

test('a name without texts, and one that does not exist, have none', async () => {
  server.records.set('empty.example.com', [])
  expect(await server.findTexts('empty.example.com')).toEqual([])
  expect(await server.findTexts('nothing.example.com')).toEqual([])
  // Longer than any name may be.
  expect(await server.findTexts(`${'label-of-a-name.'.repeat(20)}example.com`)).toEqual([])
})

test.each(['servfail', 'refused', 'silence'] as const)(
  'a name server that answers with %s proves nothing',
  async (how) => {
    server.records.set('known.example.com', ['a text'])
    server.failure = how
    const failed = await server.findTexts('known.example.com').catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(ApiError)
    expect(failed).toMatchObject({ code: 'service/unavailable', extra: { reason: 'dns-unreachable' } })
  },
)
