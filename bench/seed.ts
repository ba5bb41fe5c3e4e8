// Many stored messages, quickly: batches of 1,000 events through the public API, spread over users as a large deployment has them.

import { cpSync } from 'node:fs'
import { createCustomer } from './customer.ts'
import type { Engine, Settled } from './edges.ts'
import { saturate } from './load.ts'
import type { Program } from './process.ts'

const BATCH = 1000
const CONNECTIONS = 4
/** Of whom each has as many messages as the others. */
export const SEEDED_USERS = 20_000

export const seededUser = (at: number) => `seeded_${at % SEEDED_USERS}`

export interface Seeds {
  /** Settings of a store of its own with so many messages: a copy of one that is made once in a run. */
  copy(engine: Engine, count: number): Promise<Settled>
}

export interface SeedsDeps {
  settle(options: { engine: Engine; isKept?: boolean }): Promise<Settled>
  startEdge(settings: Settled): Promise<Program>
  /** Answers its address. */
  createDatabase(template: string): Promise<string>
  say(text: string): void
}

export function createSeeds({ settle, startEdge, createDatabase, say }: SeedsDeps): Seeds {
  const made = new Map<string, Settled>()

  async function duplicate(seed: Settled, isKept = false): Promise<Settled> {
    const copy = await settle({ engine: 'sqlite', isKept })
    cpSync(seed.DATA_DIR, copy.DATA_DIR, { recursive: true })
    if (seed.DATABASE_URL === undefined) return copy
    const database = await createDatabase(new URL(seed.DATABASE_URL).pathname.slice(1))
    return { ...seed, DATA_DIR: copy.DATA_DIR, DATABASE_URL: database }
  }

  /** Made from the next smaller one, so that 1 M costs 1 M once. */
  async function seedOf(engine: Engine, count: number): Promise<Settled> {
    const known = made.get(`${engine} ${count}`)
    if (known !== undefined) return known
    const sizes = [...made.keys()].filter((key) => key.startsWith(engine)).map((key) => Number(key.split(' ')[1]))
    const smaller = Math.max(0, ...sizes.filter((size) => size < count))
    const from = made.get(`${engine} ${smaller}`)
    const seed = from === undefined ? await settle({ engine, isKept: true }) : await duplicate(from, true)
    const program = await startEdge(seed)
    await storeMessages(program.address, seed.DATA_DIR, count - smaller, smaller === 0, say)
    await program.stop()
    made.set(`${engine} ${count}`, seed)
    return seed
  }

  return { copy: async (engine, count) => duplicate(await seedOf(engine, count)) }
}

/** Adds so many inbox messages to the edge; `isFirst`: the campaign that makes them does not exist yet. */
export async function storeMessages(
  edgeUrl: string,
  dataDir: string,
  count: number,
  isFirst: boolean,
  say: (text: string) => void,
): Promise<void> {
  const customer = createCustomer(edgeUrl, dataDir)
  if (isFirst) await customer.publishCampaign()
  let sent = 0
  const begun = performance.now()
  const nextBatch = () => {
    const size = Math.min(BATCH, count - sent)
    const users = Array.from({ length: size }, (_, at) => seededUser(sent + at))
    sent += size
    if (sent % 100_000 === 0) say(`${sent.toLocaleString('en')} of ${count.toLocaleString('en')} messages stored`)
    return customer.trackBatch(users)
  }
  await saturate(edgeUrl, CONNECTIONS, { requests: Math.ceil(count / BATCH) }, nextBatch)
  say(`${count.toLocaleString('en')} messages stored in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
}
