// Sends the events, a few at a time, and reads the outcome of each.

import { type EdgeAnswer, type EdgeApi, EdgeRefusal } from '../backend/edge-api.ts'
import type { GithubEvent } from './payloads.ts'

const LANES = 4
const ATTEMPTS = 3

export interface Sent {
  event: GithubEvent
  userId: string
  /** Null when the edge refused; `refusal` contains the reason. */
  eventId: string | null
  isDuplicate: boolean
  refusal: string | null
}

export interface Trace {
  outcome: string
  campaignKeys: string[]
  messageIds: string[]
  failures: string[]
}

export interface SendOptions {
  runId: string
  userIds: readonly string[]
  /** Events per second, so that a person can watch them arrive. */
  perSecond: number
}

/** Sends all events. The same run id sends the same idempotency keys, so that a repeat stores nothing twice. */
export async function sendAll(edge: EdgeApi, events: readonly GithubEvent[], options: SendOptions): Promise<Sent[]> {
  const begunAt = performance.now()
  return inLanes(events, async (event, index) => {
    await waitUntil(begunAt + (index * 1000) / options.perSecond)
    const userId = options.userIds[index % options.userIds.length] as string
    const answer = await patiently(() =>
      edge.track({
        name: event.name,
        userId,
        properties: event.properties,
        idempotencyKey: `replay:${options.runId}:${event.place}`,
      }),
    )
    const { eventId, duplicate } = answer.body as { eventId?: string; duplicate?: boolean }
    const accepted = answer.status === 202 && typeof eventId === 'string'
    return {
      event,
      userId,
      eventId: accepted ? eventId : null,
      isDuplicate: duplicate === true,
      refusal: accepted ? null : `${answer.status} ${JSON.stringify(answer.body)}`,
    }
  })
}

/** @throws EdgeRefusal when an accepted event has no trace */
export function traceAll(edge: EdgeApi, sent: readonly Sent[]): Promise<Trace[]> {
  return inLanes(sent, async ({ eventId }) => {
    const answer = await patiently(() => edge.get(`/v1/events/${eventId}`))
    if (answer.status !== 200) throw new EdgeRefusal(answer)
    const trace = answer.body as {
      outcome: string
      runs: { campaignKey: string; state: string; stateReason: string | null }[]
      messageIds: string[]
    }
    return {
      outcome: trace.outcome,
      campaignKeys: trace.runs.map((run) => run.campaignKey),
      messageIds: trace.messageIds,
      failures: trace.runs
        .filter((run) => run.state === 'failed')
        .map((run) => `${run.campaignKey}: ${run.stateReason}`),
    }
  })
}

/** Retries twice like the SDKs, after one second and after two. */
async function patiently(call: () => Promise<EdgeAnswer>): Promise<EdgeAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await call()
    if (answer.status < 500 || attempt === ATTEMPTS) return answer
    await waitUntil(performance.now() + attempt * 1000)
  }
}

async function inLanes<T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as T, index)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return results
}

async function waitUntil(at: number): Promise<void> {
  const delayMs = at - performance.now()
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
}
