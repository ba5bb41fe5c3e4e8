// Matches browser origins against an allow-list, for CORS and the WebSocket handshake.

import { domainToASCII } from 'node:url'

const ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/([^\s/?#@\\]+)$/
/** An internationalised host in Unicode, after its `*.` if it has one. */
const UNICODE_HOST = /(\*\.)?([^/:*]*[^\x20-\x7e][^/:*]*)/
const WILDCARD = /^(?:([a-z][a-z0-9+.-]*):\/\/)?\*\.([^\s/?#@\\*]+)$/

/**
 * Whether pages of an origin may use the widget of the environment. `null` (sandboxed frames, files) never may; an empty
 * list allows all others. An entry is an exact origin, or has one leading `*.` for subdomains of any depth:
 * `https://*.example.com`, or `*.example.com` for every scheme.
 */
export function isOriginAllowed(allowed: readonly string[], origin: string): boolean {
  const asked = normalise(origin)
  if (!ORIGIN.test(asked)) return false
  return allowed.length === 0 || allowed.some((entry) => matches(normalise(entry), asked))
}

function matches(entry: string, asked: string): boolean {
  const wildcard = WILDCARD.exec(entry)
  if (wildcard === null) return entry === asked
  const [, scheme, domain] = wildcard
  const [, askedScheme, host = ''] = ORIGIN.exec(asked) ?? []
  return (scheme === undefined || scheme === askedScheme) && host.endsWith(`.${domain}`)
}

/** Normalises an origin as browsers do: lower case, ASCII, no trailing slash, without the default port. */
function normalise(text: string): string {
  const lower = text
    .trim()
    .toLowerCase()
    .replace(/\/$/, '')
    .replace(UNICODE_HOST, (_, wildcard: string | undefined, host: string) => (wildcard ?? '') + domainToASCII(host))
  return lower.replace(/^(https:\/\/[^/]+):443$/, '$1').replace(/^(http:\/\/[^/]+):80$/, '$1')
}
