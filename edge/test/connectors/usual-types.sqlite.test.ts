// Tests that a delivery of each usual type becomes an event by the default mappings, as people expect it.
// SQLite alone: what is tested lies before the store.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreatedSourceAnswer } from '../../../contract/resources/source.ts'
import type { ConnectorPlatform } from '../../../contract/tenant.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenSources, givenSources } from '../support/given-sources.ts'
import { USUAL_DELIVERIES } from './usual-types.ts'

let given: GivenEdge
let sources: GivenSources
const bySource = new Map<ConnectorPlatform, CreatedSourceAnswer>()
beforeAll(async () => {
  given = await givenEdge()
  sources = givenSources(given)
  for (const { provider } of USUAL_DELIVERIES) {
    if (!bySource.has(provider)) bySource.set(provider, await sources.create(provider))
  }
})
afterAll(() => given.stop())

const sourceOf = (provider: ConnectorPlatform) => bySource.get(provider) as CreatedSourceAnswer
const read = async (path: string) =>
  (await given.call('GET', path, { key: given.demo.environments.dev.sdkSecretKey })).body

test.each(USUAL_DELIVERIES)('$provider: $type', async ({ provider, payload, event, profile }) => {
  const source = sourceOf(provider)
  const before = (await sources.read(source.id)).counts.accepted
  expect(await sources.deliver(source, payload)).toMatchObject({ status: 200, body: { accepted: 1 } })
  await expect.poll(async () => (await sources.read(source.id)).counts.accepted).toBe(before + 1)
  const [delivery] = await sources.deliveries(source.id)
  expect(delivery).toMatchObject({ outcome: 'accepted', reason: null })
  const stored = { name: event.name, userId: event.userId, properties: event.properties, occurredAt: event.occurredAt }
  const outcome = event.userId === null ? 'no-user' : 'unmatched'
  await expect
    .poll(() => read(`/v1/events/${delivery?.eventId}`))
    .toMatchObject({ ...stored, source: `connector:${provider}`, outcome })
  if (profile !== undefined) expect(await read(`/v1/users/${event.userId}`)).toMatchObject(profile)
})

test('each type of the default mappings is in the list', () => {
  for (const [provider, { mappings }] of bySource) {
    const types = USUAL_DELIVERIES.filter((one) => one.provider === provider).map(({ type }) => type)
    expect(types.sort(), provider).toEqual(mappings.map(({ providerEvent }) => providerEvent).sort())
  }
})
