// Sends batches of events to an edge with low limits, and reads what it has stored.

import type { Answer, EnvironmentName, GivenEdge } from '../support/given.ts'

export interface BatchBody {
  results: { eventId?: string; code?: string }[]
  code?: string
  reason?: string
}

/** Sends a batch of events for its own users, which are named after its number. */
export function sendBatch(
  given: GivenEdge,
  number: number,
  size: number,
  name: EnvironmentName = 'dev',
): Promise<Answer<BatchBody>> {
  const { sdkSecretKey } = given.demo.environments[name]
  const events = Array.from({ length: size }, (_, n) => ({ name: 'over.loaded', userId: `u_${number}_${n}` }))
  return given.call('POST', '/v1/events/track/batch', { key: sdkSecretKey, body: { sdkSecretKey, events } })
}

/** Lists every stored event of that name by the read API. */
export async function listEvents(given: GivenEdge, environment: EnvironmentName): Promise<string[]> {
  const key = given.demo.environments[environment].sdkSecretKey
  const ids: string[] = []
  let cursor = ''
  do {
    const path = `/v1/events?name=over.loaded&limit=100${cursor}`
    const { body } = await given.call<{ data: { eventId: string }[]; nextCursor: string | null }>('GET', path, { key })
    ids.push(...body.data.map(({ eventId }) => eventId))
    cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`
  } while (cursor !== '')
  return ids
}

/** Returns the ids of acknowledged events. */
export const acceptedOf = (answers: Answer<BatchBody>[]) =>
  answers.flatMap(({ body }) => (body.results ?? []).flatMap(({ eventId }) => eventId ?? []))

export async function readMetric(given: GivenEdge, name: string): Promise<number> {
  const { body } = await given.call<string>('GET', '/metrics')
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(String(body))?.[1])
}
