// Tests a restart behind a proxy that holds requests: no call of a client fails.
// SQLite alone: its edge is one process.

import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthAnswer } from '../../../contract/api.ts'
import { createProxy, type RunningProxy } from '../../../tools/cluster/proxy.ts'
import { findFreePort } from '../../../tools/servers/server-process.ts'
import type { DemoFile } from '../../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, rebuildStats, startEdgeProcess } from '../support/edge-process.ts'
import { inboxCampaign } from '../support/given.ts'
import { compareMarks } from '../support/ledger.ts'
import { runningNow } from '../support/within.ts'
import { createSteadyLoad, marksOf, type SteadyLoad } from './steady-load.ts'

const RESTARTS = 2
const USERS = 12
const dataDir = mkdtempSync(join(tmpdir(), 'nc-restart-'))
const port = await findFreePort()
// Six probes fit into the notice, so that even a busy proxy stops using the edge in time.
const settings = { DRAIN_NOTICE: 'PT3S', TRUSTED_PROXIES: '1', PORT: String(port) }

let edge: EdgeProcess | undefined
let proxy: RunningProxy
let load: SteadyLoad | undefined
beforeAll(async () => {
  await buildEdge()
  edge = await startEdgeProcess(dataDir, settings)
  proxy = await createProxy({ port: 0, nodes: [port] })
})
afterAll(async () => {
  load?.close()
  await proxy?.close()
  await edge?.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

async function post<T>(path: string, key: string, body: object): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(proxy.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return (await answer.json()) as T
}

async function givenSessions({ frontApiKey, authSecretKey }: DemoFile['environments']['dev']) {
  const sessions = new Map<string, AuthAnswer>()
  for (let at = 0; at < USERS; at++) {
    const userId = `u_restart_${at}`
    const token = createHmac('sha256', authSecretKey).update(userId).digest('hex')
    const body = { apiKey: frontApiKey, authType: 'backendToken', userId, token }
    sessions.set(userId, await post<AuthAnswer>('/v1/users/auth', '', body))
  }
  return sessions
}

test(`${RESTARTS} restarts under load: no call fails, all sockets reconnect, nothing is lost or duplicated`, async () => {
  const { dev } = (JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile).environments
  const campaign = await post<{ id: string }>('/v1/campaigns', dev.sdkSecretKey, inboxCampaign('restart', 'restart.ed'))
  await post(`/v1/campaigns/${campaign.id}/publish`, dev.sdkSecretKey, {})
  const sessions = await givenSessions(dev)
  const { sdkSecretKey } = dev
  load = createSteadyLoad({ url: proxy.url, sdkSecretKey, event: 'restart.ed', sessions, trackers: 4, readers: 2 })
  const { sockets, calls, failures, acknowledged } = load
  await expect.poll(() => sockets.every(({ connects }) => connects === 1)).toBe(true)
  const running = load.run()
  const progress = async () => {
    const target = calls.tracked + 300
    await expect.poll(() => calls.tracked).toBeGreaterThan(target)
  }
  for (let restart = 1; restart <= RESTARTS; restart++) {
    await progress()
    const startedAt = runningNow()
    expect(await edge?.stop()).toBe(0)
    expect(runningNow() - startedAt).toBeLessThan(15_000)
    edge = await startEdgeProcess(dataDir, settings)
    // Each socket was closed once and reconnected within 10 s.
    await expect
      .poll(() => sockets.map(({ client, connects }) => client.connected && connects))
      .toEqual(Array(USERS).fill(restart + 1))
  }
  await progress()
  load.stop()
  await running
  expect(failures).toEqual([])
  expect(calls.read).toBeGreaterThan(100)

  const marks: string[] = []
  for (const [userId, session] of sessions) marks.push(...(await marksOf(proxy.url, userId, session)))
  expect(compareMarks(acknowledged, marks)).toEqual({ lost: [], doubled: [], phantom: [] })
  for (const { userId, seq, gaps } of sockets) {
    const own = acknowledged.filter((mark) => mark.startsWith(`${userId} `)).length
    expect([userId, seq - (sessions.get(userId)?.inbox.seq ?? 0), gaps]).toEqual([userId, own, 0])
  }
  expect(await edge?.stop()).toBe(0)
  expect((await rebuildStats(dataDir)).differed).toBe(0)
})
