// The report of `debug`: what is known of an element, in sections of labels and words, and the same as a text to copy. No token, no address of a person, no words of a message.

import { lengthOf } from './explain.ts'
import type { Finding } from './finding.ts'
import { maskKey, maskUser } from './mask.ts'
import type { Standing } from './standing.ts'
import type { TokenLook } from './token-look.ts'
import type { TraceLine } from './trace.ts'

export interface Section {
  title: string
  rows: [label: string, value: string][]
}

/** What the element, its inbox and a look around say. Instants by this device's clock. */
export interface Known {
  now: number
  findings: Finding[]
  lines: readonly TraceLine[]
  standing: Readonly<Standing>
  skewMs: number | undefined
  state: string
  stateSince: number
  apiKey: string | null
  userId: string | null
  authType: string
  token: TokenLook
  hasProvider: boolean
  baseUrl: string
  position: { epoch: string; seq: number } | undefined
  counts: { unread: number; unopened: number }
  messagesHere: number
  /** Elements of all tabs that share the connection; undefined where it cannot be told. */
  tabs: number | undefined
  canShare: boolean
  /** Instants at which the delivery events that wait happened. */
  waiting: number[]
  storage: string
  version: string
  scripts: string[]
  words: { language: string; locale: string }
  page: { origin: string; isVisible: boolean; isOnLine: boolean; isSecure: boolean; agent: string }
}

export function describe(known: Known): Section[] {
  return [signIn(known), connection(known), inbox(known), deliveryEvents(known), surroundings(known)]
}

/** One line that says most of it. */
export function headline({ state, standing, findings }: Known): string {
  const faults = findings.filter(({ weight }) => weight === 'error').length
  if (faults > 0) return `${state} · ${faults} to mend`
  return [state, standing.isLeading ? 'leads' : 'follows', `socket ${standing.socket}`].join(' · ')
}

function signIn({ now, state, stateSince, standing, token, skewMs, ...known }: Known): Section {
  const { signedIn, signedInAt, signInAgainAt } = standing
  const ends = signedInAt === undefined || signedIn === undefined ? undefined : signedInAt + signedIn.expiresIn * 1000
  return {
    title: 'Sign-in',
    rows: [
      ['State', `${state}, ${since(now, stateSince)}`],
      ['api-key', maskKey(known.apiKey)],
      ['user-id', maskUser(known.userId)],
      ['auth-type', known.authType],
      ['Token', describeToken(token, known.hasProvider, now - (skewMs ?? 0))],
      ['Environment', signedIn === undefined ? 'unknown until signed in' : environmentOf(signedIn.environment)],
      [
        'Session',
        ends === undefined ? 'none' : `since ${clock(signedInAt ?? now)}, ends ${inTime(now, ends)} (renewed before)`,
      ],
      ...(signInAgainAt === undefined ? [] : [['Tried again', inTime(now, signInAgainAt)] as [string, string]]),
      ['Clock', skewMs === undefined ? 'not compared yet' : describeSkew(skewMs)],
    ],
  }
}

const environmentOf = ({ name, id, isProduction }: { name: string; id: string; isProduction: boolean }): string =>
  `${name} (${id}${isProduction ? ', production' : ''})`

function describeToken({ kind, endsAt }: TokenLook, hasProvider: boolean, serviceNow: number): string {
  if (hasProvider) return 'from the tokenProvider'
  if (endsAt === undefined) return kind
  return `${kind}, ${endsAt > serviceNow ? `ends in ${lengthOf(endsAt - serviceNow)}` : `ended ${lengthOf(serviceNow - endsAt)} ago`}`
}

const describeSkew = (skewMs: number): string =>
  Math.abs(skewMs) < 2_000
    ? 'as the service’s'
    : `${lengthOf(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} the service’s`

function connection({ now, standing, baseUrl, tabs, canShare }: Known): Section {
  const { socket, socketSince, socketRetries, socketCode, isLeading, leadSince, lastAskedAt } = standing
  const transport =
    socket === 'up' ? 'WebSocket' : isLeading ? 'asks for changes' : canShare ? 'what the leading tab says' : 'none yet'
  const retries = `${socketRetries}${socket === 'lost' ? ', next within 10 s' : ''}`
  return {
    title: 'Connection',
    rows: [
      ['Service', baseUrl],
      ['By', transport],
      ['Socket', `${socket}, ${since(now, socketSince)}${socketCode === undefined ? '' : ` (${socketCode})`}`],
      ['Address', standing.socketUrl ?? 'not opened by this tab'],
      ['Retries', retries],
      ['Last asked', lastAskedAt === undefined ? 'never' : `${lengthOf(now - lastAskedAt)} ago`],
      ['This tab', isLeading ? `leads, ${since(now, leadSince)}` : 'follows, or is not connected'],
      ['Elements that share', tabs === undefined ? 'cannot be told here' : `${tabs}, in all tabs`],
    ],
  }
}

function inbox({ position, counts, messagesHere, standing }: Known): Section {
  const at = position ?? standing.lastSeen
  return {
    title: 'Inbox',
    rows: [
      ['Position', at === undefined ? 'none yet' : `seq ${at.seq} of epoch ${at.epoch}`],
      ['Badge', `${counts.unread} unread, ${counts.unopened} unopened`],
      ['Messages here', String(messagesHere)],
    ],
  }
}

function deliveryEvents({ now, waiting, standing: { sentAt, sendFailure } }: Known): Section {
  const oldest = Math.min(...waiting)
  return {
    title: 'Delivery events',
    rows: [
      [
        'Waiting',
        waiting.length === 0 ? '0' : `${waiting.length}, the oldest for ${lengthOf(Math.max(0, now - oldest))}`,
      ],
      ['Last sent', sentAt === undefined ? 'none yet' : `${lengthOf(now - sentAt)} ago`],
      ['Last error', sendFailure === undefined ? 'none' : `${sendFailure.status} ${sendFailure.code}`],
    ],
  }
}

function surroundings({ storage, version, scripts, words, page }: Known): Section {
  return {
    title: 'Around it',
    rows: [
      ['Storage', storage],
      ['Version', version],
      ['Script', scripts.length === 0 ? 'bundled with the page' : scripts.join(', ')],
      ['Words', `${words.language}, numbers and times of ${words.locale}`],
      [
        'Page',
        `${page.origin}, ${page.isVisible ? 'seen' : 'hidden'}, ${page.isOnLine ? 'with' : 'without'} network${page.isSecure ? '' : ', not a secure context'}`,
      ],
      ['Browser', page.agent],
    ],
  }
}

/** 18:05:12.345, the local time. */
export function clock(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(11, 23)
}
const since = (now: number, at: number): string => `for ${lengthOf(now - at)}`
const inTime = (now: number, at: number): string => (at > now ? `in ${lengthOf(at - now)}` : 'now')

/** All of it, for a letter to somebody who can help. */
export function toText(known: Known): string {
  const { now, findings, lines } = known
  const sections = describe(known).map(({ title, rows }) => [
    title,
    ...rows.map(([label, value]) => `  ${label}: ${value}`),
  ])
  return [
    `notification-center, ${new Date(now).toISOString()}`,
    ...(findings.length === 0 ? ['Nothing is wrong that can be seen.'] : []),
    ...findings.flatMap(({ weight, what, todo }) => [`${weight === 'error' ? '!!' : '! '} ${what}`, `   → ${todo}`]),
    ...sections.flat(),
    `The last ${lines.length} events`,
    ...lines.map(({ at, text }) => `  ${clock(at)} ${text}`),
  ].join('\n')
}
