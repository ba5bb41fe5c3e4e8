// Limits by caller: who shares one, what the headers say, and whose word is taken for an address.

import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { WidgetSession } from '../domain/session.ts'
import { ApiError } from '../lib/api-error.ts'
import type { AnswerHeaders } from './answer.ts'
import type { HttpContext } from './context.ts'
import { type CallLimits, clientAddress, createRateLimits } from './rate-limits.ts'

function contextFrom(remoteAddress: string, forwarded?: string): HttpContext {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const incoming = { socket: { remoteAddress }, headers } as IncomingMessage
  return { env: { incoming } } as HttpContext
}
const headOf = (c: HttpContext, headers: AnswerHeaders = {}) => ({ c, correlationId: 'c', params: {}, headers })
const givenLimits = (limits: Partial<CallLimits>, trustedProxies = 0) =>
  createRateLimits({ limits: { auth: null, inbox: null, track: null, ...limits }, trustedProxies })

async function outcomeOf(take: void | Promise<void>): Promise<string> {
  try {
    await take
    return 'taken'
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}

test('beyond the limit it is 429, with the headers that say when to come back', async () => {
  const { authGuard } = givenLimits({ auth: 2 })
  const headers: AnswerHeaders = {}
  await authGuard(headOf(contextFrom('192.0.2.1'), headers))
  expect(headers).toEqual({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1', 'ratelimit-reset': '60' })
  await authGuard(headOf(contextFrom('192.0.2.1'), headers))
  const error = await Promise.resolve(authGuard(headOf(contextFrom('192.0.2.1'), headers))).catch((e: unknown) => e)
  expect(error).toMatchObject({ code: 'request/rate-limited', status: 429 })
  expect((error as ApiError).extra.retryAfterSeconds).toBeGreaterThan(50)
  expect((error as ApiError).extra.retryAfterSeconds).toBeLessThanOrEqual(60)
  expect(headers).toMatchObject({ 'ratelimit-remaining': '0' })
})

describe('a limit is shared', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['192.0.2.1', '::ffff:192.0.2.1', true],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ])('%s and %s: %s', async (one, two, shared) => {
    const { authGuard } = givenLimits({ auth: 1 })
    await authGuard(headOf(contextFrom(one)))
    expect(await outcomeOf(authGuard(headOf(contextFrom(two))))).toBe(shared ? 'request/rate-limited' : 'taken')
  })

  test('by the calls of one user, not by those of another', async () => {
    const { inboxGuard } = givenLimits({ inbox: 1 })
    const head = (userNo: number) => ({ ...headOf(contextFrom('192.0.2.1')), session: { userNo } as WidgetSession })
    const take = (userNo: number) => outcomeOf(inboxGuard(head(userNo)))
    expect([await take(1), await take(2), await take(1)]).toEqual(['taken', 'taken', 'request/rate-limited'])
  })

  test('by the events of one environment, each counted', async () => {
    const { takeTrack } = givenLimits({ track: 100 })
    const take = (environmentId: number, events: number) => outcomeOf(takeTrack(environmentId, events, {}))
    expect([await take(1, 60), await take(1, 41), await take(2, 100)]).toEqual([
      'taken',
      'request/rate-limited',
      'taken',
    ])
  })
})

test('no limit, no headers', async () => {
  const { authGuard, takeTrack } = givenLimits({})
  const headers: AnswerHeaders = {}
  for (let i = 0; i < 5000; i++) await authGuard(headOf(contextFrom('192.0.2.1'), headers))
  await takeTrack(1, 1_000_000, headers)
  expect(headers).toEqual({})
})

test.each([
  [0, '9.9.9.9', '192.0.2.1'],
  [1, '9.9.9.9', '9.9.9.9'],
  [1, '6.6.6.6, 9.9.9.9', '9.9.9.9'],
  [2, '6.6.6.6, 9.9.9.9, 10.0.0.1', '9.9.9.9'],
  [2, '9.9.9.9', '9.9.9.9'],
  [1, undefined, '192.0.2.1'],
])('behind %i proxies, %s is %s', (proxies, forwarded, address) => {
  expect(clientAddress(contextFrom('192.0.2.1', forwarded), proxies)).toBe(address)
})
