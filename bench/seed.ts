// Stores many messages quickly: batches of 1,000 events by the public API, spread over users like a large deployment.

import { cpSync } from 'node:fs'
import { createCustomer } from './customer.ts'
import { saturate } from './load.ts'
import type { Engine, Program, Settled } from './process.ts'

const BATCH = 1000
const CONNECTIONS = 4
/** Number of users, over whom the messages are spread equally. */
export const SEEDED_USERS = 20_000

export const seededUser = (at: number) => `seeded_${at % SEEDED_USERS}`

export interface Seeds {
  /** Copies a store with so many messages, which is created once in a run. @returns the settings of the copy */
  copy(engine: Engine, count: number): Promise<Settled>
}

export interface SeedsDeps {
  settle(options: { engine: Engine; isKept?: boolean }): Promise<Settled>
  startEdge(settings: Settled): Promise<Program>
  /** @returns the database's address */
  createDatabase(template: string): Promise<string>
  log(text: string): void
}

export function createSeeds({ settle, startEdge, createDatabase, log }: SeedsDeps): Seeds {
  const made = new Map<string, Settled>()

  async function duplicate(seed: Settled, isKept = false): Promise<Settled> {
    const copy = await settle({ engine: 'sqlite', isKept })
    cpSync(seed.DATA_DIR, copy.DATA_DIR, { recursive: true })
    if (seed.DATABASE_URL === undefined) return copy
    const database = await createDatabase(new URL(seed.DATABASE_URL).pathname.slice(1))
    return { ...seed, DATA_DIR: copy.DATA_DIR, DATABASE_URL: database }
  }

  /** Extends the next smaller store, so that a million messages are stored only once. */
  async function seedOf(engine: Engine, count: number): Promise<Settled> {
    const known = made.get(`${engine} ${count}`)
    if (known !== undefined) return known
    const sizes = [...made.keys()].filter((key) => key.startsWith(engine)).map((key) => Number(key.split(' ')[1]))
    const smaller = Math.max(0, ...sizes.filter((size) => size < count))
    const from = made.get(`${engine} ${smaller}`)
    const seed = from === undefined ? await settle({ engine, isKept: true }) : await duplicate(from, true)
    const program = await startEdge(seed)
    await storeMessages(program.address, seed.DATA_DIR, count - smaller, smaller === 0, log)
    await program.stop()
    made.set(`${engine} ${count}`, seed)
    return seed
  }

  return { copy: async (engine, count) => duplicate(await seedOf(engine, count)) }
}

/** Adds so many inbox messages to the edge. `isFirst`: the campaign does not exist yet. */
export async function storeMessages(
  edgeUrl: string,
  dataDir: string,
  count: number,
  isFirst: boolean,
  log: (text: string) => void,
): Promise<void> {
  const customer = createCustomer(edgeUrl, dataDir)
  if (isFirst) await customer.publishCampaign()
  let sent = 0
  const begun = performance.now()
  const nextBatch = () => {
    const size = Math.min(BATCH, count - sent)
    const users = Array.from({ length: size }, (_, at) => seededUser(sent + at))
    sent += size
    if (sent % 100_000 === 0) log(`${sent.toLocaleString('en')} of ${count.toLocaleString('en')} messages stored`)
    return customer.trackBatch(users)
  }
  await saturate(edgeUrl, CONNECTIONS, { requests: Math.ceil(count / BATCH) }, nextBatch)
  log(`${count.toLocaleString('en')} messages stored in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
}
