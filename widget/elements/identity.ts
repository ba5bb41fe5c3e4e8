// Whom an element serves, and where: two with the same identity mean the same inbox.

import { type Credential, subjectOf } from '../transport/session.ts'

/** What the page says of itself on the element. */
interface Named extends Omit<Credential, 'apiKey' | 'authType'> {
  apiKey: string | null
  authType: string | null
  baseUrl: string | null
}

export function credentialOf({ apiKey, authType, userId, token, tokenProvider }: Named): Credential {
  return { apiKey: apiKey ?? '', authType: authType || 'backendToken', userId, token, tokenProvider }
}

/** Where the edge is: as the page says, else where the script came from. */
export function edgeOf({ baseUrl }: Named, scriptOrigin: string | undefined): string {
  return (baseUrl || scriptOrigin || location.origin).replace(/\/+$/, '')
}

/** Empty while something is missing that a sign-in needs. */
export function identityOf(edge: string, { apiKey, authType, userId, token, tokenProvider }: Credential): string {
  const needsUser = authType === 'backendToken' && tokenProvider === null
  if (apiKey === '' || (tokenProvider === null && token === null) || (needsUser && !userId)) return ''
  // A JWT says by itself whose it is: that of another subject is another inbox, whatever user id stands beside it.
  const subject = authType === 'backendToken' ? null : subjectOf(token)
  return JSON.stringify([edge, apiKey, authType, userId ?? subject ?? '', subject ?? ''])
}

/** Reads anew while it is so, then answers what it read last. */
export function lastWhile<T>(isSo: () => boolean, read: () => T): () => T {
  let last = read()
  return () => {
    if (isSo()) last = read()
    return last
  }
}
