// Provides large tables and the statements of claims for the plan tests of both engines. The backlog has several
// environments, and many jobs of an unknown kind.

import { createUserIdCache } from '../sql/commit/user-id-cache.ts'
import { createJobs, jobWrites } from '../sql/job.ts'
import { createMails, mailWrites } from '../sql/mail.ts'
import { createRunWaits, runWaitWrites } from '../sql/run-wait.ts'
import type { Param, Sql } from '../sql/sql.ts'
import type { WriteContext } from '../sql/write.ts'

export const NOW = Date.UTC(2026, 5, 1)
export const ROWS = 50_000

/** Returns the statements that fill the tables. `rows`: an SQL source of numbers `i` from 0. */
export const fillClaims = (rows: string) => [
  `INSERT INTO job (id, environment_id, kind, payload, run_at, created_at, due_at, attempts, fence)
    SELECT i + 1, i % 3 + 1, CASE WHEN i % 100 = 0 THEN 'known' WHEN i % 100 = 1 THEN 'rare' ELSE 'newer' END, '{}', 0, 0, ${NOW} - 1, 0, 0 FROM ${rows}`,
  `INSERT INTO run_wait (run_id, environment_id, campaign_id, user_no, wait_no, step_id, timer_at, due_at, attempts, fence, parked, course)
    SELECT i + 1, i % 3 + 1, 1, 1, 1, 's', 0, ${NOW} - i % 1000, 0, 0, 0, '{"branches":[]}' FROM ${rows}`,
  `INSERT INTO mail (message_id, environment_id, ready_at, due_at, fence, attempts, integration_id, provider_message_id)
    SELECT i + 1, i % 3 + 1, 0, ${NOW} - i % 1000, 0, 0, i % 2, 'p' || i FROM ${rows}`,
]

/** Returns the context of a write. */
export const contextOf = (sql: Sql): WriteContext => ({
  sql,
  now: NOW,
  slot: 0,
  storeEpoch: 'e',
  users: createUserIdCache(),
  keySweep: { nextAt: Number.POSITIVE_INFINITY },
})

/** Claims jobs, waits and mails once, and returns every statement that this sent. */
export async function claimAll(sql: Sql): Promise<{ text: string; params: Param[] }[]> {
  const statements: { text: string; params: Param[] }[] = []
  const record = (text: string, params: Param[] = []) => void statements.push({ text, params })
  const recording: Sql = {
    ...sql,
    forUpdate: sql.forUpdate,
    skipLocked: sql.skipLocked,
    all: (text, params) => {
      record(text, params)
      return sql.all(text, params)
    },
    one: (text, params) => {
      record(text, params)
      return sql.one(text, params)
    },
  }
  const context = contextOf(recording)
  const { claimJobs, completeJob, goOnWithJob, failJob } = jobWrites
  const jobs = createJobs(recording, {
    claimJobs: (...args) => claimJobs(context, ...args),
    completeJob: (...args) => completeJob(context, ...args),
    goOnWithJob: (...args) => goOnWithJob(context, ...args),
    failJob: (...args) => failJob(context, ...args),
  })
  const { claimWaits, releaseWaits, parkWaits, makeWaitsDue } = runWaitWrites
  const waits = createRunWaits(recording, {
    claimWaits: (...args) => claimWaits(context, ...args),
    releaseWaits: (...args) => releaseWaits(context, ...args),
    parkWaits: (...args) => parkWaits(context, ...args),
    makeWaitsDue: (...args) => makeWaitsDue(context, ...args),
  })
  const mails = createMails(recording, {
    claimMails: (...args) => mailWrites.claimMails(context, ...args),
    renewMails: async () => {},
  })
  const kinds = ['known', 'rare']
  const found = [
    await jobs.claim(NOW, 1000, 4, kinds),
    await waits.claim(NOW, 1000, 500),
    await mails.claim(NOW, 1000, 500),
  ]
  const counts = found.map((rows) => rows.length)
  if (counts.join() !== '4,500,500') throw new Error('The claims found too few rows.')
  await jobs.nextDueInMs(NOW)
  await jobs.nextDueInMs(NOW, kinds)
  await waits.nextDueInMs(NOW)
  await mails.nextDueInMs(NOW)
  return statements
}
