// The allow-list of browser origins, for CORS and the WebSocket handshake (contract section 4, "CORS").

import { domainToASCII } from 'node:url'

const ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/([^\s/?#@\\]+)$/
/** A host that is written as people read it, behind its `*.` if it has one. */
const FOREIGN_HOST = /(\*\.)?([^/:*]*[^\x20-\x7e][^/:*]*)/
const WILDCARD = /^(?:([a-z][a-z0-9+.-]*):\/\/)?\*\.([^\s/?#@\\*]+)$/

/**
 * Whether a browser on that origin may speak for users of the environment. `null` (sandboxed frames, files) never; an
 * empty list allows every other. An entry is an exact origin, or has one leading `*.` for any depth of subdomains:
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

/** As browsers write it: lower case, ASCII, no trailing slash, without the port that the scheme implies. */
function normalise(text: string): string {
  const lower = text
    .trim()
    .toLowerCase()
    .replace(/\/$/, '')
    .replace(FOREIGN_HOST, (_, wildcard: string | undefined, host: string) => (wildcard ?? '') + domainToASCII(host))
  return lower.replace(/^(https:\/\/[^/]+):443$/, '$1').replace(/^(http:\/\/[^/]+):80$/, '$1')
}
