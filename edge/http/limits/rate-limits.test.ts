// Tests rate limits: which callers share one, what a call costs, the headers, and the bound of the memory.

import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { EnvironmentLimits } from '../../../contract/resources/environment.ts'
import type { CallLimits } from '../../../contract/tenant.ts'
import type { WidgetSession } from '../../domain/session.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { AnswerHeaders } from '../kernel/answer.ts'
import type { HttpContext } from '../kernel/context.ts'
import { createFallbackCounter } from './fallback-counter.ts'
import { createMemoryCounter } from './memory-counter.ts'
import { createRateLimits } from './rate-limits.ts'

function contextFrom(remoteAddress: string, forwarded?: string): HttpContext {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const incoming = { socket: { remoteAddress }, headers } as IncomingMessage
  return { env: { incoming } } as HttpContext
}
const headOf = (c: HttpContext, headers: AnswerHeaders = {}) => ({
  c,
  correlationId: 'c',
  params: {},
  headers,
  cookies: [],
})
const asUser = (userNo: number, headers: AnswerHeaders = {}) => ({
  ...headOf(contextFrom('192.0.2.1'), headers),
  session: { userNo, environmentId: 1 } as WidgetSession,
})
const events = (recipients: number, ...topics: string[]) => ({ recipients, topics })
const OFF: CallLimits = { auth: null, inbox: null, track: null, management: null, webhooks: null }
const TOPIC_SIZES: Record<string, number> = { small: 3, large: 1_000_000 }

function givenLimits(limits: Partial<CallLimits>, own: EnvironmentLimits | null = null, trustedProxies = 0) {
  const clock = { at: 1_000_000, now: () => clock.at }
  const environment = { id: 1, rateLimits: own }
  const rateLimits = createRateLimits({
    limits: { ...OFF, ...limits },
    trustedProxies,
    counter: createMemoryCounter(clock),
    findEnvironment: async (id) => (id === 1 ? environment : undefined),
    findByFrontKey: async (value) => (value === 'front' ? { environment } : undefined),
    countSubscribers: async (_id, topic, max) => Math.min(max, TOPIC_SIZES[topic] ?? 0),
  })
  return { ...rateLimits, clock, environment }
}

async function outcomeOf(take: void | Promise<void>): Promise<string> {
  try {
    await take
    return 'taken'
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}
const REFUSED = 'request/rate-limited'

test('a call beyond the limit is answered 429, with the time of the next window in the headers', async () => {
  const { authGuard, clock } = givenLimits({ auth: 2 })
  const headers: AnswerHeaders = {}
  await authGuard(headOf(contextFrom('192.0.2.1'), headers))
  expect(headers).toEqual({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1', 'ratelimit-reset': '60' })
  await authGuard(headOf(contextFrom('192.0.2.1')))
  clock.at += 20_500
  const late: AnswerHeaders = {}
  const error = await Promise.resolve(authGuard(headOf(contextFrom('192.0.2.1'), late))).catch((e: unknown) => e)
  expect(error).toMatchObject({ code: REFUSED, status: 429, extra: { retryAfterSeconds: 40 } })
  expect(late).toEqual({ 'ratelimit-limit': '2', 'ratelimit-remaining': '0', 'ratelimit-reset': '40' })
  clock.at += 39_500
  expect(await outcomeOf(authGuard(headOf(contextFrom('192.0.2.1'))))).toBe('taken')
})

describe('a limit is shared', () => {
  test('by one address, whatever its headers contain', async () => {
    const { authGuard } = givenLimits({ auth: 1 })
    const take = (address: string, claimed?: string) => outcomeOf(authGuard(headOf(contextFrom(address, claimed))))
    expect([await take('192.0.2.1'), await take('192.0.2.1', '9.9.9.9'), await take('192.0.2.2')]).toEqual([
      'taken',
      REFUSED,
      'taken',
    ])
  })

  test('by one address behind a trusted proxy, and not by all clients of the proxy', async () => {
    const { authGuard } = givenLimits({ auth: 1 }, null, 1)
    const take = (forwarded: string) => outcomeOf(authGuard(headOf(contextFrom('10.0.0.1', forwarded))))
    expect([await take('9.9.9.9'), await take('8.8.8.8'), await take('6.6.6.6, 9.9.9.9')]).toEqual([
      'taken',
      'taken',
      REFUSED,
    ])
  })

  test('by the calls of one user, not by those of another', async () => {
    const { inboxGuard } = givenLimits({ inbox: 1 })
    const take = (userNo: number) => outcomeOf(inboxGuard(asUser(userNo)))
    expect([await take(1), await take(2), await take(1)]).toEqual(['taken', 'taken', REFUSED])
  })

  test('by all recipients of one environment; a refused call costs nothing', async () => {
    const { takeTrack } = givenLimits({ track: 100 })
    const take = (id: number, count: number) => outcomeOf(takeTrack({ id }, events(count), {}))
    expect([await take(1, 60), await take(1, 41), await take(2, 100), await take(1, 40), await take(1, 1)]).toEqual([
      'taken',
      REFUSED,
      'taken',
      'taken',
      REFUSED,
    ])
  })
})

test('the error of a request beyond the whole limit advises to split it', async () => {
  const { takeTrack } = givenLimits({ track: 100 })
  await expect(takeTrack({ id: 1 }, events(101), {})).rejects.toThrow(/101 .* 100 a minute .* split/)
})

test('a topic costs its subscribers, at least one and at most a whole window', async () => {
  const { takeTrack, clock } = givenLimits({ track: 10 })
  const take = async (...topics: string[]) => {
    const headers: AnswerHeaders = {}
    const outcome = await outcomeOf(takeTrack({ id: 1 }, events(0, ...topics), headers))
    return `${outcome} ${headers['ratelimit-remaining']}`
  }
  expect([await take('small'), await take('nobody'), await take('large'), await take('small', 'small')]).toEqual([
    'taken 7',
    'taken 6',
    `${REFUSED} 6`,
    'taken 0',
  ])
  clock.at += 60_000
  expect(await take('large')).toBe('taken 0')
})

describe('an environment with limits of its own', () => {
  test.each<[EnvironmentLimits, string[]]>([
    [{ track: 1 }, ['taken', REFUSED]],
    [{ track: null }, ['taken', 'taken']],
    [{}, ['taken', REFUSED]],
  ])('%j replaces one event a minute', async (own, outcomes) => {
    const { takeTrack, managementGuard, environment } = givenLimits(
      { track: 1, management: 1 },
      'track' in own ? { ...own, management: own.track ?? null } : own,
    )
    const take = () => outcomeOf(takeTrack(environment, events(1), {}))
    const manage = () => {
      const caller = { environment: environment as never, secretId: 1 }
      return outcomeOf(managementGuard({ ...headOf(contextFrom('192.0.2.1')), ...caller }))
    }
    expect([await take(), await take()]).toEqual(outcomes)
    expect([await manage(), await manage()]).toEqual(outcomes)
  })

  test('a change counts from the next call on', async () => {
    const { takeTrack } = givenLimits({})
    const take = (track: number) => outcomeOf(takeTrack({ id: 1, rateLimits: { track } }, events(1), {}))
    expect([await take(1), await take(1), await take(3), await take(2)]).toEqual(['taken', REFUSED, 'taken', REFUSED])
  })

  test('limits its users together and each of them; the headers have the lower remainder', async () => {
    const { inboxGuard } = givenLimits({ inbox: 5 }, { inbox: 2 })
    const headers: AnswerHeaders = {}
    await inboxGuard(asUser(1, headers))
    expect(headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' })
    expect([await outcomeOf(inboxGuard(asUser(2))), await outcomeOf(inboxGuard(asUser(3)))]).toEqual(['taken', REFUSED])
  })

  test('limits its sign-ins together; unknown keys are not counted', async () => {
    const { takeAuth } = givenLimits({}, { auth: 1 })
    const take = (key: unknown) => outcomeOf(takeAuth(key, {}))
    expect([await take('front'), await take('other'), await take(7), await take('front')]).toEqual([
      'taken',
      'taken',
      'taken',
      REFUSED,
    ])
  })
})

test('without a limit there are no headers', async () => {
  const { authGuard, takeTrack, inboxGuard } = givenLimits({})
  const headers: AnswerHeaders = {}
  for (let i = 0; i < 5000; i++) await authGuard(headOf(contextFrom('192.0.2.1'), headers))
  await takeTrack({ id: 1 }, events(1_000_000), headers)
  await inboxGuard(asUser(1, headers))
  expect(headers).toEqual({})
})

describe('the counter in memory', () => {
  test('keeps at most the latest windows', () => {
    const clock = { at: 0, now: () => clock.at }
    const counter = createMemoryCounter(clock, 1000)
    for (let i = 0; i < 100_000; i++) counter.add(`10.${i}`, 1)
    expect(counter.add('10.99999', 1)).toMatchObject({ used: 2 })
    expect(counter.add('10.99000', 1)).toMatchObject({ used: 2 })
    expect(counter.add('10.98000', 1)).toMatchObject({ used: 1 })
  })

  test('a clock that is set back does not extend a window', () => {
    const clock = { at: 10_000_000, now: () => clock.at }
    const counter = createMemoryCounter(clock)
    counter.add('a', 5)
    clock.at -= 5_000_000
    expect(counter.add('a', 1)).toEqual({ used: 1, resetMs: 60_000 })
  })
})

describe('the fallback counter', () => {
  function givenFallback(shared: () => Promise<{ used: number; resetMs: number }>) {
    const clock = { at: 0, now: () => clock.at }
    let calls = 0
    const add = () => {
      calls++
      return shared()
    }
    const counter = createFallbackCounter({ shared: { add }, local: createMemoryCounter(clock), clock })
    return { counter, clock, calls: () => calls }
  }

  test('uses the shared counter while it answers', async () => {
    const { counter } = givenFallback(async () => ({ used: 41, resetMs: 5 }))
    expect(await counter.add('a', 1)).toEqual({ used: 41, resetMs: 5 })
  })

  test.each([
    ['fails', () => Promise.reject(new Error('gone'))],
    ['does not answer', () => new Promise<never>(() => {})],
  ])('counts locally for a second when the shared counter %s', async (_, shared) => {
    const { counter, clock, calls } = givenFallback(shared)
    expect([await counter.add('a', 1), await counter.add('a', 1)]).toMatchObject([{ used: 1 }, { used: 2 }])
    expect(calls()).toBe(1)
    clock.at += 1000
    expect(await counter.add('a', 1)).toMatchObject({ used: 3 })
    expect(calls()).toBe(2)
  })

  test('uses an answer of the shared counter that arrived while this process did not run', async () => {
    let answer = (_usage: { used: number; resetMs: number }) => {}
    const { counter } = givenFallback(() => new Promise((resolve) => (answer = resolve)))
    const counted = counter.add('a', 1)
    const until = performance.now() + 300
    while (performance.now() < until);
    setTimeout(() => answer({ used: 41, resetMs: 5 }), 60)
    expect(await counted).toMatchObject({ used: 41 })
  })
})
