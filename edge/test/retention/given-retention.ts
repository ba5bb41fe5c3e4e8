// Writes an organisation with an environment and old messages directly to a store.

import type { TrackPlan } from '../../domain/plan.ts'
import type { Stores } from '../../domain/stores.ts'
import { idFloorAt } from '../../lib/id.ts'
import { DRAFT } from '../support/draft-environment.ts'

export const DAY_MS = 24 * 60 * 60 * 1000
export const NOW = Date.UTC(2026, 10, 1)
const OLD = NOW - 100 * DAY_MS
const USERS = 5

let lastId = idFloorAt(OLD)

export interface GivenRetention {
  organisationId: number
  environmentId: number
  campaignId: number
  /** Adds messages for five users in turn at `at` (default: 100 days ago); every tenth is read. */
  fill(messages: number, at?: number): Promise<void>
}

/** Creates the organisation and its environment; `fill` adds messages. */
export async function givenRetention(stores: Stores, options: { retentionDays: number }): Promise<GivenRetention> {
  const organisationId = ++lastId
  const environmentId = ++lastId
  const campaignId = ++lastId
  const { retentionDays } = options
  const organisation = { id: organisationId, name: 'Acme', region: 'eu', onboardedAt: null, createdAt: OLD }
  await stores.organisations.create({ ...organisation, retentionDays })
  const environment = {
    ...DRAFT,
    id: environmentId,
    organisationId,
    createdAt: OLD,
  }
  await stores.environments.create(environment, [])
  return {
    organisationId,
    environmentId,
    campaignId,
    async fill(messages, at = OLD) {
      const ids = Array.from({ length: messages }, () => ++lastId)
      const plans = ids.map((id, index) => planOf({ id, environmentId, campaignId, userId: `u${index % USERS}`, at }))
      await Promise.all(plans.map((plan) => stores.commit.track(plan)))
      const items = ids
        .filter((_id, index) => index % 10 === 0)
        .map((messageId) => ({ messageId, eventType: 'read' as const, occurredAt: at, ...BY_WIDGET }))
      await stores.commit.deliver({ kind: 'deliver', environmentId, userNo: null, now: at, items })
    },
  }
}

const BY_WIDGET = { automated: false, source: 'widget', link: null }

interface PlanOptions {
  id: number
  environmentId: number
  campaignId: number
  userId: string
  at: number
}

/** Event, run and message share a number, because each is unique within its kind. */
function planOf({ id, environmentId, campaignId, userId, at }: PlanOptions): TrackPlan {
  const correlationId = `corr-${id}`
  const common = { campaignId, version: 1, branch: null, userId, isTest: false, correlationId }
  return {
    kind: 'track',
    environmentId,
    secretId: null,
    now: at,
    event: {
      id,
      environmentId,
      correlationId,
      name: 'order.shipped',
      userId,
      userIds: null,
      topic: null,
      properties: '{}',
      source: 'api',
      occurredAt: at,
      receivedAt: at,
      outcome: 'matched',
      considered: null,
      raw: null,
    },
    idempotency: null,
    profile: null,
    runs: [
      { ...common, id, eventId: id, state: 'completed', stateReason: null, startedAt: at, endedAt: at, trace: '[]' },
    ],
    messages: [
      {
        ...common,
        id,
        runId: id,
        eventId: id,
        stepId: 'tell',
        channel: 'inbox',
        status: 'delivered',
        statusReason: null,
        category: null,
        entity: null,
        collapseKey: null,
        snapshot: '{"title":"Hello"}',
        createdAt: at,
        expiresAt: null,
      },
    ],
    jobs: [],
    waits: [],
    completes: null,
    continues: null,
  }
}
