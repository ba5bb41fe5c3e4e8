// Who shares an inbox with whom: never two users, keys or servers, whatever the page says beside a token.

import { afterEach, expect, test, vi } from 'vitest'
import type { Credential } from '../transport/session.ts'
import type { InboxOptions } from './inbox.ts'
import { JoinedInbox } from './joined-inbox.ts'

const jwtOf = (sub: string): string => `h.${Buffer.from(JSON.stringify({ sub })).toString('base64url')}.s`
const given: Credential = { apiKey: 'k', authType: 'backendToken', userId: 'u', token: 't', tokenProvider: null }
const joined: [JoinedInbox, InboxOptions][] = []

/** How often somebody signs in when elements of these credentials come to a page. */
async function signInsOf(...credentials: (Partial<Credential> & { baseUrl?: string })[]): Promise<number> {
  const asked = vi.fn(() => new Promise(() => {}))
  vi.stubGlobal('fetch', asked)
  for (const { baseUrl = 'http://edge', ...more } of credentials) {
    const member: InboxOptions = {
      baseUrl,
      credential: () => ({ ...given, ...more }),
      parts: { loadCore: () => new Promise(() => {}), loadRealtime: () => new Promise(() => {}) },
      onChange: () => {},
      onArrive: () => {},
      onFailure: () => {},
    }
    joined.push([JoinedInbox.join(member), member])
  }
  await new Promise((resolve) => setImmediate(resolve))
  return asked.mock.calls.length
}

afterEach(async () => {
  for (const [inbox, member] of joined.splice(0)) await inbox.leave(member)
  vi.unstubAllGlobals()
})

const provider = async () => ({ token: 't' })
const other = async () => ({ token: 't' })

test.each([
  ['the same', [{}, {}]],
  ['a newer token of the same user', [{}, { token: 't2' }]],
  ['the same provider', [{ tokenProvider: provider }, { tokenProvider: provider }]],
  ['JWTs of the same subject', [1, 2].map(() => ({ authType: 'jwt', userId: null, token: jwtOf('u') }))],
])('one sign-in for %s', async (_, credentials) => {
  expect(await signInsOf(...credentials)).toBe(1)
})

test.each([
  ['users', [{}, { userId: 'v' }]],
  ['keys', [{}, { apiKey: 'k2' }]],
  ['servers', [{}, { baseUrl: 'http://elsewhere' }]],
  ['providers', [{ tokenProvider: provider }, { tokenProvider: other }]],
  ['users of one provider that is not told whose', [1, 2].map(() => ({ tokenProvider: provider, userId: null }))],
  ['subjects behind the same user id', ['a', 'b'].map((sub) => ({ authType: 'jwt', token: jwtOf(sub) }))],
  ['unreadable JWTs', ['a', 'b'].map((token) => ({ authType: 'signedJwt', token }))],
])('a sign-in each for different %s', async (_, credentials) => {
  expect(await signInsOf(...credentials)).toBe(2)
})
