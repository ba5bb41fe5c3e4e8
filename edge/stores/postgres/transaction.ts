// Runs transactions in as few round trips as their reads allow. BEGIN, writes and COMMIT do not wait for results.

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
 * Runs work in one transaction of a connection that no other code uses meanwhile. After an error PostgreSQL ignores
 * the statements that follow and turns COMMIT into ROLLBACK.
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
  const transmit: Send = <Row>(...[text, params, kind, isUnread]: Parameters<Send>) => {
    const result = connection.query<Row>(text, params, kind)
    result.catch((error: unknown) => faults.push(error))
    return isUnread ? Promise.resolve(noRows<Row>()) : result
  }
  const sendGroup = () => {
    const group = inserts.take()
    if (group !== undefined) transmit(group.text, group.params, PREPARED, true)
  }
  const send: Send = <Row>(...args: Parameters<Send>) => {
    // A statement sent after the end would run outside of the transaction.
    if (isOver) return Promise.reject(new Error('The transaction has ended.'))
    sendGroup()
    return transmit<Row>(...args)
  }
  const defer = (insert: Insert) => {
    if (isOver) return false
    if (inserts.add(insert)) return true
    sendGroup()
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
    // The work may have failed because another node erased a user: then the error of the fence is the cause.
    if (fence !== undefined && faults.length === 0) {
      await send(fence.text, fence.params, PREPARED, false).catch(() => {})
    }
    isOver = true
    await connection.query('ROLLBACK', [], SIMPLE).catch(() => {})
    throw faults[0] ?? error
  }
}

const noRows = <Row>(): Rows<Row> => Object.assign([] as Row[], { count: 0, command: '' })
