// Tests a full disk of PostgreSQL (docs/decisions/0009-store-outages.md): 503 with reason, readiness, log and recovery.
// PostgreSQL alone: for SQLite see ops/full-disk.deep.sqlite.test.ts.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { canMount, givenOwnDisk } from '../ops/own-disk.ts'
import { marksOf } from '../ops/steady-load.ts'
import { type Answer, givenEdge, inboxCampaign } from '../support/given.ts'
import { compareMarks } from '../support/ledger.ts'
import { runSql, startPostgres } from '../support/servers.ts'

const MIB = 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), 'nc-full-postgres-'))
const cleanups: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
  rmSync(folder, { recursive: true, force: true })
})

/** Creates a database whose tables have their own small file system. */
async function givenSmallDatabase() {
  const server = await startPostgres()
  cleanups.push(() => server.remove())
  const { uid, gid } = statSync(server.folder)
  const disk = await givenOwnDisk(folder, '64m', { uid, gid })
  cleanups.push(disk.close)
  await runSql(server.url, `CREATE TABLESPACE small LOCATION '${disk.path('')}'`, 'CREATE DATABASE nc TABLESPACE small')
  const url = new URL(server.url)
  url.pathname = '/nc'
  return { disk, url: url.href }
}

test.skipIf(!canMount(folder))(
  'a write without disk space is answered with 503 `disk`; nothing acknowledged is lost and no restart is needed',
  async () => {
    const { disk, url } = await givenSmallDatabase()
    const lines: string[] = []
    const logLines = (text: string) => lines.filter((line) => line.includes(text))
    const settings = { DATABASE_URL: url, MASTER_KEY: randomBytes(32).toString('base64'), RATE_LIMITS: 'off' }
    const given = await givenEdge(settings, { writeLog: (line) => lines.push(line) })
    cleanups.push(() => given.stop())
    await given.publish(inboxCampaign('tell', 'disk.filled'))
    const [step] = inboxCampaign('late', 'disk.filled.late').steps
    const steps = [{ id: 'pause', type: 'delay', for: 'PT3S' }, step]
    await given.publish({ ...inboxCampaign('late', 'disk.filled.late'), steps })
    const session = await given.signIn('u1')
    const acknowledged: string[] = []
    let number = 0
    const track = async (name = 'disk.filled'): Promise<Answer<object>> => {
      number += 1
      const current = number
      const properties = { name: `no ${current}.`, padding: 'x'.repeat(2000) }
      const answer: Answer<object> = await given.track({ name, userId: 'u1', properties })
      if (answer.status === 202) acknowledged.push(`u1 ${current}`)
      return answer
    }
    const readyz = async () => {
      const { status, body } = await given.call<{ details?: { path: string }[] }>('GET', '/readyz')
      return status === 200 ? (body.details?.[0]?.path ?? 'ready') : status
    }

    for (let n = 0; n < 20; n++) expect((await track()).status).toBe(202)
    for (let n = 0; n < 20; n++) expect((await track('disk.filled.late')).status).toBe(202)
    // Fills the free space inside the tables as well.
    disk.fillTo(0)
    let refused = await track()
    while (refused.status === 202) refused = await track()
    expect(refused).toMatchObject({ status: 503, body: { code: 'service/unavailable', reason: 'disk' } })
    expect(refused.headers.get('retry-after')).toBe('10')
    await expect.poll(readyz).toBe('disk')
    expect(await track()).toMatchObject({ status: 503, body: { code: 'service/unavailable', reason: 'disk' } })
    expect((await given.call('GET', '/v1/inbox/messages', { session })).status).toBe(200)
    expect(await given.call('GET', '/metrics')).toMatchObject({ body: expect.stringContaining('\nnc_disk_low 1\n') })
    expect(logLines('disk nearly full')).toEqual([expect.stringContaining('No space left on device')])

    disk.release(64 * MIB)
    await expect.poll(readyz).toBe('ready')
    for (let n = 0; n < 20; n++) expect((await track()).status).toBe(202)
    const compare = async () => compareMarks(acknowledged, await marksOf(given.url, 'u1', session))
    await expect.poll(compare).toEqual({ lost: [], doubled: [], phantom: [] })
    expect(logLines('disk space restored')).toHaveLength(1)
  },
)
