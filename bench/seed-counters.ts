// Counters of many messages without the messages: an export whose table of counters is written anew, for `nc import`. What a store
// that has counted for a month reads, in seconds. The form is that of docs/cli.md; the import checks counts and hashes itself.

import { hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'

export interface CounterWish {
  /** Key of the campaign that has them. */
  campaignKey: string
  messages: number
  days: number
  /** Counters are kept by version, branch and node. */
  versions: number
  branches: number
  nodes: number
}

const HOUR_MS = 3_600_000
const ALL_TIME = -1
/** Of the messages, in the order of the columns: delivered, read, opened, clicked. */
const SHARES = [1, 0.6, 0.3, 0.1]
const MODULUS = 1n << 128n

/** Answers how many rows of counters the copy has. */
export async function seedCounters(from: string, to: string, wish: CounterWish): Promise<number> {
  let counters: string[] = []
  async function* rewritten(): AsyncGenerator<string> {
    let table: { table: string; columns: string[] } | undefined
    let campaignId: number | undefined
    for await (const line of createInterface({ input: createReadStream(from) })) {
      const said = JSON.parse(line) as unknown
      if (Array.isArray(said)) {
        const [id, key] = ['id', 'campaign_key'].map((name) => said[table?.columns.indexOf(name) ?? -1])
        if (table?.table === 'campaign' && key === wish.campaignKey) campaignId = id as number
        if (table?.table !== 'funnel') yield `${line}\n`
        continue
      }
      const { end, tables } = said as { end?: boolean; tables?: Record<string, unknown> }
      if (end === true) {
        yield `${JSON.stringify({ ...(said as object), tables: { ...tables, funnel: digestOf(counters) } })}\n`
        continue
      }
      yield `${line}\n`
      table = said as typeof table
      if (table?.table !== 'funnel') continue
      if (campaignId === undefined)
        throw new Error(`The export has no campaign ${wish.campaignKey} before its counters.`)
      counters = rowsOf(campaignId, wish).map((row) => JSON.stringify(table?.columns.map((name) => row[name])))
      for (const row of counters) yield `${row}\n`
    }
  }
  await pipeline(rewritten, createWriteStream(to))
  return counters.length
}

function rowsOf(campaignId: number, wish: CounterWish): Record<string, string | number>[] {
  const hours = wish.days * 24
  const last = Math.floor(Date.now() / HOUR_MS) - 1
  const perRow = wish.messages / (hours * wish.versions * wish.branches * wish.nodes)
  const row = (hour: number, key: [number, string, number], messages: number) => {
    const [version, branch, slot] = key
    const [deliveries = 0, reads = 0, opens = 0, clicks = 0] = SHARES.map((share) => Math.round(messages * share))
    return { campaign_id: campaignId, channel: 'inbox', hour, version, branch, slot, deliveries, reads, opens, clicks }
  }
  const rows = []
  for (let version = 1; version <= wish.versions; version += 1) {
    for (let branch = 0; branch < wish.branches; branch += 1) {
      for (let slot = 0; slot < wish.nodes; slot += 1) {
        const key: [number, string, number] = [version, branch === 0 ? '' : `branch-${branch}`, slot]
        rows.push(row(ALL_TIME, key, perRow * hours))
        for (let hour = last - hours + 1; hour <= last; hour += 1) rows.push(row(hour, key, perRow))
      }
    }
  }
  return rows
}

/** As an export counts and hashes a table: the sum of its rows' SHA-256. */
function digestOf(lines: string[]): { rows: number; hash: string } {
  const hashed = (line: string) => BigInt(`0x${hash('sha256', line, 'hex').slice(0, 32)}`)
  const sum = lines.reduce((total, line) => (total + hashed(line)) % MODULUS, 0n)
  return { rows: lines.length, hash: sum.toString(16).padStart(32, '0') }
}
