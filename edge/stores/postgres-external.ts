// Opens a PostgreSQL store for the command line, also while nodes use it: two connections and no leased node number.

import { setTimeout as delay } from 'node:timers/promises'
import type { Stores } from '../domain/stores.ts'
import type { Clock } from '../lib/clock.ts'
import { createExternalAccess } from './external-access.ts'
import { openConnection } from './postgres/connection.ts'
import { isConflict, isStoreFault } from './postgres/faults.ts'
import { DATABASE_NOW } from './postgres/lease.ts'
import { plainSql } from './postgres/prepare.ts'
import { runTransaction } from './postgres/transaction.ts'
import type { Engine } from './sql/sql.ts'

/** The id slot of command lines; nodes lease 0 to 30. */
const COMMAND_LINE_SLOT = 31
const OPEN_MS = 5000
const ATTEMPTS = 10
const MAX_RETRY_DELAY_MS = 50

/**
 * Opens all ports. Nodes read its notices within a second.
 * @throws Error with a text for the operator when there is no store or one of another version; the errors of
 * PostgreSQL and the network.
 */
export async function openPostgresExternal({ url, clock }: { url: string; clock: Clock }): Promise<Stores> {
  const reads = await openConnection({ url, deadlineMs: OPEN_MS })
  const writes = await openConnection({ url, deadlineMs: OPEN_MS }).catch((error) => {
    reads.destroy('not needed')
    throw error
  })
  const close = () => {
    for (const connection of [reads, writes]) connection.destroy('closed')
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
    const readNow: NonNullable<Parameters<typeof createExternalAccess>[0]['readNow']> = async (inside) =>
      (await inside.one<{ now: number }>(`SELECT ${DATABASE_NOW} AS now`))?.now ?? 0
    const engine: Engine = { transaction: (work) => retryConflicts(() => runTransaction(writes, work)) }
    const ports = await createExternalAccess({ sql, engine, slot: COMMAND_LINE_SLOT, clock, isStoreFault, readNow })
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

/** Retries after a conflict with a node. Random delays separate two retries. */
async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error
      await delay(Math.random() * MAX_RETRY_DELAY_MS)
    }
  }
}
