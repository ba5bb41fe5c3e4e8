// The session: renewed once after a 401 and before its end, never in a loop.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallError } from '../lib/failure.ts'
import type { CallOptions } from './api.ts'
import { type Credential, createSession, type SignInReason, subjectOf } from './session.ts'

const refusal = (status = 401) =>
  new CallError({ status, code: 'auth/invalid-session', correlationId: 'c', retryAfterMs: undefined })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A service that knows one token at a time; `answers` overrides what a call gets. */
function given(more: Partial<Credential> = {}, expiresIn = 3600) {
  const log: string[] = []
  const refused: string[] = []
  const owners: string[] = []
  let sessions = 0
  let valid = ''
  let isAuthRefused = false
  let ended = { count: 0, sleptMs: 0 }
  const call = async <T>(method: string, path: string, { token, body }: CallOptions = {}): Promise<T> => {
    log.push(`${method} ${path} ${token ?? JSON.stringify(body)}`)
    if (path !== '/v1/users/auth') {
      if (token !== valid) throw refusal()
      return {} as T
    }
    if (isAuthRefused) throw refusal()
    const sessionToken = `session-${++sessions}`
    valid = sessionToken
    if (ended.count-- > 0) {
      valid = 'another'
      vi.advanceTimersByTime(ended.sleptMs)
    }
    const answer = { sessionToken, expiresIn, expiresAt: '2026-01-01T00:00:00.000Z', user: { userId: 'u' } }
    return answer as T
  }
  const credential: Credential = {
    apiKey: 'k',
    authType: 'backendToken',
    userId: 'u',
    token: 't',
    tokenProvider: null,
    ...more,
  }
  const session = createSession({
    call,
    credential: () => credential,
    onSignedIn: ({ ownerId }) => owners.push(ownerId),
    onRefused: ({ code }) => refused.push(code),
  })
  const auths = () => log.filter((line) => line.includes('users/auth')).length
  return {
    session,
    log,
    refused,
    owners,
    auths,
    endSession: () => {
      valid = 'another'
    },
    /** The next sessions end before they are used, the page asleep meanwhile. */
    endNext: (count: number, sleptMs: number) => {
      ended = { count, sleptMs }
    },
    refuseAuth: () => {
      isAuthRefused = true
    },
  }
}

test('sign-ins at the same time share one request', async () => {
  const { session, auths } = given()
  await Promise.all([session.signIn('start'), session.signIn('expiring')])
  expect(auths()).toBe(1)
  session.stop()
})

test('a credential set while a sign-in is on its way is the one that counts, for all who wait', async () => {
  const tellings: ((token: string) => void)[] = []
  const tokenProvider = () => new Promise<{ token: string }>((resolve) => tellings.push((token) => resolve({ token })))
  const { session, log, owners } = given({ tokenProvider })
  const former = session.call('GET', '/waits')
  const latter = session.signIn('start', true)
  tellings[0]?.('old')
  await vi.advanceTimersByTimeAsync(0)
  // The session that came of the former one is nobody's.
  expect([log.slice(1), owners]).toEqual([['DELETE /v1/inbox/session session-1'], []])
  tellings[1]?.('new')
  await Promise.all([former, latter])
  expect([log.at(-1), owners]).toEqual(['GET /waits session-2', ['u']])
  session.stop()
})

test('a refusal of the former credential does not end the latter one', async () => {
  const tellings: ((token: string) => void)[] = []
  const tokenProvider = () => new Promise<{ token: string }>((resolve) => tellings.push((token) => resolve({ token })))
  const { session, auths, refused, refuseAuth } = given({ tokenProvider })
  const former = session.signIn('expiring')
  const latter = session.signIn('start', true)
  tellings[1]?.('new')
  await latter
  refuseAuth()
  tellings[0]?.('old')
  await vi.advanceTimersByTimeAsync(0)
  tellings[2]?.('old again')
  await expect(former).resolves.toBeUndefined()
  expect([auths(), refused]).toEqual([3, []])
  await expect(session.call('GET', '/still')).resolves.toEqual({})
  session.stop()
})

test('a 401 renews once, and the call is tried once more', async () => {
  const { session, auths, endSession } = given()
  await session.signIn('start')
  endSession()
  await expect(Promise.all([session.call('GET', '/a'), session.call('GET', '/b')])).resolves.toEqual([{}, {}])
  expect(auths()).toBe(2)
  session.stop()
})

test('a second 401 is a refusal: nothing more is asked', async () => {
  const { session, auths, refused, endSession, refuseAuth } = given()
  await session.signIn('start')
  endSession()
  refuseAuth()
  await expect(session.call('GET', '/a')).rejects.toMatchObject({ status: 401 })
  expect([auths(), refused]).toEqual([2, ['auth/invalid-session']])
  session.stop()
})

test('a new session that is refused at once is a refusal, after one renewal', async () => {
  const { session, auths, refused, endSession, endNext } = given()
  await session.signIn('start')
  endSession()
  endNext(5, 1000)
  await expect(session.call('GET', '/a')).rejects.toMatchObject({ status: 401 })
  expect([auths(), refused]).toEqual([2, ['auth/invalid-session']])
  session.stop()
})

test('a new session that ended while the page slept is renewed again', async () => {
  const { session, auths, refused, endSession, endNext } = given()
  await session.signIn('start')
  endSession()
  endNext(2, 60_000)
  await expect(session.call('GET', '/a')).resolves.toEqual({})
  expect([auths(), refused]).toEqual([4, []])
  session.stop()
})

test('a sign-in from before a sleep brings a session that has ended: that is no refusal', async () => {
  const tellings: (() => void)[] = []
  const tokenProvider = () => new Promise<{ token: string }>((resolve) => tellings.push(() => resolve({ token: 't' })))
  const { session, refused, endSession, endNext } = given({ tokenProvider })
  const first = session.signIn('start')
  tellings[0]?.()
  await first
  const before = session.signIn('expiring')
  endSession()
  const called = session.call('GET', '/a')
  await vi.advanceTimersByTimeAsync(0)
  endNext(1, 0)
  tellings[1]?.()
  await before
  await vi.advanceTimersByTimeAsync(0)
  tellings[2]?.()
  await expect(called).resolves.toEqual({})
  expect(refused).toEqual([])
  session.stop()
})

test('it is renewed before its end by its own timer, for as long as it lives', async () => {
  const { session, auths } = given({}, 600)
  await session.signIn('start')
  await vi.advanceTimersByTimeAsync(509_000)
  expect(auths()).toBe(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(auths()).toBe(2)
  session.stop()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(auths()).toBe(2)
})

test('a notice of expiry right after a renewal asks for nothing', async () => {
  const { session, auths } = given({}, 60)
  await session.signIn('start')
  for (let at = 0; at < 5; at++) session.renewIfDue()
  await vi.advanceTimersByTimeAsync(100)
  expect(auths()).toBe(1)
  session.stop()
})

test('the provider is asked with the reason, and once more when its token is refused', async () => {
  const reasons: SignInReason[] = []
  const tokenProvider = async ({ reason }: { reason: SignInReason }) => {
    reasons.push(reason)
    return { userId: 'p', token: `${reasons.length}` }
  }
  const { session, log, owners, refuseAuth } = given({ tokenProvider, token: null, userId: null })
  await session.signIn('start')
  expect([owners[0], log[0]]).toEqual([
    'p',
    'POST /v1/users/auth {"apiKey":"k","authType":"backendToken","token":"1","userId":"p"}',
  ])
  refuseAuth()
  await expect(session.signIn('expiring')).rejects.toMatchObject({ status: 401 })
  expect(reasons).toEqual(['start', 'expiring', 'refused'])
  session.stop()
})

test('calls without a session ask for one first, together; a refusal is told once', async () => {
  const { session, auths, log } = given()
  await Promise.all([session.call('GET', '/one'), session.call('GET', '/two')])
  expect([auths(), log.at(-1)]).toEqual([1, 'GET /two session-1'])
  session.stop()
  await expect(session.call('GET', '/three')).rejects.toMatchObject({ status: 401 })
  expect(auths()).toBe(1)
  const refusing = given()
  refusing.refuseAuth()
  await expect(refusing.session.call('GET', '/one')).rejects.toMatchObject({ status: 401 })
  expect([refusing.auths(), refusing.refused]).toEqual([1, ['auth/invalid-session']])
})

test('a provider that fails counts as out of reach', async () => {
  const tokenProvider = () => Promise.reject(new Error('down'))
  const { session } = given({ tokenProvider })
  await expect(session.signIn('start')).rejects.toMatchObject({ status: 0, code: 'client/token-provider' })
  session.stop()
})

test.each([
  [`x.${btoa(JSON.stringify({ sub: 'u_1' }))}.y`, 'u_1'],
  ['v2.1800000000.abcdef', undefined],
  ['nonsense', undefined],
  [null, undefined],
])('the subject of %s is %s', (token, subject) => {
  expect(subjectOf(token)).toBe(subject)
})
