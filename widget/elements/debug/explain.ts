// Explains why an inbox is not there and what to do: from what was refused and from what the probe found.

import type { InboxStatus } from '../../inbox/inbox-controller.ts'
import type { TokenLook } from './credentials.ts'
import type { Probe } from './probe.ts'
import type { Refusal } from './trace.ts'

/** Something that is not as it should be, and what to do about it. */
export interface Finding {
  /** `hint`: it works, but not as well as it could. */
  weight: 'error' | 'hint'
  what: string
  todo: string
}

export const fault = (what: string, todo: string): Finding => ({ weight: 'error', what, todo })
export const hint = (what: string, todo: string): Finding => ({ weight: 'hint', what, todo })

/** Everything that an explanation is made from. */
export interface Situation {
  state: InboxStatus
  refusal: Refusal | undefined
  probe: Probe
  /** The device's clock ahead of the service's, ms, by a sign-in or a probe. */
  skewMs: number | undefined
  /** By this device's clock. */
  now: number
  token: TokenLook
  hasProvider: boolean
  authType: string
  /** Of the page. */
  origin: string
  baseUrl: string
  /** What the page's policy refused. */
  blocked: readonly string[]
  /** The socket was tried so often, in vain, while calls came through. */
  socketRetries: number
  isListThere: boolean
  /** The code of the failure that the element shows. */
  failureCode: string | undefined
  /** The service worker that may answer in the service's place; empty: none. */
  worker: string
  /** What a part threw when it ran. */
  partFailure: string | undefined
}

/** Beyond this a clock is wrong and not only slow. */
const SKEW_MS = 60_000

export function explain(situation: Situation): Finding[] {
  const { state, blocked } = situation
  const found: Finding[] = []
  if (blocked.length > 0) found.push(policy(situation))
  if (situation.partFailure !== undefined) found.push(threw(situation.partFailure))
  else if (situation.failureCode === 'client/old-answer') found.push(old(situation.worker))
  else if (state === 'error' && situation.refusal !== undefined) found.push(refused(situation, situation.refusal))
  else if (state === 'offline' && blocked.length === 0) found.push(unreached(situation))
  else if (situation.socketRetries > 1 && blocked.length === 0) found.push(noSocket(situation))
  if (situation.skewMs !== undefined && Math.abs(situation.skewMs) > SKEW_MS) found.push(skewed(situation.skewMs))
  return found
}

function old(worker: string): Finding {
  return fault(
    `client/old-answer: answers about the list are not of now. ${worker ? `The service worker ${worker} may give them from its cache.` : 'A cache on the way may give them.'}`,
    'Let it pass every call of the service on to the network.',
  )
}

function threw(reason: string): Finding {
  return fault(
    `A part of the element threw when it ran: ${reason}`,
    /trustedtypes|createPolicy/i.test(reason)
      ? "The page's Content-Security-Policy lists Trusted Types policies: add lit-html (trusted-types lit-html)."
      : 'Reload the page; where it comes again, report it with this line.',
  )
}

function policy({ blocked, baseUrl }: Situation): Finding {
  return fault(
    `The page's Content-Security-Policy blocks what the element needs: ${blocked.join('; ')}.`,
    `Allow script-src ${baseUrl}; connect-src ${baseUrl} ${baseUrl.replace(/^http/, 'ws')}; img-src ${baseUrl}.`,
  )
}

function refused(situation: Situation, { code, message, details, status, correlationId }: Refusal): Finding {
  const known = REFUSALS[code]?.(situation, message ?? '')
  const words = [`The service refused (${status} ${code}).`, known?.what ?? message ?? '', ...details]
  const trail = correlationId === null ? '' : ` In the service's log it is ${correlationId}.`
  const todo = known?.todo ?? 'The code stands in docs/errors.md.'
  return fault(words.filter((word) => word !== '').join(' '), todo + trail)
}

type Explained = { what: string; todo: string }

const REFUSALS: Record<string, (situation: Situation, message: string) => Explained> = {
  'auth/invalid-api-key': ({ baseUrl }, message) => {
    if (/disabled/.test(message)) return { what: message, todo: 'Enable the environment, or use the key of another.' }
    if (/region/.test(message)) return { what: message, todo: 'Use the base-url of that region, or a key of this one.' }
    return {
      what: 'No environment has this Front API Key: it is mistyped, retired, or of another service.',
      todo: `Copy it again from the environment's keys, and see that base-url (${baseUrl}) is the service that made it.`,
    }
  },
  'auth/invalid-token-signature': tokenRefused,
  'auth/no-public-key-registered': ({ authType }) => ({
    what: `For auth-type ${authType} the environment has no public key or identity provider.`,
    todo: 'Register one in the environment, or let your backend mint backend tokens.',
  }),
  'auth/invalid-inputs': () => ({
    what: 'Something that the sign-in needs is missing or has no valid form.',
    todo: 'See the attributes above, and the claims of the token.',
  }),
  'auth/invalid-session': () => ({
    what: 'The session was ended, and a new sign-in was refused too.',
    todo: 'Set a fresh token, or a tokenProvider that mints one when it is asked.',
  }),
  'authorization/not-allowed': ({ origin }) => notAllowed(origin),
}

const notAllowed = (origin: string): Explained => ({
  what: `The environment lists the origins that may use it, and ${origin} is not among them.`,
  todo: `Add it on the server: “nc env set-origins --env env_… --origin ${origin}” (name the others again).`,
})

function tokenRefused({ token, skewMs = 0, now, hasProvider, authType }: Situation): Explained {
  const serviceNow = now - skewMs
  const renew = hasProvider
    ? 'The tokenProvider gives out old tokens: mint one each time it is asked.'
    : 'Mint a new one; with a tokenProvider the element asks for it before the old one ends.'
  if (token.endsAt !== undefined && token.endsAt <= serviceNow) {
    return { what: `The token ended ${lengthOf(serviceNow - token.endsAt)} ago by the service's clock.`, todo: renew }
  }
  if (token.beginsAt !== undefined && token.beginsAt > serviceNow) {
    return {
      what: `The token begins only in ${lengthOf(token.beginsAt - serviceNow)} by the service's clock.`,
      todo: 'The clock of the backend that minted it is ahead: set it right.',
    }
  }
  if (authType !== 'backendToken') {
    return {
      what: 'The signature, the issuer or the audience of the token is not what the environment expects.',
      todo: 'Compare the public key or identity provider of the environment with the claims iss and aud and the key that signed.',
    }
  }
  return {
    what: 'The token was made with another secret, or for another user-id.',
    todo: 'It is HMAC-SHA256 of exactly this user-id with the authSecretKey of the environment of this api-key. Development and production have different ones; a retired one counts no more.',
  }
}

function unreached({ refusal, probe, origin, baseUrl, isListThere }: Situation): Finding {
  const shown = isListThere ? ' What was stored is shown.' : ''
  if (refusal?.code === 'client/token-provider') {
    return fault(
      `The page's tokenProvider failed${refusal.message === undefined ? '' : ` (${refusal.message})`}.${shown}`,
      'See why it rejects; it is asked again by and by.',
    )
  }
  if (refusal !== undefined && refusal.status > 0) return busy(refusal, shown)
  // Of a file, or of a frame with `sandbox`.
  if (origin === 'null' && probe.reach.startsWith('answers')) {
    return fault(
      `This page has no origin, and the service answers none such.${shown}`,
      'Open it by http, not as a file (npx serve); a frame with sandbox needs allow-same-origin.',
    )
  }
  switch (probe.reach) {
    case 'answers': {
      if (refusal === undefined) break
      const { what, todo } = notAllowed(origin)
      return fault(`The service answers, but lets this page not read its sign-in. Most likely: ${what}${shown}`, todo)
    }
    case 'blocked by the policy':
      return fault(
        `The page's Content-Security-Policy lets no call to ${baseUrl} out.${shown}`,
        `Allow connect-src ${baseUrl} ${baseUrl.replace(/^http/, 'ws')}.`,
      )
    case 'answers beside fetch':
      return fault(
        `The page wraps \`fetch\`, such as to send cookies (credentials: 'include'), which the service takes from no page.${shown}`,
        `Pass calls to ${baseUrl} on as they are.`,
      )
    case 'answers nobody':
      return fault(
        `Something answers at ${baseUrl}, but not as the service does: pages may not read it.${shown}`,
        'Is base-url the service? Does a proxy before it take the CORS headers off, or answer in its place?',
      )
    case 'mixed content':
      return fault(
        `This page came by HTTPS, and ${baseUrl} is plain HTTP: browsers block that.`,
        'Serve the notification service by HTTPS too.',
      )
    case 'no network':
      return fault(`The browser has no network.${shown}`, 'Nothing: it catches up by itself.')
    case 'out of reach':
      return fault(
        `Nothing answers at ${baseUrl}: it is down, its name is wrong, or an extension or a firewall blocks it.${shown}`,
        `Open ${baseUrl}/healthz in a tab of its own. The element tries again by itself.`,
      )
    default:
  }
  return fault(`The service cannot be reached.${shown}`, 'The element tries again by itself.')
}

function busy({ status, code, message, retryAfterMs }: Refusal, shown: string): Finding {
  const when = retryAfterMs === undefined ? 'by and by' : `in ${lengthOf(retryAfterMs)}`
  return fault(
    `The service could not take it (${status} ${code}). ${message ?? ''}${shown}`.trim(),
    `The element tries again ${when}.`,
  )
}

function noSocket({ socketRetries }: Situation): Finding {
  return hint(
    `The WebSocket did not come up in ${socketRetries} attempts, though calls come through. Changes are asked for every 15 to 30 s instead.`,
    'See that proxies before the service pass upgrades of /realtime, and that the page’s policy allows its ws: address.',
  )
}

function skewed(skewMs: number): Finding {
  return hint(
    `This device's clock is ${lengthOf(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} the service's.`,
    'Order and times in the list are right all the same. Tokens that are minted or judged by this clock are not.',
  )
}

const UNITS: [ms: number, one: string][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
]

/** "3 minutes", in whole units. */
export function lengthOf(ms: number): string {
  const [size, name] = UNITS.find(([unit]) => ms >= unit) ?? [1_000, 'second']
  const count = Math.max(0, Math.round(ms / size))
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
