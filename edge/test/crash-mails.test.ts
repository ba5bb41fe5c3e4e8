// Tests that repeated kill -9 while mails are sent doubles no mail and loses none without a reason, on each engine.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { FunnelAnswer } from '../../contract/api.ts'
import type { DeliveryRecordAnswer } from '../../contract/resources/delivery.ts'
import type { DemoFile } from '../seed/demo-file.ts'
import { type CrashLoad, createCrashLoad } from './support/crash-load.ts'
import { buildEdge, type EdgeProcess, rebuildStats, startEdgeProcess } from './support/edge-process.ts'
import { endLeases } from './support/end-leases.ts'
import { ENGINE, engineSettings } from './support/engine.ts'
import { expectNoneGivenUp } from './support/expect-none-given-up.ts'
import { type GivenSmtp, givenSmtp } from './support/given-smtp.ts'
import { compareMarks, createRandom } from './support/ledger.ts'
import { createMailLedger } from './support/mail-ledger.ts'
import { openSandbox } from './support/open-sandbox.ts'
import { createRawClient } from './support/raw-client.ts'
import { createPageReader } from './support/read-pages.ts'
import { reportCounts } from './support/report-counts.ts'

/** A long run: `NC_MAIL_KILLS=200`. */
const KILLS = Number(process.env.NC_MAIL_KILLS ?? 12)
const SEED = Number(process.env.CRASH_SEED ?? 23)
/** More than 50, so that an event for all of them is fanned out. */
const USER_IDS = Array.from({ length: 60 }, (_, at) => `mailed_${at}`)
/** Few requests, most of them for many mails: no more than a server sends that has just started. */
const LOAD = { workers: 2, everyMs: 60 }
/** In kills: the pauses between attempts end while kills go on, and on PostgreSQL the claims of ended processes. */
const LEASE_ENDS_EVERY = 4
/** Longer than the longest pause between two attempts. */
const ALL_PAUSES_MS = 11 * 60_000
const NONE = { lost: [], doubled: [], phantom: [] }

const dataDir = mkdtempSync(join(tmpdir(), 'nc-crash-'))
const client = createRawClient()
const random = createRandom(SEED)
let smtp: GivenSmtp
let edge: EdgeProcess | undefined
beforeAll(async () => {
  await buildEdge()
  smtp = await givenSmtp()
})
afterAll(async () => {
  client.close()
  await edge?.kill()
  await smtp?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test(`${KILLS} kills while mails are sent double and lose none (${ENGINE}, seed ${SEED})`, async () => {
  const engine = await engineSettings()
  const env = {
    ...engine.env,
    SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
    EMAIL_FROM: 'hello@shop.example',
    EMAIL_UNKNOWN_OUTCOME: 'stop',
    OUTBOUND_ALLOW: '127.0.0.0/8',
  }
  edge = await startEdgeProcess(dataDir, env)
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile
  const key = demo.environments.dev.sdkSecretKey
  await openSandbox({ demo, settings: { ...env, DATA_DIR: dataDir } })
  const campaignId = await createCampaign(edge.url, key)
  const load = createCrashLoad({
    client,
    sdkSecretKey: key,
    random,
    userIds: USER_IDS,
    clickable: () => undefined,
    workers: LOAD.workers,
  })
  const ledger = createMailLedger(smtp, random)
  // The demo is there.
  const again = { ...env, SEED_DEMO: 'false' }
  ledger.setMoody(true)
  for (let kill = 0; kill < KILLS; kill += 1) {
    let isKilled = false
    const running = load.run(
      edge.url,
      () => isKilled,
      () => LOAD.everyMs,
    )
    // Mails are composed by a process that starts with the first of them, later on a busy machine.
    await vi.waitUntil(() => smtp.mails.length > 0, { timeout: 60_000 })
    await setTimeout(random() * 500)
    await edge.kill()
    isKilled = true
    await running
    ledger.takeHeld()
    if (kill === KILLS - 1) {
      // The server takes all mails from now on, so that each comes to an end.
      ledger.setMoody(false)
      await endLeases(dataDir, engine.env, ALL_PAUSES_MS)
    } else if (kill % LEASE_ENDS_EVERY === 0) {
      await endLeases(dataDir, engine.env)
    }
    edge = await startEdgeProcess(dataDir, again)
    await settle(load, edge.url)
  }

  const { read, readAll } = createPageReader(client, edge.url)
  const mails = `/v1/deliveries?campaignId=${campaignId}&channel=email`
  let records: DeliveryRecordAnswer[] = []
  const events = [...load.ledger.values()]
  const expected = events.flatMap(({ userIds, eventId }) => userIds.map((userId) => `${userId} ${eventId}`))
  const remaining = async () => {
    records = await readAll<DeliveryRecordAnswer>(mails, key)
    return expected.length - records.length + ledger.compare(records).open.length
  }
  // Fan-outs and mails continue after the load.
  await expect.poll(remaining, { timeout: 60_000 + KILLS * 2000, interval: 1000 }).toBeLessThanOrEqual(0)
  const counts = ledger.compare(records)
  reportCounts(`${KILLS} kills while mails are sent on ${ENGINE}`, {
    events: events.length,
    fanOuts: events.filter(({ userIds }) => userIds.length > 1).length,
    ...counts,
    ...Object.fromEntries(
      (['doubled', 'lost', 'unexplained', 'open'] as const).map((name) => [name, counts[name].length]),
    ),
  })

  const marks = records.map(({ userId, eventId }) => `${userId} ${eventId}`)
  expect(compareMarks(expected, marks)).toEqual(NONE)
  expect(counts).toMatchObject({ doubled: [], lost: [], unexplained: [], open: [] })
  // Each record is sent, refused, or of an unknown outcome: with the last mood no mail was given up.
  expect(counts.sent + counts.refused + counts.outcomeUnknown).toBe(counts.records)
  expect(counts.sent + counts.outcomeUnknownAccepted).toBe(counts.accepted)
  const funnel = await read<FunnelAnswer>(`/v1/campaigns/${campaignId}/stats?channel=email`, key)
  expect(funnel.steps.map(({ count }) => count)).toEqual([counts.sent, 0, 0, 0])
  // Without mails in progress at the kills, and repeated ones, the run would prove nothing.
  expect(counts.sent).toBeGreaterThan(KILLS * 10)
  for (const count of [counts.interrupted, counts.repeated, counts.refused]) expect(count).toBeGreaterThan(0)

  expect(await edge.stop()).toBe(0)
  await expectNoneGivenUp(dataDir, engine.env)
  const rebuilt = await rebuildStats(dataDir, engine.env)
  expect(rebuilt.counters).toBeGreaterThan(0)
  expect(rebuilt.differed).toBe(0)
})

/** Publishes a campaign that mails each tracked event, and gives the users their addresses. @returns its id */
async function createCampaign(url: string, key: string): Promise<string> {
  const call = async (method: string, path: string, body: object) => {
    const answer = await client.ask(url, method, path, { key, body })
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body as { id: string }
  }
  const { id } = await call('POST', '/v1/campaigns', {
    key: 'crash',
    name: 'Crash',
    trigger: { event: 'crash.tracked' },
    steps: [
      { id: 'mail', type: 'email', subject: 'Event {{ event.properties.number }}', markdown: 'It **happened**.' },
    ],
  })
  await call('POST', `/v1/campaigns/${id}/publish`, {})
  for (const userId of USER_IDS) await call('PUT', `/v1/users/${userId}`, { email: `${userId}@example.org` })
  return id
}

/** Repeats requests without an answer until each has one: a server that has just started may answer 503. */
async function settle(load: CrashLoad, url: string): Promise<void> {
  await expect.poll(() => load.settle(url), { interval: 100 }).toBe(0)
}
