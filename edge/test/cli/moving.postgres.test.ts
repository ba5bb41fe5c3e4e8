// Tests moving a deployment: exported, imported elsewhere, served again, compared by the ledger. Each pair of engines,
// in the run that starts PostgreSQL.

import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { InboxChanges, InboxPage } from '../../../contract/api.ts'
import type { GivenLedger } from '../support/given-ledger.ts'
import type { LedgerCounts } from '../support/read-ledger.ts'
import { reportCounts } from '../support/report-counts.ts'
import {
  acknowledgedMore,
  cliOf,
  type Engine,
  type GivenMoving,
  givenMoving,
  loadFor,
  PAIRS,
  type Summary,
} from './given-moving.ts'

/** Fills more than one batch of an import (4,000 rows). */
const EVENTS = 1000

let moving: GivenMoving
beforeAll(async () => {
  moving = await givenMoving()
})
afterEach(() => moving.stopServers())
afterAll(() => moving?.close())

interface SourceExport {
  file: string
  sent: Summary
  ledger: GivenLedger
  before: LedgerCounts
  /** Inbox of each user, as the widget reads it. */
  heads: Map<string, InboxPage['inbox']>
  /** Resets the ledger to its state at the export. */
  restoreLedger(): void
}

const exports = new Map<Engine, Promise<SourceExport>>()

/** Runs, stops and exports a deployment once per engine, because the file may be imported anywhere. */
function exportSource(from: Engine): Promise<SourceExport> {
  const known = exports.get(from) ?? exportSourceOnce(from)
  exports.set(from, known)
  return known
}

async function exportSourceOnce(from: Engine): Promise<SourceExport> {
  const { deployment, edge, ledger } = await moving.source(from, { seed: 7, users: 60 })
  await loadFor(ledger, edge.url, acknowledgedMore(ledger, EVENTS / 2))
  // Messages that can be clicked exist now.
  await loadFor(ledger, edge.url, acknowledgedMore(ledger, EVENTS))
  const before = await ledger.expectLedger(edge.url)
  const heads = new Map<string, InboxPage['inbox']>()
  for (const [userId, { sessionToken: key }] of ledger.sessions) {
    const { body } = await ledger.client.ask(edge.url, 'GET', '/v1/inbox/messages?limit=1', { key })
    heads.set(userId, (body as InboxPage).inbox)
  }
  await edge.stop()
  const file = join(moving.folder, `${from}.ndjson.gz`)
  const sent = await cliOf(deployment).json<Summary>(`export --to ${file}`)
  expect(sent).toMatchObject({ live: false, rows: expect.any(Number) })
  return { file, sent, ledger, before, heads, restoreLedger: ledger.load.saveLedger() }
}

describe.each(PAIRS)('from %s to %s', (from, to) => {
  test('everything is imported, and widgets continue from their positions', async () => {
    const { file, sent, ledger, before, heads, restoreLedger } = await exportSource(from)
    restoreLedger()
    const target = await moving.createDeployment(to)
    expect(await cliOf(target).json<Summary>(`import --from ${file}`)).toMatchObject({ epoch: 'kept', rows: sent.rows })
    const secondExport = await cliOf(target).json<Summary>(`export --to ${file}.${to}.gz`)
    expect(secondExport.tables).toEqual(sent.tables)

    const second = await moving.start(target)
    expect(await ledger.expectLedger(second.url)).toEqual(before)
    await loadFor(ledger, second.url, acknowledgedMore(ledger, before.events + 500))
    const after = await ledger.expectLedger(second.url)
    reportCounts(`moved from ${from} to ${to}`, { rows: sent.rows, before, after })
    for (const [userId, head] of heads) {
      const key = ledger.sessions.get(userId)?.sessionToken ?? ''
      const path = `/v1/inbox/changes?since=${head.seq}&epoch=${head.epoch}`
      const { body } = await ledger.client.ask(second.url, 'GET', path, { key })
      const changes = body as InboxChanges
      // More changes than the log keeps cause a reset; no user got so many.
      expect(changes).toMatchObject({ reset: false, epoch: head.epoch })
      expect(changes.changes.length).toBeGreaterThan(0)
    }
    await second.stop()
    expect(await cliOf(target).json('stats rebuild')).toMatchObject({ differed: 0 })
  })
})
