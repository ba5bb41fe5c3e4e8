// Reads and writes the cookie of a dashboard session.

import { parse, serialize } from 'hono/utils/cookie'
import { isLoopbackUrl } from '../../config.ts'
import { DASHBOARD_SESSION_MS } from '../../domain/people/dashboard-session.ts'
import { headerOf, type RequestContext } from '../context.ts'

const SECURE_NAME = '__Host-nc_session'
/** Browsers refuse the prefix without `Secure`, and `Secure` by plain HTTP. */
const LOOPBACK_NAME = 'nc_session'

export interface SessionCookie {
  /** @returns The token of the request; undefined without one, or with two of that name. */
  read(c: RequestContext): string | undefined
  /** @returns The value of `Set-Cookie` for a new session. */
  write(token: string): string
  /** @returns The value of `Set-Cookie` that removes the cookie. */
  clear(): string
}

/** @param publicUrl Returns the address for browsers; plain HTTP on a loopback address gets a cookie without `Secure`. */
export function createSessionCookie(publicUrl: () => string): SessionCookie {
  function isSecure(): boolean {
    const url = publicUrl()
    return url.startsWith('https:') || !isLoopbackUrl(url)
  }
  const nameOf = (secure: boolean) => (secure ? SECURE_NAME : LOOPBACK_NAME)
  function format(value: string, maxAge: number): string {
    const secure = isSecure()
    return serialize(nameOf(secure), value, { path: '/', httpOnly: true, secure, sameSite: 'Lax', maxAge })
  }
  return {
    read(c) {
      const header = headerOf(c, 'cookie')
      const name = nameOf(isSecure())
      // A page of another port or path of this host may have added a second one.
      if (header === undefined || header.split(`${name}=`).length !== 2) return undefined
      return parse(header, name)[name]
    },
    write: (token) => format(token, DASHBOARD_SESSION_MS / 1000),
    clear: () => format('', 0),
  }
}
