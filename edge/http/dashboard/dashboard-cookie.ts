// Reads and writes the cookies of the dashboard: one for the session, one for each kind of challenge.

import { parse, serialize } from 'hono/utils/cookie'
import { CHALLENGE_MS, type ChallengeKind } from '../../domain/people/challenge.ts'
import { DASHBOARD_SESSION_MS } from '../../domain/people/dashboard-session.ts'
import { DEVICE_MS } from '../../flow/people/device-tokens.ts'
import { isLoopbackUrl } from '../../lib/loopback.ts'
import { headerOf } from '../kernel/context.ts'
import type { ChallengeCookies, DashboardCookie } from '../kernel/services.ts'
import { basePathOf } from '../node/path-prefix.ts'

/**
 * Browsers refuse the prefixes without `Secure`, and `Secure` by plain HTTP. Below a path, other services of the host
 * must not get the cookie, and `__Host-` allows no path.
 */
const securePrefix = (path: string) => (path === '/' ? '__Host-' : '__Secure-')

/** @param publicUrl Returns the address for browsers; plain HTTP on a loopback address gets a cookie without `Secure`. */
export function createDashboardCookie(name: string, lifetimeMs: number, publicUrl: () => string): DashboardCookie {
  function isSecure(): boolean {
    const url = publicUrl()
    return url.startsWith('https:') || !isLoopbackUrl(url)
  }
  const pathOf = () => basePathOf(publicUrl()) || '/'
  const nameOf = (secure: boolean) => (secure ? `${securePrefix(pathOf())}${name}` : name)
  function format(value: string, maxAge: number): string {
    const secure = isSecure()
    return serialize(nameOf(secure), value, { path: pathOf(), httpOnly: true, secure, sameSite: 'Lax', maxAge })
  }
  return {
    read(c) {
      const header = headerOf(c, 'cookie')
      const name = nameOf(isSecure())
      // A page of another port or path of this host may have added a second one.
      if (header === undefined || header.split(`${name}=`).length !== 2) return undefined
      return parse(header, name)[name]
    },
    write: (token) => format(token, lifetimeMs / 1000),
    clear: () => format('', 0),
  }
}

export const createSessionCookie = (publicUrl: () => string): DashboardCookie =>
  createDashboardCookie('nc_session', DASHBOARD_SESSION_MS, publicUrl)

/** Also sent with sign-ins of other accounts, of which it proves nothing. */
export const createDeviceCookie = (publicUrl: () => string): DashboardCookie =>
  createDashboardCookie('nc_device', DEVICE_MS, publicUrl)

/** @returns A cookie for each kind, so that sign-ins of several kinds may be in progress in one browser. */
export function createChallengeCookies(publicUrl: () => string): ChallengeCookies {
  const kinds = Object.entries(CHALLENGE_MS) as [ChallengeKind, number][]
  const cookies = kinds.map(([kind, lifetimeMs]) => {
    const name = `nc_${kind.replaceAll('-', '_')}`
    return [kind, createDashboardCookie(name, lifetimeMs, publicUrl)]
  })
  return Object.fromEntries(cookies) as ChallengeCookies
}
