// Chooses the headers of a delivery that are kept with its body: without credentials, and bounded.

import type { IncomingHttpHeaders } from 'node:http'
import type { HmacSettings } from '../../../contract/resources/hmac-settings.ts'

/** By lower-case name. */
export type KeptHeaders = Record<string, string>

/** Of names and values together. */
export const MAX_KEPT_HEADERS_CHARS = 8192
/** What says how a delivery was signed, when, which one it is and of what kind; all others are left out. */
const KEPT =
  /^(?:content-type|content-length|user-agent|date)$|(?:^|-)(?:signature|sig|hmac|digest|timestamp|id|event|topic|type|delivery|version|attempt)(?:-|$)/
const SIGNATURE = /signature|hmac|digest|^webhook-|^svix-/
/** What may let its reader in. A name of a signature may have the word `auth`. */
const CREDENTIAL = /cookie|token|secret|passw|pwd|credential|session|key|jwt|bearer|assertion|authorization|client-cert/
const OF_AUTH = /auth/

/**
 * @param settings Of the source: the headers that it names are kept. With algorithm `basic` its header is the secret itself.
 * @returns The headers that fit: those that the source names first, then those of signatures
 */
export function chooseHeaders(headers: IncomingHttpHeaders, settings: HmacSettings | null = null): KeptHeaders {
  const secret = settings?.algorithm === 'basic' ? settings.header.toLowerCase() : undefined
  const named = namesOf(settings)
  const kept: [string, string][] = []
  let chars = 0
  // Signatures first: a flood of other headers must not displace them.
  const rank = (name: string) => (named.has(name) ? 2 : Number(SIGNATURE.test(name)))
  const sorted = Object.entries(headers).sort(([a], [b]) => rank(b) - rank(a))
  for (const [name, value] of sorted) {
    if (value === undefined || name === secret || !(named.has(name) || isKept(name))) continue
    const text = Array.isArray(value) ? value.join(', ') : value
    if (chars + name.length + text.length > MAX_KEPT_HEADERS_CHARS) continue
    chars += name.length + text.length
    kept.push([name, text])
  }
  return Object.fromEntries(kept)
}

function isKept(name: string): boolean {
  return KEPT.test(name) && !CREDENTIAL.test(name) && (SIGNATURE.test(name) || !OF_AUTH.test(name))
}

/** @returns The headers of signature, time, id and type of a source, in lower case; never the one for credentials */
function namesOf(settings: HmacSettings | null): Set<string> {
  const { header, timestampHeader, idPath, typePath } = settings ?? {}
  const ofPaths = [idPath, typePath].map((path) => /^header:(.*)$/.exec(path ?? '')?.[1])
  const names = [header, timestampHeader, ...ofPaths].flatMap((name) => name?.toLowerCase() || [])
  return new Set(names.filter((name) => !/^(?:proxy-)?authorization$|cookie/.test(name)))
}
