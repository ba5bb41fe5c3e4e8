// Tests that copies of a prepared folder differ in what must differ. SQLite alone: PostgreSQL has `freshStore()`.

import { afterAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from './given.ts'

const edges: GivenEdge[] = []
afterAll(async () => {
  for (const edge of edges) await edge.stop()
})

async function start(env: Record<string, string>, options: Parameters<typeof givenEdge>[1] = {}) {
  const given = await givenEdge(env, options)
  edges.push(given)
  const { epoch } = (await given.page(await given.signIn('ann'))).inbox
  return {
    key: given.demo.environments.dev.sdkSecretKey,
    epoch,
    issuer: given.demo.environments.dev.identityProvider.issuer,
  }
}

test('two servers have the same keys, each its own epoch and address', async () => {
  const [one, two] = [await start({}), await start({})]
  expect(two.key).toBe(one.key)
  expect(two.epoch).not.toBe(one.epoch)
  expect(two.issuer).not.toBe(one.issuer)
})

test.each([
  ['master key', { MASTER_KEY: Buffer.alloc(32, 5).toString('base64') }, {}],
  ['region', { REGION: 'us' }, {}],
  ['clock', {}, { clock: { now: () => Date.now() + 1000 } }],
])('a server with its own %s has its own keys', async (_, env, options) => {
  const [one, own] = [await start({}), await start(env, options)]
  expect(own.key).not.toBe(one.key)
})
