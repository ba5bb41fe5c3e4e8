// Tests digests on PostgreSQL against a crash. For the server, a crash is a connection that is cut between two
// statements.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshStore } from '../../test/support/servers.ts'
import { type CrashableStore, callBefore, crashDigests } from '../test/digest-crash.ts'
import { START } from '../test/given.ts'
import { type Connection, openConnection } from './connection.ts'
import { ConnectionLost } from './faults.ts'
import { plainSql, prepareStore } from './prepare.ts'
import { runTransaction } from './transaction.ts'

let url: string
let reader: Connection
const open = () => openConnection({ url, deadlineMs: 10_000 })
beforeAll(async () => {
  url = await freshStore()
  await prepareStore({ url, clock: { now: () => START } })
  reader = await open()
})
afterAll(() => reader?.destroy('done'))

test('a digest whose process crashes between two statements loses and repeats nothing (PostgreSQL)', async () => {
  const read = plainSql(reader)

  /** @returns Whether the work was cut at that point; false when it has fewer statements and was rolled back. */
  async function crashAt(point: number, work: Parameters<CrashableStore['run']>[0]): Promise<boolean> {
    const connection = await open()
    let passed = 0
    let isCut = false
    const crash = async () => {
      if (++passed < point) return
      // Waits until the statements before it are done.
      await connection.query('SELECT 1')
      isCut = true
      connection.destroy('killed')
      throw new ConnectionLost('killed')
    }
    const rolledBack = runTransaction(connection, async (inside) => {
      await work(callBefore(inside, crash))
      await crash()
      throw new Error('There is no such point.')
    })
    await expect(rolledBack).rejects.toThrow()
    connection.destroy('done')
    return isCut
  }

  const store: CrashableStore = {
    read,
    async run(work) {
      const connection = await open()
      await runTransaction(connection, work)
      connection.destroy('done')
    },
    async crashAtEach(work, look) {
      for (let point = 1; ; point++) {
        if (!(await crashAt(point, work))) return point - 1
        await look(read)
      }
    },
  }
  await crashDigests(store, 'PostgreSQL')
})
