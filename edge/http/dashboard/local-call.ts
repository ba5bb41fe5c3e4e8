// Decides whether a call comes from this machine itself, through no proxy.

import { isLoopback, isLoopbackUrl } from '../../lib/loopback.ts'
import { headerOf, type RequestContext } from '../kernel/context.ts'
import type { Services } from '../kernel/services.ts'

/** Headers that proxies add. A proxy on this machine makes every connection one of this machine. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/**
 * @returns True when the connection is one of this machine, and neither settings nor headers point to a proxy. `Host` is
 * checked as well: a page of another site may have its name resolve to this machine.
 */
export function isLocalCall(
  c: RequestContext,
  { trustedProxies, publicUrl }: Pick<Services, 'trustedProxies' | 'publicUrl'>,
): boolean {
  if (trustedProxies > 0 || !isLoopbackUrl(publicUrl())) return false
  if (PROXY_HEADERS.some((name) => headerOf(c, name) !== undefined)) return false
  const host = `http://${headerOf(c, 'host') ?? ''}`
  if (!URL.canParse(host) || !isLoopbackUrl(host)) return false
  return isLoopback(c.env?.incoming?.socket.remoteAddress ?? '')
}
