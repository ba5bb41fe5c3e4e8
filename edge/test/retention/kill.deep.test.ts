// Tests retention that is killed repeatedly: it continues where it stopped, and the counters stay correct.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stores } from '../../domain/stores.ts'
import { ENGINE, type EngineSettings, engineSettings } from '../support/engine.ts'
import { openStoresOf } from '../support/open-stores.ts'
import { buildTestScript } from '../support/test-script.ts'
import { givenRetention, NOW } from './given-retention.ts'

const KILLS = 4
const MESSAGES = 4000
const dataDir = mkdtempSync(join(tmpdir(), 'nc-purge-'))
let engine: EngineSettings
let script: string
beforeAll(async () => {
  script = await buildTestScript(join(import.meta.dirname, '../support/purge-process.ts'))
  engine = await engineSettings(ENGINE, { withRedis: false })
})
afterAll(async () => {
  await engine.release()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a purge that is killed repeatedly loses and duplicates nothing, and ends when it is not killed', async () => {
  const { environmentId, campaignId, before } = await withStore(async (stores) => {
    const given = await givenRetention(stores, { retentionDays: 90 })
    await given.fill(MESSAGES)
    return { ...given, before: await stores.funnels.slices(given.environmentId, given.campaignId, 'inbox', null) }
  })
  expect(before).toMatchObject([{ delivery: MESSAGES, read: MESSAGES / 10 }])
  const remaining: number[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    expect(await purgeUntil(1 + (kill % 3))).toBe('killed')
    remaining.push(
      await withStore(async (stores) => {
        expect(await stores.funnels.slices(environmentId, campaignId, 'inbox', null)).toEqual(before)
        expect(await stores.funnels.rebuild()).toMatchObject({ differed: 0 })
        return countInboxes(stores, environmentId)
      }),
    )
  }
  // Each run removed messages, and none finished.
  expect(remaining.at(-1)).toBeLessThan(remaining[0] ?? 0)
  expect(remaining.at(-1)).toBeGreaterThan(0)
  expect(await purgeUntil(Number.POSITIVE_INFINITY)).toBe('done')
  await withStore(async (stores) => {
    expect(await countInboxes(stores, environmentId)).toBe(0)
    expect((await stores.events.list(environmentId, {}, null, 100)).events).toEqual([])
    expect(await stores.funnels.slices(environmentId, campaignId, 'inbox', null)).toEqual(before)
    expect(await stores.funnels.rebuild()).toMatchObject({ differed: 0 })
  })
})

async function withStore<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
  const stores = await openStoresOf({ ...engine.env, DATA_DIR: dataDir }, { now: () => NOW })
  try {
    return await work(stores)
  } finally {
    await stores.close()
  }
}

/** Counts the messages in the inboxes, and requires equal counters. */
async function countInboxes(stores: Stores, environmentId: number): Promise<number> {
  let remaining = 0
  for (const userId of ['u0', 'u1', 'u2', 'u3', 'u4']) {
    const { userNo } = await stores.users.upsert(environmentId, userId, {}, NOW)
    const position = {
      environmentId,
      userNo,
      filter: 'all' as const,
      category: null,
      before: null,
      limit: MESSAGES,
      now: NOW,
    }
    const { messages, head } = await stores.inboxes.page(position)
    expect(head.unopened).toBe(messages.length)
    expect(head.unread).toBe(messages.filter(({ readAt }) => readAt === null).length)
    remaining += messages.length
  }
  return remaining
}

/** Runs the purge, and kills it during or right after the given step. */
async function purgeUntil(steps: number): Promise<'killed' | 'done'> {
  const child = spawn(process.execPath, [script, String(NOW), String(steps)], {
    env: { ...process.env, ...engine.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  let started = 0
  let done = false
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'done') done = true
    else if (++started >= steps) child.kill('SIGKILL')
  }
  await exited
  return done ? 'done' : 'killed'
}
