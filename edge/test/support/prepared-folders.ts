// Copies data folders that are prepared once for each vitest run: an empty SQLite store, and folders of a first start.

import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { ServeOptions } from '../../serve.ts'
import { removeEpoch } from '../../stores/test/remove-epoch.ts'

/** A start hashes a password, which at the default cost takes half of its processor time. */
export const CHEAP_PASSWORDS = { N: 2, r: 8, p: 1 }

const KINDS = {
  empty: makeEmpty,
  seeded: (dataDir: string) => makeSeeded(dataDir, { seedCampaigns: [] }),
  'with campaigns': (dataDir: string) => makeSeeded(dataDir, {}),
}
/** What is copied, where it is. Each start makes the other files. */
const FILES = ['store.db', 'demo.json', 'master.key']
/** Settings that change what a first start writes. */
const SEEDING = ['DATABASE_URL', 'MASTER_KEY', 'REGION']

/** Copies an empty SQLite store with the tables of this version into the folder, unless the folder has a store. */
export async function prepareEmptyStore(dataDir: string): Promise<void> {
  await prepare('empty', dataDir)
}

/**
 * Copies what a first start writes into the folder of the settings, unless it has a store, so that the next start creates
 * no tables, keys and hashes. Does nothing when the settings lead to another first start. All copies have the same ids and
 * secrets: a test that compares two servers gives one of them a `MASTER_KEY`.
 * @param kind `seeded` has no campaigns; the built program has them.
 */
export async function prepareSeeded(
  settings: Record<string, string | undefined>,
  kind: 'seeded' | 'with campaigns',
): Promise<void> {
  const { SEED_DEMO, DATA_DIR } = settings
  const isUsual = SEED_DEMO === 'plain' && SEEDING.every((name) => settings[name] === undefined)
  if (isUsual && DATA_DIR !== undefined) await prepare(kind, DATA_DIR)
}

async function prepare(kind: keyof typeof KINDS, dataDir: string): Promise<void> {
  // A process outside vitest starts one server, which needs no copy.
  if (process.env.VITEST === undefined || existsSync(join(dataDir, 'store.db'))) return
  const prepared = await findPrepared(kind)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  for (const name of FILES) {
    const file = join(prepared, name)
    if (existsSync(file)) await copyFile(file, join(dataDir, name))
  }
}

const found = new Map<string, Promise<string>>()

function findPrepared(kind: keyof typeof KINDS): Promise<string> {
  const path = join(inject('runFolder'), kind)
  const folder = found.get(path) ?? (existsSync(path) ? Promise.resolve(path) : makePrepared(kind, path))
  found.set(path, folder)
  return folder
}

/** Several workers may make it at once. The first that is complete stays. */
async function makePrepared(kind: keyof typeof KINDS, path: string): Promise<string> {
  const folder = await mkdtemp(`${path}.`)
  await KINDS[kind](folder)
  await removeEpoch(join(folder, 'store.db'))
  await rename(folder, path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    await rm(folder, { recursive: true })
  })
  return path
}

// These modules are loaded by the worker that makes a folder: others may have no server in their process.
async function makeEmpty(dataDir: string): Promise<void> {
  const { openSqliteStores } = await import('../../stores/sqlite/stores.ts')
  await (await openSqliteStores({ dataDir, clock: { now: () => Date.UTC(2026, 0, 1) } })).close()
}

async function makeSeeded(DATA_DIR: string, options: ServeOptions): Promise<void> {
  const { startEdge } = await import('../../serve.ts')
  const settings = { PORT: '0', DATA_DIR, SEED_DEMO: 'plain', LOG_LEVEL: 'silent' }
  await (await startEdge(settings, { passwordCost: CHEAP_PASSWORDS, ...options })).close()
}
