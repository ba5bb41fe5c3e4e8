// Tests bodies of backends and widgets against the API reference: bodies that it allows are accepted, and others are refused.
// SQLite alone: what is tested lies before the store.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthAnswer } from '../../../contract/api.ts'
import { ADJUST } from '../support/adjust-bodies.ts'
import {
  type BodyChecks,
  findAccepted,
  findRefused,
  type Operation,
  operationsOf,
  type Reference,
} from '../support/check-bodies.ts'
import { type CallOptions, type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'

let given: GivenEdge
let session: AuthAnswer
let campaignId: string
let changedId: string
let checks: BodyChecks

beforeAll(async () => {
  given = await givenEdge({ RATE_LIMITS: 'auth=100000,inbox=100000' })
  const reference = (await given.call<Reference>('GET', '/openapi.json')).body
  campaignId = await given.publish(inboxCampaign('bodies', 'bodies', { category: 'orders' }))
  changedId = await given.publish(inboxCampaign('changed', 'changed'))
  session = await given.signIn('u_1')
  const { sdkSecretKey, frontApiKey } = given.demo.environments.dev
  checks = {
    // Those of people have a test of their own: `dashboard-bodies.sqlite.test.ts`.
    operations: operationsOf(reference).filter(({ path }) => !path.startsWith('/v1/dashboard/')),
    components: reference.components.schemas,
    adjust: ADJUST,
    fixed: {
      TrackRequest: { sdkSecretKey },
      TrackBatchRequest: { sdkSecretKey },
      UsersAuthRequest: { apiKey: frontApiKey },
    },
    send,
  }
})
afterAll(async () => {
  await given.stop()
})

async function send({ method, path }: Operation, body: unknown) {
  const isWidget = path.startsWith('/v1/inbox') || path.startsWith('/v1/notification')
  const credential: CallOptions = isWidget ? { session } : { key: given.demo.environments.dev.sdkSecretKey }
  const target = path
    .replace('/v1/campaigns/{id}', `/v1/campaigns/${method === 'put' ? changedId : campaignId}`)
    // No enricher is called: only the one that is written exists.
    .replace('{locale}', 'de')
    .replace('{name}', method === 'put' ? 'written' : 'none')
    .replace(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? 'msg_1' : 'u_1'))
  return given.call<{ code?: string; details?: object }>(method.toUpperCase(), target, { ...credential, body })
}

test('bodies that the reference allows are not refused as invalid', async () => {
  expect(await findRefused(checks)).toEqual([])
})

test('bodies that the reference forbids are refused', async () => {
  const { accepted, sent } = await findAccepted(checks)
  expect(accepted).toEqual([])
  expect(sent).toBeGreaterThan(5 * checks.operations.length)
})
