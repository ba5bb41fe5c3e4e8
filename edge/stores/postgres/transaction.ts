// Transactions in as few round trips as their reads allow: BEGIN, writes and COMMIT are sent without waiting for their answers
// (issue part 3, PostgreSQL; house section 3).

import type { Sql } from '../sql/sql.ts'
import { createInsertGroup, type Insert } from './insert-group.ts'
import type { Link, Rows, StatementKind } from './link.ts'
import { createPostgresSql, type Send } from './sql.ts'

/** What must be so when the transaction ends: a statement that fails when it is not. */
export interface Fence {
  text: string
  params: (string | number)[]
}

const PREPARED: StatementKind = { prepare: true }
const SIMPLE: StatementKind = { prepare: false }

/**
 * Runs work in one transaction of a connection that nobody else uses meanwhile. All of it is written, or nothing and it
 * throws what went wrong first: after a fault PostgreSQL passes over all that follows, and turns COMMIT into ROLLBACK.
 */
export async function runTransaction<T>(link: Link, work: (sql: Sql) => Promise<T>, fence?: Fence): Promise<T> {
  const faults: unknown[] = []
  let isOver = false
  const inserts = createInsertGroup()
  const transmit: Send = <Row>(...[text, params, kind, isBlind]: Parameters<Send>) => {
    const answer = link.query<Row>(text, params, kind)
    answer.catch((error: unknown) => faults.push(error))
    return isBlind ? Promise.resolve(nothing<Row>()) : answer
  }
  const sendGathered = () => {
    const gathered = inserts.take()
    if (gathered !== undefined) transmit(gathered.text, gathered.params, PREPARED, true)
  }
  const send: Send = <Row>(...args: Parameters<Send>) => {
    // What the work began beside its own end would stand outside of the transaction.
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
    // Work that gave up may have met what the fence stands for (a user whom another node erased): then that is why.
    if (fence !== undefined && faults.length === 0) {
      await send(fence.text, fence.params, PREPARED, false).catch(() => {})
    }
    isOver = true
    await link.query('ROLLBACK', [], SIMPLE).catch(() => {})
    throw faults[0] ?? error
  }
}

const nothing = <Row>(): Rows<Row> => Object.assign([] as Row[], { count: 0, command: '' })
