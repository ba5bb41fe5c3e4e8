// What the page sets on the element, as the inbox takes it.

import type { Credential } from '../transport/session.ts'

/** Properties whose value is the text of their attribute. */
export const TEXTS = ['apiKey', 'userId', 'authType', 'baseUrl', 'mode', 'locale', 'theme', 'toasts'] as const
/** Set anew after a sign-out, each of them signs in again. */
export const CREDENTIAL: PropertyKey[] = ['apiKey', 'userId', 'authType', 'token', 'tokenProvider']

export const isText = (value: unknown): boolean => value === null || typeof value === 'string'

/** The text of a property: frameworks set `undefined` or `false` for nothing, and `true` for an attribute without a value. */
export function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === false) return null
  return value === true ? '' : `${value}`
}

/** What the page sets; frameworks set `undefined` for what they do not have. */
interface Named {
  apiKey: string | null | undefined
  authType: string | null | undefined
  userId: string | null | undefined
  token: string | null | undefined
  tokenProvider: Credential['tokenProvider'] | undefined
  baseUrl: string | null | undefined
}

/** As templates write it, with line ends around it; empty is nothing. */
const trimmed = (value: unknown): string | null => textOf(value)?.trim() || null

export function credentialOf({ apiKey, authType, userId, token, tokenProvider }: Named): Credential {
  return {
    apiKey: trimmed(apiKey) ?? '',
    authType: trimmed(authType) ?? 'backendToken',
    userId: trimmed(userId),
    token: trimmed(token),
    tokenProvider: tokenProvider ?? null,
  }
}

/** The address of the edge: as the page sets it, else where the script came from. */
export function edgeOf({ baseUrl }: Pick<Named, 'baseUrl'>, scriptOrigin: string | undefined): string {
  return (trimmed(baseUrl) ?? scriptOrigin ?? location.origin).replace(/\/+$/, '')
}
