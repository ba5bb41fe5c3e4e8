// Writes the report of `debug` as sections of labels and values, and as text. It holds no token, no address of a person and no text of a message.

import type { Failure } from '../../lib/failure.ts'
import { maskKey, maskUser, type TokenLook } from './credentials.ts'
import { type Finding, lengthOf } from './explain.ts'
import type { Observed, TraceLine } from './trace.ts'

export interface Section {
  title: string
  rows: [label: string, value: string][]
}

/** All that is report of an element and its inbox. Instants by this device's clock. */
export interface Report {
  now: number
  findings: Finding[]
  lines: readonly TraceLine[]
  observed: Readonly<Observed>
  skewMs: number | undefined
  state: string
  /** What users see as a reference: the code and the correlation id. */
  failure: Failure | undefined
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
  /** What the browser has for notifications, and the service worker of this page. */
  notifications: string
  worker: string
  page: { origin: string; isVisible: boolean; isOnLine: boolean; isSecure: boolean; agent: string }
}

export function describe(report: Report): Section[] {
  return [signIn(report), connection(report), inbox(report), deliveryEvents(report), page(report)]
}

/** One line that says most of it. */
export function headline({ state, observed, findings }: Report): string {
  const faults = findings.filter(({ weight }) => weight === 'error').length
  if (faults > 0) return `${state} · ${faults} to mend`
  return [state, observed.isLeading ? 'leads' : 'follows', `socket ${observed.socket}`].join(' · ')
}

function signIn({ now, state, stateSince, observed, token, skewMs, ...report }: Report): Section {
  const { signedIn, signedInAt, signInAgainAt } = observed
  const ends = signedInAt === undefined || signedIn === undefined ? undefined : signedInAt + signedIn.expiresIn * 1000
  return {
    title: 'Sign-in',
    rows: [
      ['State', `${state}, ${since(now, stateSince)}`],
      ['Failure', describeFailure(report.failure)],
      ['api-key', maskKey(report.apiKey)],
      ['user-id', maskUser(report.userId)],
      ['auth-type', report.authType],
      ['Token', describeToken(token, report.hasProvider, now - (skewMs ?? 0))],
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

const describeFailure = (failure: Failure | undefined): string => {
  if (failure === undefined) return 'none'
  const { status, code, correlationId } = failure
  return `${status === 0 ? '' : `${status} `}${code}${correlationId === null ? '' : `, reference ${correlationId}`}`
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

function connection({ now, observed, baseUrl, tabs, canShare }: Report): Section {
  const { socket, socketSince, socketRetries, socketCode, isLeading, leadSince, lastAskedAt } = observed
  const transport =
    socket === 'up' ? 'WebSocket' : isLeading ? 'asks for changes' : canShare ? 'the leading tab' : 'none yet'
  const retries = `${socketRetries}${socket === 'lost' ? ', next within 10 s' : ''}`
  return {
    title: 'Connection',
    rows: [
      ['Service', baseUrl],
      ['By', transport],
      ['Socket', `${socket}, ${since(now, socketSince)}${socketCode === undefined ? '' : ` (${socketCode})`}`],
      ['Address', observed.socketUrl ?? 'not opened by this tab'],
      ['Retries', retries],
      ['Last asked', lastAskedAt === undefined ? 'never' : `${lengthOf(now - lastAskedAt)} ago`],
      ['This tab', isLeading ? `leads, ${since(now, leadSince)}` : 'follows, or is not connected'],
      ['Elements that share', tabs === undefined ? 'cannot be told here' : `${tabs}, in all tabs`],
    ],
  }
}

function inbox({ position, counts, messagesHere, observed }: Report): Section {
  const at = position ?? observed.lastSeen
  return {
    title: 'Inbox',
    rows: [
      ['Position', at === undefined ? 'none yet' : `seq ${at.seq} of epoch ${at.epoch}`],
      ['Badge', `${counts.unread} unread, ${counts.unopened} unopened`],
      ['Messages here', String(messagesHere)],
    ],
  }
}

function deliveryEvents({ now, waiting, observed: { sentAt, sendFailure } }: Report): Section {
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

function page({
  storage,
  version,
  scripts,
  words,
  notifications,
  worker,
  page: { origin, isVisible, isOnLine, isSecure, agent },
}: Report): Section {
  return {
    title: 'Around it',
    rows: [
      ['Storage', storage],
      ['Version', version],
      ['Script', scripts.length === 0 ? 'bundled with the page' : scripts.join(', ')],
      ['Language', `${words.language}, numbers and times of ${words.locale}`],
      [
        'Page',
        `${origin}, ${isVisible ? 'seen' : 'hidden'}, ${isOnLine ? 'with' : 'without'} network${isSecure ? '' : ', not a secure context'}`,
      ],
      ['Service worker', worker || 'none'],
      ['Notifications', notifications],
      ['Browser', agent],
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

/** The whole report as plain text. */
export function toText(report: Report): string {
  const { now, findings, lines } = report
  const sections = describe(report).map(({ title, rows }) => [
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
