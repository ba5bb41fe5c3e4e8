// What a target is told of the proxy's client: its address at the end of X-Forwarded-For (docs/config.md, TRUSTED_PROXIES).

import type { IncomingMessage } from 'node:http'

/** Headers that take the place of those of the same name; lower case. */
export function forwardedBy({ headers, socket }: IncomingMessage): [string, string][] {
  const before = headers['x-forwarded-for']
  const list = [...(before === undefined ? [] : [before].flat()), socket.remoteAddress ?? 'unknown']
  return [['x-forwarded-for', list.join(', ')]]
}
