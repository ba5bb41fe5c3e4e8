// Tests that each node counts the users of all nodes who are online, and those of a killed node no more.

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthAnswer } from '../../../contract/api.ts'
import { buildEdge } from '../support/edge-process.ts'
import { type GivenCluster, givenCluster } from '../support/given-cluster.ts'
import { createRawClient } from '../support/raw-client.ts'
import { type Watcher, watchInbox } from '../support/watcher.ts'

const client = createRawClient()
let cluster: GivenCluster
beforeAll(async () => {
  await buildEdge()
  cluster = await givenCluster()
})
afterAll(async () => {
  client.close()
  await cluster?.close()
})

const dev = () => cluster.demo.environments.dev
const nodeAt = (at: number) => cluster.nodeUrls[at] as string

async function watch(at: number, userId: string): Promise<Watcher> {
  const { frontApiKey, authSecretKey } = dev()
  const token = createHmac('sha256', authSecretKey).update(userId).digest('hex')
  const body = { apiKey: frontApiKey, userId, token }
  const session = (await client.ask(nodeAt(at), 'POST', '/v1/users/auth', { key: '', body })).body as AuthAnswer
  const watcher = watchInbox(nodeAt(at), userId, session)
  await expect.poll(watcher.isConnected).toBe(true)
  return watcher
}

const onlineAt = (at: number) => async () =>
  ((await client.ask(nodeAt(at), 'GET', '/v1/stats/online', { key: dev().sdkSecretKey })).body as { online: number })
    .online

test('users of two nodes are online at both, and those of a killed one are not', async () => {
  const [here, tab, there] = [await watch(0, 'here'), await watch(0, 'here'), await watch(1, 'there')]
  await expect.poll(onlineAt(0)).toBe(2)
  await expect.poll(onlineAt(1)).toBe(2)
  await cluster.nodes[1]?.kill()
  // It must not come back with the node.
  there.close()
  await expect.poll(onlineAt(0)).toBe(1)
  tab.close()
  here.close()
  await expect.poll(onlineAt(0)).toBe(0)
})
