// Tests a full file system: 503 below the watermark and when full, reads continue, retention frees space.
// SQLite alone: for PostgreSQL see postgres/full-disk.postgres.test.ts.

import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { AuthAnswer } from '../../../contract/api.ts'
import type { DemoFile } from '../../seed/demo-file.ts'
import { inboxCampaign } from '../support/given.ts'
import { BUILT_NC } from '../support/given-nc.ts'
import { compareMarks } from '../support/ledger.ts'
import { buildTestScript } from '../support/test-script.ts'
import { canMount, givenOwnDisk, type OwnDisk } from './own-disk.ts'
import { marksOf } from './steady-load.ts'

const MIB = 1024 * 1024
/** Its watermark is one twentieth, 12 MiB: more than the reserve of 8 MiB. */
const SIZE = '240m'
const OLD_MESSAGES = 14_000
const folder = mkdtempSync(join(tmpdir(), 'nc-full-'))
const cleanups: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
  rmSync(folder, { recursive: true, force: true })
})

interface Answer {
  status: number
  body: { code?: string; reason?: string; details?: { path: string }[] }
}

async function startEdge(disk: OwnDisk) {
  const settings = { PORT: '0', DATA_DIR: folder, SEED_DEMO: 'plain', RATE_LIMITS: 'off', LOG_LEVEL: 'info' }
  const child = disk.start(['edge/dist/main.js'], settings)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exited
  }
  cleanups.push(async () => void (await end('SIGKILL')))
  await expect.poll(() => output).toContain('"listening"')
  const url = /"address":"([^"]+)"/.exec(output)?.[1] ?? ''
  async function call(method: string, path: string, key?: string, body?: object): Promise<Answer> {
    const headers = {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    }
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    const answer = await fetch(url + path, init)
    return { status: answer.status, body: (await answer.json()) as Answer['body'] }
  }
  return { url, call, end }
}
type Edge = Awaited<ReturnType<typeof startEdge>>

/** Tracks events, and records those answered 202 and every other answer. */
function givenTracking(sdkSecretKey: string, userId: string) {
  const acknowledged: string[] = []
  const refusals: Answer[] = []
  let number = 0
  return {
    acknowledged,
    refusals,
    async track(edge: Edge): Promise<Answer> {
      number += 1
      const current = number
      const properties = { name: `no ${current}.`, padding: 'x'.repeat(2000) }
      const body = { sdkSecretKey, name: 'disk.filled', userId, properties }
      const answer = await edge.call('POST', '/v1/events/track', sdkSecretKey, body)
      if (answer.status === 202) acknowledged.push(`${userId} ${current}`)
      else refusals.push(answer)
      return answer
    },
  }
}

/** Fills the disk completely while events are tracked, until 50 more requests have been refused. */
async function fillUnderLoad(disk: OwnDisk, refusals: Answer[], track: () => Promise<Answer>): Promise<void> {
  let stopAt = Number.POSITIVE_INFINITY
  const load = Array.from({ length: 4 }, async () => {
    while (refusals.length < stopAt) await track()
  })
  disk.fillTo(0)
  stopAt = refusals.length + 50
  await Promise.all(load)
}

const readyz = async (edge: Edge) => {
  const { status, body } = await edge.call('GET', '/readyz')
  return status === 200 ? (body.details?.[0]?.path ?? 'ready') : status
}
const expectReadiness = (edge: Edge, state: string) => expect.poll(() => readyz(edge)).toBe(state)

test.skipIf(!canMount(folder))(
  'a full disk is answered with 503, reads continue, retention frees space, and every acknowledged event is stored',
  async () => {
    const disk = await givenOwnDisk(folder, SIZE)
    cleanups.push(disk.close)
    const oldMessages = await buildTestScript(join(import.meta.dirname, 'old-messages.ts'))
    const organisation = await disk.run([oldMessages, folder, String(OLD_MESSAGES)])
    let edge = await startEdge(disk)
    const { dev } = (JSON.parse(readFileSync(disk.path('demo.json'), 'utf8')) as DemoFile).environments
    const { sdkSecretKey, frontApiKey, authSecretKey } = dev
    const campaign = await edge.call('POST', '/v1/campaigns', sdkSecretKey, inboxCampaign('disk', 'disk.filled'))
    const { id } = campaign.body as { id?: string }
    expect((await edge.call('POST', `/v1/campaigns/${id}/publish`, sdkSecretKey)).status).toBe(200)
    const token = createHmac('sha256', authSecretKey).update('u_disk').digest('hex')
    const signIn = { apiKey: frontApiKey, authType: 'backendToken', userId: 'u_disk', token }
    const session = (await edge.call('POST', '/v1/users/auth', undefined, signIn)).body as AuthAnswer
    const { acknowledged, refusals, track } = givenTracking(sdkSecretKey, 'u_disk')
    const readInbox = async () => (await edge.call('GET', '/v1/inbox/messages', session.sessionToken)).status
    const hasBallast = () => existsSync(disk.path('ballast'))
    for (let n = 0; n < 20; n++) expect((await track(edge)).status).toBe(202)
    await expect.poll(hasBallast).toBe(true)

    // Nearly full: refused while some space is left, and accepted again without a restart.
    disk.fillTo(10 * MIB)
    await expectReadiness(edge, 'disk')
    expect(await track(edge)).toMatchObject({ status: 503, body: { code: 'service/unavailable', reason: 'disk' } })
    expect(disk.freeBytes()).toBeGreaterThan(8 * MIB)
    expect(await readInbox()).toBe(200)
    disk.release(30 * MIB)
    await expectReadiness(edge, 'ready')
    expect((await track(edge)).status).toBe(202)

    // Full between two checks of the disk: only commits that find no space are answered with 503.
    const isFromCommit = ({ body }: Answer) => body.reason === undefined
    for (let attempt = 0; attempt < 5 && !refusals.some(isFromCommit); attempt++) {
      disk.release(30 * MIB)
      await expectReadiness(edge, 'ready')
      await fillUnderLoad(disk, refusals, () => track(edge))
    }
    expect(refusals.some(isFromCommit)).toBe(true)
    expect([...new Set(refusals.map(({ status, body }) => `${status} ${body.code}`))]).toEqual([
      '503 service/unavailable',
    ])
    await expectReadiness(edge, 'disk')
    await expect.poll(hasBallast).toBe(false)
    expect(await readInbox()).toBe(200)

    // A kill and a start while the disk is full.
    await edge.end('SIGKILL')
    edge = await startEdge(disk)
    expect(await readyz(edge)).toBe('disk')
    expect(await readInbox()).toBe(200)
    expect((await track(edge)).status).toBe(503)

    // The reserve is enough for retention, whose deletions free space for new rows. No restart.
    const nc = (...words: string[]) => disk.run([BUILT_NC, ...words], { DATA_DIR: folder })
    await nc('retention', 'set', '--org', organisation, '--days', '90', '--yes')
    await nc('retention', 'run')
    await expectReadiness(edge, 'ready')
    for (let n = 0; n < 20; n++) expect((await track(edge)).status).toBe(202)

    expect(compareMarks(acknowledged, await marksOf(edge.url, 'u_disk', session))).toEqual({
      lost: [],
      doubled: [],
      phantom: [],
    })
    expect(await edge.end('SIGTERM')).toBe(0)
    const rebuilt = await disk.run(['edge/dist/stats-rebuild.js'], { DATA_DIR: folder })
    expect(JSON.parse(rebuilt.split('\n')[0] ?? '')).toMatchObject({ differed: 0 })
  },
  240_000,
)
