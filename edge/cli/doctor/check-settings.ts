// Checks for `nc doctor` whether valid settings fit together.

import { hostInUrl, isOnlyLocal, type Settings } from '../../config.ts'
import { isLoopback } from '../../lib/loopback.ts'
import { isAnywhere } from '../../lib/near-host.ts'
import { type Finding, finding } from './finding.ts'

/** Checks how browsers reach the server: address, TLS, proxies, demo data. */
export function checkReach(settings: Settings): Finding[] {
  const { host, publicUrl, seedDemo, trustedProxies } = settings
  const found: Finding[] = []
  const add = (verdict: Finding['verdict'], words: string) => found.push(finding('Reach', verdict, words))
  const isPublic = !isLoopback(publicUrl === null ? host : new URL(publicUrl).hostname)
  if (publicUrl === null && !isLoopback(host)) {
    add(
      'wrong',
      isAnywhere(host)
        ? `PUBLIC_URL is not set and HOST is ${host}: links and mails name ${hostInUrl(settings)}, which other machines cannot reach, and widgets elsewhere get their messages late. Set PUBLIC_URL.`
        : `PUBLIC_URL is not set and HOST is ${host}: links and the realtime address name it, and browsers may not reach it. Set PUBLIC_URL.`,
    )
  }
  if (isPublic && publicUrl?.startsWith('http:')) {
    add(
      'wrong',
      'PUBLIC_URL begins with http: sessions travel unprotected, and nobody can sign in to the dashboard, as browsers keep its cookie by https alone. Put TLS in front and name the https address.',
    )
  }
  if (isPublic && publicUrl?.startsWith('https:') && trustedProxies === 0) {
    add(
      'note',
      'TLS ends in front of the server, and TRUSTED_PROXIES is 0: all callers count as one address. Set how many proxies add to X-Forwarded-For.',
    )
  }
  if (seedDemo && !isOnlyLocal(settings)) {
    add(
      'wrong',
      'SEED_DEMO is on where others can reach the server: with `npm start` anybody may act as any user of the demo. Set it to false.',
    )
  }
  return found.length === 0
    ? [
        finding(
          'Reach',
          'ok',
          isOnlyLocal(settings) ? 'Only this machine reaches it.' : `Browsers reach it at ${publicUrl ?? host}.`,
        ),
      ]
    : found
}
