// Tests that an early answer goes to one call of its address, and that neither a failure nor a stale one is taken.

import { afterEach, expect, test, vi } from 'vitest'
import { readEarly, takeEarly } from './early-answers.ts'

const ROWS = '/v1/rows?limit=100'

function answerEach(answer: () => Promise<Response>): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address)
    return answer()
  })
  return asked
}

afterEach(async () => {
  await takeEarly(ROWS)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('the first call of the address takes the answer; others have none', async () => {
  const asked = answerEach(async () => Response.json({ data: [] }))
  readEarly(ROWS)
  expect(await takeEarly('/v1/rows')).toBeUndefined()
  expect(await takeEarly(ROWS)).toEqual({ data: [] })
  expect(await takeEarly(ROWS)).toBeUndefined()
  expect(asked).toEqual([ROWS])
})

test.each([
  ['refusal', async () => Response.json({}, { status: 401 })],
  ['broken line', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['body that is no JSON', async () => new Response('<html>')],
] as const)('a %s is no answer: the call is sent again, and reports it', async (_name, answer) => {
  answerEach(answer)
  readEarly(ROWS)
  expect(await takeEarly(ROWS)).toBeUndefined()
})

test('a stale answer is not taken', async () => {
  vi.useFakeTimers()
  answerEach(async () => Response.json({ data: [] }))
  readEarly(ROWS)
  vi.advanceTimersByTime(11_000)
  expect(await takeEarly(ROWS)).toBeUndefined()
})
