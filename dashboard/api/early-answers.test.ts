// Tests that an early answer goes to one call of its address, and that neither a failure nor a stale one is kept.

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

afterEach(() => {
  takeEarly(ROWS)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('the first call of the address takes the answer; others have none', async () => {
  const asked = answerEach(async () => Response.json({ data: [] }))
  readEarly(ROWS)
  expect(takeEarly('/v1/rows')).toBeUndefined()
  expect(await (await takeEarly(ROWS))?.json()).toEqual({ data: [] })
  expect(takeEarly(ROWS)).toBeUndefined()
  expect(asked).toEqual([ROWS])
})

test.each([
  ['refusal', async () => Response.json({}, { status: 401 })],
  ['broken line', () => Promise.reject(new TypeError('Failed to fetch'))],
] as const)('a %s is not kept for later: there may be a session by then', async (_name, answer) => {
  answerEach(answer)
  readEarly(ROWS)
  await new Promise((resolve) => setTimeout(resolve))
  expect(takeEarly(ROWS)).toBeUndefined()
})

test('a stale answer is not taken', () => {
  vi.useFakeTimers()
  answerEach(async () => Response.json({ data: [] }))
  readEarly(ROWS)
  vi.advanceTimersByTime(11_000)
  expect(takeEarly(ROWS)).toBeUndefined()
})
