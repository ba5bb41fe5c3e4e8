// Creates a track plan with plausible content, for tests that begin at the commit.

import type { NewMessage, TrackPlan } from '../../domain/plan.ts'

export type PlanIds = Record<'event' | 'run' | 'message', { next(): number }>

/** Fields of the messages; `bodyChars` gives them long bodies. */
export type MessageFields = Partial<NewMessage> & { bodyChars?: number }

/** Returns an accepted event of one user with a run and this many inbox messages. */
export function planOf(
  ids: PlanIds,
  environmentId: number,
  now: number,
  userId: string,
  count: number,
  { bodyChars = 0, ...fields }: MessageFields,
): TrackPlan {
  const eventId = ids.event.next()
  const run = {
    id: ids.run.next(),
    eventId,
    campaignId: 1,
    version: 1,
    branch: null,
    userId,
    state: 'completed' as const,
    stateReason: null,
    isTest: false,
    correlationId: 'c-1',
    startedAt: now,
    endedAt: now,
    trace: '[]',
  }
  const message = (): NewMessage => ({
    id: ids.message.next(),
    runId: run.id,
    eventId,
    campaignId: 1,
    version: 1,
    branch: null,
    stepId: 'tell',
    userId,
    channel: 'inbox',
    status: 'delivered',
    statusReason: null,
    correlationId: 'c-1',
    category: null,
    entity: null,
    collapseKey: null,
    snapshot: JSON.stringify({ ...CONTENT, body: 'x'.repeat(bodyChars) }),
    createdAt: now,
    expiresAt: null,
    isTest: false,
    ...fields,
  })
  return {
    kind: 'track',
    environmentId,
    secretId: null,
    now,
    event: {
      id: eventId,
      environmentId,
      correlationId: 'c-1',
      name: 'order.shipped',
      userId,
      userIds: null,
      topic: null,
      properties: '{}',
      source: 'api',
      occurredAt: now,
      receivedAt: now,
      outcome: 'matched',
      considered: null,
      raw: null,
    },
    idempotency: null,
    profile: null,
    runs: [run],
    messages: Array.from({ length: count }, message),
    jobs: [],
    waits: [],
    completes: null,
    continues: null,
  }
}

const CONTENT = {
  title: 'Hello',
  bodyFormat: 'text',
  link: null,
  actions: [],
  category: null,
  entity: null,
  icon: null,
  imageUrl: null,
  priority: 'normal',
  data: {},
}
