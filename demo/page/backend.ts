// Calls the shop's own backend (/demo/api) even while the page's network is cut, so that events reach an offline widget.

import { network } from './network.ts'
import { BASE } from './prefix.ts'

export type EnvironmentName = 'dev' | 'prod'
export type Strategy = 'backendToken' | 'backendTokenV2' | 'jwt' | 'signedJwt'

export interface Choice {
  environment: EnvironmentName
  strategy: Strategy
  userId: string
}

export interface Person {
  userId: string
  name: string
}

export interface PageConfig {
  people: Person[]
  waitlist: { topic: string; subscribers: string[] }
  environments: Record<EnvironmentName, { apiKey: string }>
}

export interface Answer<T> {
  status: number
  ok: boolean
  correlationId: string | null
  body: T
}

export interface EdgeProblem {
  code: string
  message: string
  reason?: string
  position?: number
  details?: { path: string; message: string }[]
}

export interface EventTrace {
  eventId: string
  name: string
  userId: string | null
  outcome: string
  runs: {
    runId: string
    campaignKey: string
    version: number
    branch: string | null
    userId: string
    state: string
    stateReason: string | null
  }[]
  messageIds: string[]
}

export interface MailAddress {
  name: string | null
  address: string
}

/** A mail that was kept because no mail server is set. */
export interface MailRow {
  messageId: string
  from: MailAddress
  to: MailAddress
  subject: string
  createdAt: string
}

export interface CampaignRow {
  id: string
  key: string
  name: string
  status: string
  draft: { trigger: { event: string } }
}

export type Platform = 'stripe' | 'segment' | 'hubspot' | 'intercom' | 'customerio'

/** Identifies an example delivery, so that the backend can send the same one again. */
export interface Example {
  serial: string
  at: number
}

export interface DeliveryOrder {
  platform: Platform
  userId: string
  /** Undefined: a new one. */
  example: Example | undefined
  isForged: boolean
}

/** The edge's answer to a delivery. */
export interface DeliveryReport {
  example: Example
  status: number
  body: { status: 'accepted' | 'paused'; accepted?: number } | EdgeProblem
  /** Of a new event. */
  eventId: string | null
}

async function call<T>(path: string, body?: object): Promise<Answer<T>> {
  const response = await network.native
    .fetch(`${BASE}/demo/api${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    })
    .catch(() => undefined)
  if (response === undefined) {
    const problem = {
      code: 'demo/unreachable',
      message: 'The shop’s backend cannot be reached. Is the server running?',
    }
    return { status: 0, ok: false, correlationId: null, body: problem as T }
  }
  const parsed: unknown = await response
    .json()
    .catch(() => ({ code: 'demo/unreadable', message: 'No JSON came back.' }))
  return {
    status: response.status,
    ok: response.ok,
    correlationId: response.headers.get('x-correlation-id'),
    body: parsed as T,
  }
}

export const backend = {
  config: () => call<PageConfig>('/config'),
  token: ({ environment, strategy, userId }: Choice) =>
    call<{ userId: string; token: string; authType: string }>('/token', { environment, strategy, userId }),
  track: (environment: EnvironmentName, event: object) =>
    call<{ eventId: string; correlationId: string; duplicate: boolean } & EdgeProblem>(`/${environment}/track`, event),
  trackBatch: (environment: EnvironmentName, events: object[]) =>
    call<{ results: ({ eventId: string } | EdgeProblem)[] } & EdgeProblem>(`/${environment}/track-batch`, { events }),
  deliver: (order: DeliveryOrder) => call<DeliveryReport & EdgeProblem>('/deliveries', order),
  event: (environment: EnvironmentName, eventId: string) =>
    call<EventTrace & EdgeProblem>(`/${environment}/events/${eventId}`),
  campaigns: (environment: EnvironmentName) => call<{ data: CampaignRow[] } & EdgeProblem>(`/${environment}/campaigns`),
  stats: <T>(environment: EnvironmentName, id: string, window: string, channel: string) =>
    call<T & EdgeProblem>(`/${environment}/campaigns/${id}/stats?window=${window}&channel=${channel}`),
  mails: (environment: EnvironmentName) => call<{ data: MailRow[] } & EdgeProblem>(`/${environment}/mailbox`),
  mail: (environment: EnvironmentName, messageId: string) =>
    call<MailRow & { text: string } & EdgeProblem>(`/${environment}/mailbox/${messageId}`),
  /** The address of a mail's HTML as a document of its own. */
  mailDocument: (environment: EnvironmentName, messageId: string) =>
    `${BASE}/demo/api/${environment}/mailbox/${messageId}/html`,
  signOutUser: (environment: EnvironmentName, userId: string) =>
    call<{ ended: number } & EdgeProblem>(`/${environment}/users/${encodeURIComponent(userId)}/sign-out`, {}),
}

/** Explains a refusal in one sentence with its meaning and its code. */
export function explain(answer: Pick<Answer<EdgeProblem>, 'status' | 'body'>): string {
  const { code, message, reason, position, details } = answer.body
  const where = reason === undefined ? '' : ` Reason: ${reason}${position === undefined ? '' : ` at ${position}`}.`
  const faults = (details ?? []).map((fault) => ` ${fault.path}: ${fault.message}`).join('')
  return `${message}${where}${faults} (${answer.status} ${code})`
}
