// Runs transactions in as few round trips as their reads allow: BEGIN, writes and COMMIT are sent without waiting for
// results.

import type { Sql } from '../sql/sql.ts'
import type { Connection, Rows, StatementKind } from './connection.ts'
import { createInsertGroup, type Insert } from './insert-group.ts'
import { createPostgresSql, type Send } from './sql.ts'

/** A statement that fails when a condition does not hold at the end of the transaction. */
export interface Fence {
  text: string
  params: (string | number)[]
}

const PREPARED: StatementKind = { prepare: true }
const SIMPLE: StatementKind = { prepare: false }

/**
 * Runs work in one transaction of a connection that nobody else uses meanwhile. After an error PostgreSQL ignores the
 * statements that follow and turns COMMIT into ROLLBACK.
 * @throws The first error; nothing is written then.
 */
export async function runTransaction<T>(
  connection: Connection,
  work: (sql: Sql) => Promise<T>,
  fence?: Fence,
): Promise<T> {
  const faults: unknown[] = []
  let isOver = false
  const inserts = createInsertGroup()
  const transmit: Send = <Row>(...[text, params, kind, isBlind]: Parameters<Send>) => {
    const answer = connection.query<Row>(text, params, kind)
    answer.catch((error: unknown) => faults.push(error))
    return isBlind ? Promise.resolve(nothing<Row>()) : answer
  }
  const sendGathered = () => {
    const gathered = inserts.take()
    if (gathered !== undefined) transmit(gathered.text, gathered.params, PREPARED, true)
  }
  const send: Send = <Row>(...args: Parameters<Send>) => {
    // A statement sent after the end would run outside of the transaction.
    if (isOver) return Promise.reject(new Error('The transaction has ended.'))
    sendGathered()
    return transmit<Row>(...args)
  }
  const defer = (insert: Insert) => {
    if (isOver) return false
    if (inserts.add(insert)) return true
    sendGathered()
    return inserts.add(insert)
  }
  const command = (text: string) => send<never>(text, [], SIMPLE, false)
  command('BEGIN').catch(() => {})
  try {
    const result = await work(createPostgresSql(send, defer))
    if (fence !== undefined) send(fence.text, fence.params, PREPARED, true)
    const ending = command('COMMIT')
    isOver = true
    const ended = await ending
    if (faults.length > 0) throw faults[0]
    if (ended.command !== 'COMMIT') throw new Error(`A transaction ended in ${ended.command}.`)
    return result
  } catch (error) {
    inserts.take()
    // The work may have failed for the reason that the fence checks (a user erased by another node): then the fence's
    // error is the cause.
    if (fence !== undefined && faults.length === 0) {
      await send(fence.text, fence.params, PREPARED, false).catch(() => {})
    }
    isOver = true
    await connection.query('ROLLBACK', [], SIMPLE).catch(() => {})
    throw faults[0] ?? error
  }
}

const nothing = <Row>(): Rows<Row> => Object.assign([] as Row[], { count: 0, command: '' })
