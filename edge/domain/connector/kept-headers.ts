// Chooses the headers of a delivery that are kept with its body: without credentials, and bounded.

import type { IncomingHttpHeaders } from 'node:http'
import type { HmacSettings } from '../../../contract/tenant.ts'

/** By lower-case name. */
export type KeptHeaders = Record<string, string>

/** Of names and values together. */
export const MAX_KEPT_HEADERS_CHARS = 8192
/** What may let its reader in. Names of signatures that have such a word are kept, as `Authorization` never is. */
const CREDENTIAL = /auth|cookie|token|secret|passw|credential|session|api-?key|^x-.*-key$|forwarded-client-cert/
const SIGNATURE = /signature|hmac|digest|^webhook-|^svix-/
const ALWAYS = /^(?:proxy-)?authorization$|cookie/

/**
 * @param settings Of the source: its header of algorithm `basic` is the secret itself.
 * @returns The headers that fit, those of signatures first
 */
export function chooseHeaders(headers: IncomingHttpHeaders, settings: HmacSettings | null = null): KeptHeaders {
  const secret = settings?.algorithm === 'basic' ? settings.header.toLowerCase() : undefined
  const kept: [string, string][] = []
  let chars = 0
  // Signatures first: a flood of other headers must not displace them.
  const sorted = Object.entries(headers).sort(([a], [b]) => Number(SIGNATURE.test(b)) - Number(SIGNATURE.test(a)))
  for (const [name, value] of sorted) {
    if (value === undefined || name === secret || isCredential(name)) continue
    const text = Array.isArray(value) ? value.join(', ') : value
    if (chars + name.length + text.length > MAX_KEPT_HEADERS_CHARS) continue
    chars += name.length + text.length
    kept.push([name, text])
  }
  return Object.fromEntries(kept)
}

function isCredential(name: string): boolean {
  return ALWAYS.test(name) || (CREDENTIAL.test(name) && !SIGNATURE.test(name))
}
