// Provides the store suites with an open store in a folder of its own, a clock that tests move, and plausible plans.

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

export type OpenStores = (options: { dataDir: string; clock: Clock }) => Promise<Stores>

export const START = Date.UTC(2026, 5, 1, 12)
export const HOUR = 3_600_000

export interface Given {
  readonly stores: Stores
  now(): number
  advance(ms: number): void
  /** Closes the store and opens it again from its folder. */
  reopen(): Promise<Stores>
  /** An environment of its own for each test. */
  environmentId(): number
  id(): number
}

/** Opens one store for the tests of a describe block. */
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

export interface PlanWish {
  environmentId: number
  /** A message for each. */
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

/** An accepted event with a run and a message for each user. */
export function trackPlan(given: Given, wish: PlanWish): TrackPlan {
  const now = given.now()
  const { environmentId, userIds = [] } = wish
  const event = newEvent(given, environmentId, userIds)
  const runs = userIds.map((userId) => newRun(given, wish, event, userId))
  return {
    kind: 'track',
    environmentId,
    secretId: wish.secretId ?? null,
    now,
    event,
    idempotency: wish.idempotency === undefined ? null : { expiresAt: now + 24 * HOUR, ...wish.idempotency },
    profile: wish.profile ?? null,
    runs,
    messages: runs.map((run) => newMessage(given, run, wish.message)),
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
  }
}

function newRun(given: Given, wish: PlanWish, event: NewTrackedEvent, userId: string): NewRun {
  return {
    id: given.id(),
    eventId: event.id,
    campaignId: wish.campaignId ?? 1,
    version: wish.version ?? 1,
    branch: wish.branch ?? null,
    userId,
    state: 'completed',
    stateReason: null,
    isTest: wish.isTest ?? false,
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
    stepId: 'tell',
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

/** Writes a plan, and throws when it is not written. */
export async function write(given: Given, plan: TrackPlan) {
  const outcome = await given.stores.commit.track(plan)
  if (outcome.result !== 'written') throw new Error(`Not written: ${outcome.result}`)
  return outcome
}

/** A user with some messages; their ids from the oldest to the newest. */
export async function userWithMessages(given: Given, count: number, wish: Partial<PlanWish> = {}) {
  const environmentId = wish.environmentId ?? given.environmentId()
  const plans = Array.from({ length: count }, () => trackPlan(given, { ...wish, environmentId, userIds: ['u1'] }))
  await Promise.all(plans.map((plan) => write(given, plan)))
  const user = await given.stores.users.upsert(environmentId, 'u1', {}, given.now())
  return { user, environmentId, messageIds: plans.map((plan) => firstMessage(plan).id) }
}

export function firstMessage(plan: TrackPlan): NewMessage {
  const message = plan.messages[0]
  if (message === undefined) throw new Error('The plan has no message.')
  return message
}

type Report = RegisteredEventType | { type: RegisteredEventType; automated?: boolean; at?: number }

/** A user's own report; `userNo: null` in `over` makes it a trusted party's. */
export function report(
  given: Given,
  user: User,
  messageId: number,
  reports: Report[],
  over: Partial<DeliveryPlan> = {},
) {
  const items = reports.map((what) => {
    const { type, automated = false, at = given.now() } = typeof what === 'string' ? { type: what } : what
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

/** The first page of a filter. */
export async function page(given: Given, user: User, filter: 'all' | 'unopened' | 'archived' | 'snoozed' = 'all') {
  const position = { userNo: user.userNo, filter, category: null, before: null, limit: 1000, now: given.now() }
  return given.stores.inboxes.page(position)
}

export async function counts(given: Given, user: User): Promise<{ seq: number; unread: number; unopened: number }> {
  const { seq, unread, unopened } = await given.stores.inboxes.head(user.userNo)
  return { seq, unread, unopened }
}

/** What a campaign's inbox messages count in all windows. */
export async function funnelOf(given: Given, campaignId: number): Promise<FunnelCounts | undefined> {
  const [slice] = await given.stores.funnels.slices(campaignId, 'inbox', null)
  if (slice === undefined) return undefined
  const { delivery, read, opened, clicked } = slice
  return { delivery, read, opened, clicked }
}
