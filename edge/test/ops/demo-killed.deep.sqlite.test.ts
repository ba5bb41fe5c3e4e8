// Tests a first start that is killed while it writes the demo's month. On SQLite alone, because the moments are those of a
// process; what a commit leaves is the same on both engines.

import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDemoFile } from '../../seed/demo-file.ts'
import { makeMonth } from '../../seed/life/write-life.ts'
import { startEdge } from '../../serve.ts'
import { buildEdge } from '../support/edge-process.ts'
import { givenNc } from '../support/given-nc.ts'
import { killAll, startRawEdge } from '../support/raw-edge.ts'

let folder: string
beforeAll(async () => {
  await buildEdge()
  folder = await mkdtemp(join(tmpdir(), 'demo-killed-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Bytes of the store, which grows with the month. */
test.each([1_300_000, 3_000_000, 6_000_000])(
  'killed when the store has %d bytes, the next start goes on',
  async (bytes) => {
    const DATA_DIR = join(folder, String(bytes))
    const settings = { PORT: '0', DATA_DIR, SEED_DEMO: 'true', LOG_LEVEL: 'silent' }
    const killed = startRawEdge(settings)
    const unfinished = join(DATA_DIR, 'demo.unfinished.json')
    const sizeOf = (name: string) => statSync(join(DATA_DIR, name)).size
    const isSoFar = () => existsSync(unfinished) && sizeOf('store.db') + sizeOf('store.db-wal') > bytes
    await expect.poll(isSoFar, { interval: 2 }).toBe(true)
    await killAll([killed])
    expect(existsSync(join(DATA_DIR, 'demo.json'))).toBe(false)
    const begun = await readDemoFile(unfinished)

    const edge = await startEdge(settings)
    try {
      expect(existsSync(unfinished)).toBe(false)
      expect(edge.demo?.environments.dev.sdkSecretKey).toBe(begun?.environments.dev.sdkSecretKey)
      const key = edge.demo?.environments.dev.sdkSecretKey
      const get = async (path: string) =>
        (await (await fetch(edge.url + path, { headers: { authorization: `Bearer ${key}` } })).json()) as Page
      const ids: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Page = await get(`/v1/events?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`)
        ids.push(...page.data.map(({ eventId }) => eventId))
        cursor = page.nextCursor
      }
      const [dev] = await givenNc(settings).json<{ createdAt: string }[]>(
        `env list --org ${edge.demo?.organisation.id}`,
      )
      expect(ids.length).toBe(makeMonth(Date.parse(dev?.createdAt ?? '')).events.length)
      // What was in hand at the kill waits for two seconds.
      await expect.poll(async () => (await get('/v1/deliveries?status=queued')).data).toEqual([])
      expect(await givenNc(settings).json('stats rebuild')).toMatchObject({ differed: 0 })
      expect(await givenNc(settings).json<unknown[]>('org list')).toHaveLength(1)
    } finally {
      await edge.close()
    }
  },
)

interface Page {
  data: { eventId: string }[]
  nextCursor: string | null
}
