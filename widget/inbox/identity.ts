// Whom a credential serves, and where: two with the same identity mean the same inbox.

import { type Credential, subjectOf } from '../transport/session.ts'
import { fingerprint } from './ask-leader.ts'

/** @returns an empty string while something is absent that a sign-in needs */
export function identityOf(baseUrl: string, { apiKey, authType, userId, token, tokenProvider }: Credential): string {
  const needsUser = authType === 'backendToken' && tokenProvider === null
  if (apiKey === '' || (tokenProvider === null && token === null) || (needsUser && !userId)) return ''
  // A JWT names its subject: another subject is another inbox, whatever user id stands beside it.
  const subject = authType === 'backendToken' ? null : subjectOf(token)
  return JSON.stringify([baseUrl, apiKey, authType, userId ?? subject ?? '', subject ?? ''])
}

/** Reads anew while `isCurrent`, then returns what it read last. */
export function lastWhile<T>(isCurrent: () => boolean, read: () => T): () => T {
  let last = read()
  return () => {
    if (isCurrent()) last = read()
    return last
  }
}

/** Whose stored inbox it is; undefined where a function will tell. */
export const ownerOf = ({ userId, token }: Credential): string | undefined => userId ?? subjectOf(token)

/** A proof that another tab has the same credential; empty where a function will return it. */
export const proofOf = ({ tokenProvider, authType, token }: Credential): string =>
  tokenProvider === null ? fingerprint(authType + token) : ''
