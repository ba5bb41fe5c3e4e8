// Tests a crash between two statements of a digest step: nothing of the step is stored, and repeated it is complete.

import { expect } from 'vitest'
import { reportCounts } from '../../test/support/report-counts.ts'
import { claimWaits } from '../sql/claims/claim-waits.ts'
import { createUserIdCache } from '../sql/commit/user-id-cache.ts'
import { commitBatch, type Outcome, type Plan } from '../sql/commit.ts'
import { digestWrites } from '../sql/run/digest.ts'
import type { Sql } from '../sql/sql.ts'
import type { WriteContext } from '../sql/write.ts'
import { type Given, HOUR, START, trackPlan } from './given.ts'
import { continuation } from './waits.suite.ts'
import { digesting, runOf } from './windows.suite.ts'

type Work = (sql: Sql) => Promise<unknown>

/** An engine whose transactions can be interrupted as by the end of their process. */
export interface Mortal {
  /** Runs the work once per statement, and crashes before that statement. `look` reads what is stored then. */
  killEverywhere(work: Work, look: (sql: Sql) => Promise<void>): Promise<number>
  /** A whole transaction. */
  run(work: Work): Promise<void>
  /** Outside of any. */
  read: Sql
}

const ENVIRONMENT = 7
const CAMPAIGN = 8
const TABLES = [
  'app_user',
  'inbox_head',
  'tracked_event',
  'run',
  'run_wait',
  'digest_window',
  'digest_event',
  'message',
]
TABLES.push('delivery_event', 'inbox_change', 'funnel', 'id_floor', 'event_recipient')

/** Runs the life of a window; each step is first crashed at each of its statements. */
export async function crashDigests(mortal: Mortal, engine: string): Promise<void> {
  const given = ownGiven()
  const come = () => digesting(given, ENVIRONMENT, { campaignId: CAMPAIGN, max: 3 })
  const [first, second, third, late] = [come(), come(), come(), come()]
  const story: [string, (context: WriteContext) => Promise<unknown>][] = [
    ['opens', (context) => written(context, first)],
    ['joins', (context) => written(context, second)],
    ['fills', (context) => written(context, third)],
    ['is claimed', (context) => claimWaits(context, START, HOUR, 10, 0)],
    ['closes', (context) => digestWrites.closeDigests(context, [runOf(first)])],
    ['is told of', (context) => written(context, ending(given, runOf(first)))],
    ['is followed', (context) => written(context, late)],
  ]
  const points: Record<string, number> = {}
  for (const [name, step] of story) {
    const work = (sql: Sql) => step(contextOf(sql))
    const before = await dump(mortal.read)
    points[name] = await mortal.killEverywhere(work, async (sql) => expect(await dump(sql), name).toEqual(before))
    expect(points[name], name).toBeGreaterThan(0)
    await mortal.run(work)
    expect(await dump(mortal.read), name).not.toEqual(before)
  }
  const rows = (text: string) => mortal.read.all<Record<string, unknown>>(text)
  const [window, told] = [runOf(first), runOf(late)]
  expect(await rows('SELECT run_id, place, joined_run_id FROM digest_event ORDER BY run_id, place')).toEqual([
    ...[first, second, third].map((plan, at) => ({ run_id: window, place: at + 1, joined_run_id: runOf(plan) })),
    { run_id: told, place: 1, joined_run_id: told },
  ])
  expect(await rows('SELECT run_id, events FROM digest_window')).toEqual([{ run_id: told, events: 1 }])
  expect(await rows('SELECT run_id, state_reason FROM message JOIN run ON run.id = run_id')).toEqual([
    { run_id: window, state_reason: null },
  ])
  reportCounts(`a digest killed between statements (${engine})`, points)
}

async function written(context: WriteContext, plan: Plan): Promise<void> {
  const outcomes: Outcome[] = await commitBatch(context, [plan])
  expect(outcomes).toMatchObject([{ result: 'written' }])
}

/** The run that waited goes on to its message and its end. Claimed once. */
function ending(given: Given, runId: number) {
  const plan = trackPlan(given, { environmentId: ENVIRONMENT, userIds: ['u1'], campaignId: CAMPAIGN })
  const messages = plan.messages.map((message) => ({ ...message, runId }))
  return { ...continuation(given, ENVIRONMENT, { runId, fence: 1 }, null), messages }
}

/** As of a process that has just begun: it knows nobody. */
function contextOf(sql: Sql): WriteContext {
  return { sql, now: START, slot: 0, storeEpoch: 'e', users: createUserIdCache(), keySweep: { nextAt: Infinity } }
}

function ownGiven(): Given {
  let last = 1000
  const id = () => ++last
  const never = () => {
    throw new Error('There is no store around this.')
  }
  return {
    get stores() {
      return never()
    },
    now: () => START,
    advance: never,
    reopen: never,
    environmentId: () => ENVIRONMENT,
    id,
  }
}

async function dump(sql: Sql): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const table of TABLES) {
    const rows = await sql.all<object>(`SELECT * FROM ${table}`)
    all[table] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return all
}

/** The same port, telling before each statement. */
export function telling(sql: Sql, before: () => Promise<void>): Sql {
  return {
    forUpdate: sql.forUpdate,
    skipLocked: sql.skipLocked,
    usingIndex: sql.usingIndex,
    all: async (text, params) => before().then(() => sql.all(text, params)),
    one: async (text, params) => before().then(() => sql.one(text, params)),
    run: async (text, params) => before().then(() => sql.run(text, params)),
    bulk: async (statement, rows) => (rows.length === 0 ? [] : before().then(() => sql.bulk(statement, rows))),
  }
}
