// Work on a PostgreSQL store from the command line, also while nodes have it open: two connections, no number of its own (contract section 11).

import { setTimeout as delay } from 'node:timers/promises'
import type { Stores } from '../domain/stores.ts'
import type { Clock } from '../lib/clock.ts'
import { createBeside } from './beside.ts'
import { isConflict, isStoreFault } from './postgres/faults.ts'
import { DATABASE_NOW } from './postgres/lease.ts'
import { openLink } from './postgres/link.ts'
import { plainSql } from './postgres/prepare.ts'
import { runTransaction } from './postgres/transaction.ts'
import type { Engine } from './sql/sql.ts'

/** Nodes lease 0 to 30. */
const COMMAND_LINE = 31
const OPEN_MS = 5000
const ATTEMPTS = 10
const MOST_WAIT_MS = 50

/**
 * All ports, for a process beside the nodes: what it changes they hear within a second. Throws a text for the operator when
 * there is no store, or one of another version; and what PostgreSQL or the network says when it cannot be had.
 */
export async function openPostgresBeside({ url, clock }: { url: string; clock: Clock }): Promise<Stores> {
  const reads = await openLink({ url, deadlineMs: OPEN_MS })
  const writes = await openLink({ url, deadlineMs: OPEN_MS }).catch((error) => {
    reads.destroy('not needed')
    throw error
  })
  const close = () => {
    for (const link of [reads, writes]) link.destroy('closed')
  }
  try {
    const sql = plainSql(reads)
    if (
      (await sql.one(
        `SELECT 1 AS one FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migration'`,
      )) === undefined
    ) {
      throw new Error('There is no store in the database of DATABASE_URL. Start the server once.')
    }
    const readNow: NonNullable<Parameters<typeof createBeside>[0]['readNow']> = async (inside) =>
      (await inside.one<{ now: number }>(`SELECT ${DATABASE_NOW} AS now`))?.now ?? 0
    const engine: Engine = { transaction: (work) => retried(() => runTransaction(writes, work)) }
    const ports = await createBeside({ sql, engine, slot: COMMAND_LINE, clock, isStoreFault, readNow })
    return {
      ...ports,
      engine: 'PostgreSQL',
      async ping() {
        await sql.one('SELECT name FROM meta LIMIT 1')
      },
      async close() {
        close()
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

/** A node that was in the way is gone at the next try; apart at random, so that two do not meet again. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error
      await delay(Math.random() * MOST_WAIT_MS)
    }
  }
}
