// Tests a crash between two statements of a digest step: nothing of the step is stored, and a repeat completes it.

import { expect } from 'vitest'
import { reportCounts } from '../../test/support/report-counts.ts'
import { claimWaits } from '../sql/claims/claim-waits.ts'
import { createUserIdCache } from '../sql/commit/user-id-cache.ts'
import { commitBatch, type Outcome, type Plan } from '../sql/commit.ts'
import { digestWrites } from '../sql/digest.ts'
import type { Sql } from '../sql/sql.ts'
import type { WriteContext } from '../sql/write.ts'
import { type Given, HOUR, START, trackPlan } from './given.ts'
import { continuation } from './given-waits.ts'
import { digestPlan, runOf } from './windows.suite.ts'

type Work = (sql: Sql) => Promise<unknown>

/** A store whose transactions can be interrupted as by a crash of their process. */
export interface CrashableStore {
  /**
   * Runs the work once per statement, and crashes before that statement. `look` reads what is stored then.
   * @returns The number of statements.
   */
  crashAtEach(work: Work, look: (sql: Sql) => Promise<void>): Promise<number>
  /** Runs the work in a transaction. */
  run(work: Work): Promise<void>
  /** Reads outside of a transaction. */
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
  'inbox_item',
]
TABLES.push('delivery_event', 'inbox_change', 'funnel', 'id_floor', 'event_recipient')

/** Opens, fills, closes and delivers a window; each step is first crashed at each of its statements. */
export async function crashDigests(store: CrashableStore, engine: string): Promise<void> {
  const given = givenWithoutStore()
  const newPlan = () => digestPlan(given, ENVIRONMENT, { campaignId: CAMPAIGN, max: 3 })
  const [first, second, third, late] = [newPlan(), newPlan(), newPlan(), newPlan()]
  const steps: [string, (context: WriteContext) => Promise<unknown>][] = [
    ['opens', (context) => written(context, first)],
    ['joins', (context) => written(context, second)],
    ['fills', (context) => written(context, third)],
    ['is claimed', (context) => claimWaits(context, START, HOUR, 10, 0)],
    ['closes', (context) => digestWrites.closeDigests(context, [{ environmentId: ENVIRONMENT, runId: runOf(first) }])],
    ['is delivered', (context) => written(context, ending(given, runOf(first)))],
    ['is followed', (context) => written(context, late)],
  ]
  const points: Record<string, number> = {}
  for (const [name, step] of steps) {
    const work = (sql: Sql) => step(contextOf(sql))
    const before = await dump(store.read)
    points[name] = await store.crashAtEach(work, async (sql) => expect(await dump(sql), name).toEqual(before))
    expect(points[name], name).toBeGreaterThan(0)
    await store.run(work)
    expect(await dump(store.read), name).not.toEqual(before)
  }
  const rows = (text: string) => store.read.all<Record<string, unknown>>(text)
  const [window, next] = [runOf(first), runOf(late)]
  expect(await rows('SELECT run_id, place, joined_run_id FROM digest_event ORDER BY run_id, place')).toEqual([
    ...[first, second, third].map((plan, at) => ({ run_id: window, place: at + 1, joined_run_id: runOf(plan) })),
    { run_id: next, place: 1, joined_run_id: next },
  ])
  expect(await rows('SELECT run_id, events FROM digest_window')).toEqual([{ run_id: next, events: 1 }])
  expect(
    await rows(
      'SELECT run_id, state_reason FROM message JOIN run ON run.environment_id = message.environment_id AND run.id = run_id',
    ),
  ).toEqual([{ run_id: window, state_reason: null }])
  reportCounts(`crashes between statements of a digest (${engine})`, points)
}

async function written(context: WriteContext, plan: Plan): Promise<void> {
  const outcomes: Outcome[] = await commitBatch(context, [plan])
  expect(outcomes).toMatchObject([{ result: 'written' }])
}

/** Ends the run that waited, with its message, under its first claim. */
function ending(given: Given, runId: number) {
  const plan = trackPlan(given, { environmentId: ENVIRONMENT, userIds: ['u1'], campaignId: CAMPAIGN })
  const messages = plan.messages.map((message) => ({ ...message, runId }))
  return { ...continuation(given, ENVIRONMENT, { environmentId: ENVIRONMENT, runId, fence: 1 }, null), messages }
}

/** The context of a process that has just started: no user is cached. */
function contextOf(sql: Sql): WriteContext {
  return { sql, now: START, slot: 0, storeEpoch: 'e', users: createUserIdCache(), keySweep: { nextAt: Infinity } }
}

function givenWithoutStore(): Given {
  let last = 1000
  const id = () => ++last
  const never = () => {
    throw new Error('There is no open store here.')
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

/** Returns the port with a call of `before` before each statement. */
export function callBefore(sql: Sql, before: () => Promise<void>): Sql {
  return {
    forUpdate: sql.forUpdate,
    skipLocked: sql.skipLocked,
    usingIndex: sql.usingIndex,
    jsonItems: sql.jsonItems,
    all: async (text, params) => before().then(() => sql.all(text, params)),
    one: async (text, params) => before().then(() => sql.one(text, params)),
    run: async (text, params) => before().then(() => sql.run(text, params)),
    bulk: async (statement, rows) => (rows.length === 0 ? [] : before().then(() => sql.bulk(statement, rows))),
  }
}
