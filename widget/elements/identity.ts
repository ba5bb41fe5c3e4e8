// Whom an element serves, and where: two with the same identity mean the same inbox (contract section 13).

import { type Credential, subjectOf } from '../transport/session.ts'

/** Empty while something is missing that a sign-in needs. */
export function identityOf(edge: string, { apiKey, authType, userId, token, tokenProvider }: Credential): string {
  const needsUser = authType === 'backendToken' && tokenProvider === null
  if (apiKey === '' || (tokenProvider === null && token === null) || (needsUser && !userId)) return ''
  return JSON.stringify([edge, apiKey, authType, userId ?? subjectOf(token) ?? ''])
}

/** Reads anew while it is so, then answers what it read last. */
export function lastWhile<T>(isSo: () => boolean, read: () => T): () => T {
  let last = read()
  return () => {
    if (isSo()) last = read()
    return last
  }
}
