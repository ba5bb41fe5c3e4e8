// Creates counters of many messages without the messages: rewrites the counter table of an export (docs/cli.md) for `nc
// import`.

import { hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'

export interface CounterSeed {
  /** Key of the campaign that the counters belong to. */
  campaignKey: string
  messages: number
  days: number
  /** The store keeps counters by version, branch and node. */
  versions: number
  branches: number
  nodes: number
}

const HOUR_MS = 3_600_000
const ALL_TIME = -1
/** Returns the number of a day's row, as the store assigns it. */
const dayRow = (day: number) => -2 - day
/** Shares of the messages in the order of the columns: delivered, read, opened, clicked. */
const SHARES = [1, 0.6, 0.3, 0.1]
const MODULUS = 1n << 128n

/** Writes the copy. @returns its number of counter rows */
export async function seedCounters(from: string, to: string, seed: CounterSeed): Promise<number> {
  let counters: string[] = []
  async function* rewritten(): AsyncGenerator<string> {
    let table: { table: string; columns: string[] } | undefined
    let campaign: CampaignOf | undefined
    for await (const line of createInterface({ input: createReadStream(from) })) {
      const record = JSON.parse(line) as unknown
      if (Array.isArray(record)) {
        const [environment_id, campaign_id, key] = ['environment_id', 'id', 'campaign_key'].map(
          (name) => record[table?.columns.indexOf(name) ?? -1],
        )
        if (table?.table === 'campaign' && key === seed.campaignKey)
          campaign = { environment_id, campaign_id } as CampaignOf
        if (table?.table !== 'funnel') yield `${line}\n`
        continue
      }
      const { end, tables } = record as { end?: boolean; tables?: Record<string, unknown> }
      if (end === true) {
        yield `${JSON.stringify({ ...(record as object), tables: { ...tables, funnel: digestOf(counters) } })}\n`
        continue
      }
      yield `${line}\n`
      table = record as typeof table
      if (table?.table !== 'funnel') continue
      if (campaign === undefined) throw new Error(`The export has no campaign ${seed.campaignKey} before its counters.`)
      counters = rowsOf(campaign, seed).map((row) => JSON.stringify(table?.columns.map((name) => row[name])))
      for (const row of counters) yield `${row}\n`
    }
  }
  await pipeline(rewritten, createWriteStream(to))
  return counters.length
}

interface CampaignOf {
  environment_id: number
  campaign_id: number
}

function rowsOf(campaign: CampaignOf, seed: CounterSeed): Record<string, string | number>[] {
  const hours = seed.days * 24
  const last = Math.floor(Date.now() / HOUR_MS) - 1
  const perRow = seed.messages / (hours * seed.versions * seed.branches * seed.nodes)
  const row = (hour: number, key: [number, string, number], messages: number) => {
    const [version, branch, slot] = key
    const [deliveries = 0, reads = 0, opens = 0, clicks = 0] = SHARES.map((share) => Math.round(messages * share))
    const counted = { deliveries, reads, opens, clicks }
    return { ...campaign, channel: 'inbox', hour, version, branch, step_id: 'tell', slot, ...counted }
  }
  const rows = []
  for (let version = 1; version <= seed.versions; version += 1) {
    for (let branch = 0; branch < seed.branches; branch += 1) {
      for (let slot = 0; slot < seed.nodes; slot += 1) {
        const key: [number, string, number] = [version, branch === 0 ? '' : `branch-${branch}`, slot]
        rows.push(row(ALL_TIME, key, perRow * hours))
        const days = new Map<number, number>()
        for (let hour = last - hours + 1; hour <= last; hour += 1) {
          rows.push(row(hour, key, perRow))
          const day = dayRow(Math.floor(hour / 24))
          days.set(day, (days.get(day) ?? 0) + 1)
        }
        for (const [day, counted] of days) rows.push(row(day, key, perRow * counted))
      }
    }
  }
  return rows
}

/** Counts and hashes a table like an export: the sum of its rows' SHA-256. */
function digestOf(lines: string[]): { rows: number; hash: string } {
  const hashed = (line: string) => BigInt(`0x${hash('sha256', line, 'hex').slice(0, 32)}`)
  const sum = lines.reduce((total, line) => (total + hashed(line)) % MODULUS, 0n)
  return { rows: lines.length, hash: sum.toString(16).padStart(32, '0') }
}
