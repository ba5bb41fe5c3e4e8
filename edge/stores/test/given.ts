// Provides the store suites with an open store in its own folder, a clock that tests move, and complete plans.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { RegisteredEventType } from '../../../contract/delivery.ts'
import type { FunnelCounts } from '../../domain/delivery/funnel.ts'
import type {
  DeliveryPlan,
  InboxAction,
  InboxOutcome,
  InboxPlan,
  NewMessage,
  NewRun,
  NewTrackedEvent,
  TrackPlan,
} from '../../domain/plan.ts'
import type { Stores } from '../../domain/stores.ts'
import type { User } from '../../domain/user.ts'
import type { Clock } from '../../lib/clock.ts'

export interface OpenStores {
  (options: { dataDir: string; clock: Clock }): Promise<Stores>
  /** Releases what is kept outside the folder. */
  release?(dataDir: string): Promise<void>
}

export const START = Date.UTC(2026, 5, 1, 12)
export const HOUR = 3_600_000

export interface Given {
  readonly stores: Stores
  now(): number
  advance(ms: number): void
  /** Closes the store and opens it again from its folder. */
  reopen(): Promise<Stores>
  /** Returns the id of a new environment. */
  environmentId(): number
  /** Returns a new id. */
  id(): number
}

/** Opens one store for the tests of a describe block, and closes it after them. */
export function givenStore(open: OpenStores): Given {
  let nowMs = START
  let lastId = 1000
  let stores: Stores | undefined
  let dataDir = ''
  const clock = { now: () => nowMs }
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'stores-'))
    stores = await open({ dataDir, clock })
  })
  afterAll(async () => {
    await stores?.close()
    await open.release?.(dataDir)
    rmSync(dataDir, { recursive: true, force: true })
  })
  const opened = () => {
    if (stores === undefined) throw new Error('The store is not open yet.')
    return stores
  }
  return {
    get stores() {
      return opened()
    },
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms
    },
    async reopen() {
      await opened().close()
      stores = await open({ dataDir, clock })
      return stores
    },
    environmentId: () => ++lastId,
    id: () => ++lastId,
  }
}

export interface PlanOptions {
  environmentId: number
  /** Each user gets a message. */
  userIds?: string[]
  campaignId?: number
  version?: number
  branch?: string | null
  idempotency?: { key: string; bodyHash: string; expiresAt?: number }
  secretId?: number
  isTest?: boolean
  profile?: TrackPlan['profile']
  message?: Partial<NewMessage>
}

/** Returns the plan of an accepted event with a run and a message for each user. */
export function trackPlan(given: Given, options: PlanOptions): TrackPlan {
  const now = given.now()
  const { environmentId, userIds = [] } = options
  const event = newEvent(given, environmentId, userIds)
  const runs = userIds.map((userId) => newRun(given, options, event, userId))
  return {
    kind: 'track',
    environmentId,
    secretId: options.secretId ?? null,
    now,
    event,
    idempotency: options.idempotency === undefined ? null : { expiresAt: now + 24 * HOUR, ...options.idempotency },
    profile: options.profile ?? null,
    runs,
    messages: runs.map((run) => newMessage(given, run, options.message)),
    jobs: [],
    waits: [],
    completes: null,
    continues: null,
  }
}

function newEvent(given: Given, environmentId: number, userIds: string[]): NewTrackedEvent {
  const now = given.now()
  return {
    id: given.id(),
    environmentId,
    correlationId: `corr-${given.id()}`,
    name: 'order.shipped',
    userId: userIds.length === 1 ? (userIds[0] ?? null) : null,
    userIds: userIds.length > 1 ? JSON.stringify(userIds) : null,
    topic: null,
    properties: '{"orderId":"1"}',
    source: 'api',
    occurredAt: now,
    receivedAt: now,
    outcome: userIds.length > 0 ? 'matched' : 'unmatched',
    considered: null,
    raw: null,
  }
}

function newRun(given: Given, options: PlanOptions, event: NewTrackedEvent, userId: string): NewRun {
  return {
    id: given.id(),
    eventId: event.id,
    campaignId: options.campaignId ?? 1,
    version: options.version ?? 1,
    branch: options.branch ?? null,
    userId,
    state: 'completed',
    stateReason: null,
    isTest: options.isTest ?? false,
    correlationId: event.correlationId,
    startedAt: given.now(),
    endedAt: given.now(),
    trace: '[]',
  }
}

function newMessage(given: Given, run: NewRun, over: Partial<NewMessage> = {}): NewMessage {
  const { eventId, campaignId, version, branch, userId, correlationId, isTest } = run
  return {
    id: given.id(),
    runId: run.id,
    eventId,
    campaignId,
    version,
    branch,
    stepId: 'notify',
    userId,
    channel: 'inbox',
    status: 'delivered',
    statusReason: null,
    correlationId,
    category: null,
    entity: null,
    collapseKey: null,
    snapshot: JSON.stringify({ title: `Hello ${userId}`, body: '', data: {} }),
    createdAt: given.now(),
    expiresAt: null,
    isTest,
    ...over,
  }
}

/** @throws Error when the plan is not written. */
export async function write(given: Given, plan: TrackPlan) {
  const outcome = await given.stores.commit.track(plan)
  if (outcome.result !== 'written') throw new Error(`plan not written: ${outcome.result}`)
  return outcome
}

/** Creates a user with messages; returns their ids from the oldest to the newest. */
export async function userWithMessages(given: Given, count: number, options: Partial<PlanOptions> = {}) {
  const environmentId = options.environmentId ?? given.environmentId()
  const plans = Array.from({ length: count }, () => trackPlan(given, { ...options, environmentId, userIds: ['u1'] }))
  await Promise.all(plans.map((plan) => write(given, plan)))
  const user = await given.stores.users.upsert(environmentId, 'u1', {}, given.now())
  return { user, environmentId, messageIds: plans.map((plan) => firstMessage(plan).id) }
}

/** @throws Error when the plan has no message. */
export function firstMessage(plan: TrackPlan): NewMessage {
  const message = plan.messages[0]
  if (message === undefined) throw new Error('The plan has no message.')
  return message
}

type ReportedEvent = RegisteredEventType | { type: RegisteredEventType; automated?: boolean; at?: number }

/** Commits delivery events of a user; `userNo: null` in `over` makes them those of a trusted caller. */
export function report(
  given: Given,
  user: User,
  messageId: number,
  reports: ReportedEvent[],
  over: Partial<DeliveryPlan> = {},
) {
  const items = reports.map((event) => {
    const { type, automated = false, at = given.now() } = typeof event === 'string' ? { type: event } : event
    return { messageId, eventType: type, occurredAt: at, automated, source: 'widget', link: null }
  })
  const { environmentId, userNo } = user
  return given.stores.commit.deliver({ kind: 'deliver', environmentId, userNo, now: given.now(), items, ...over })
}

export function act(given: Given, user: User, messageIds: number[], actions: InboxAction[]): Promise<InboxOutcome> {
  const items = messageIds.map((messageId) => ({ messageId, actions }))
  return given.stores.commit.change(inboxPlan(given, user, { items }))
}

export function readAll(given: Given, user: User, upTo: number): Promise<InboxOutcome> {
  return given.stores.commit.change(inboxPlan(given, user, { readAllUpTo: upTo }))
}

function inboxPlan(given: Given, user: User, over: Partial<InboxPlan>): InboxPlan {
  const { environmentId, userNo } = user
  return { kind: 'change', environmentId, userNo, now: given.now(), items: [], readAllUpTo: null, ...over }
}

/** Returns the first page of a filter. */
export async function page(given: Given, user: User, filter: 'all' | 'unopened' | 'archived' | 'snoozed' = 'all') {
  const { environmentId, userNo } = user
  const position = { environmentId, userNo, filter, category: null, before: null, limit: 1000, now: given.now() }
  return given.stores.inboxes.page(position)
}

export async function counts(given: Given, user: User): Promise<{ seq: number; unread: number; unopened: number }> {
  const { seq, unread, unopened } = await given.stores.inboxes.head(user)
  return { seq, unread, unopened }
}

/** Returns the counts of a campaign's inbox messages for all time; undefined when there are none. */
export async function funnelOf(
  given: Given,
  environmentId: number,
  campaignId: number,
): Promise<FunnelCounts | undefined> {
  const [slice] = await given.stores.funnels.slices(environmentId, campaignId, 'inbox', null)
  if (slice === undefined) return undefined
  const { delivery, read, opened, clicked } = slice
  return { delivery, read, opened, clicked }
}
