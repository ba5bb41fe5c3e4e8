// Tests digests on PostgreSQL against a crash: a connection cut between two statements is all that the server sees of
// it.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshStore } from '../../test/support/servers.ts'
import { crashDigests, type Mortal, telling } from '../suite/digest-crash.ts'
import { START } from '../suite/given.ts'
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
}, 30_000)
afterAll(() => reader?.destroy('done'))

test('a digest whose process ends between two statements loses and doubles nothing (PostgreSQL)', async () => {
  const read = plainSql(reader)

  /** Whether it came to an end of its process; else there is no such point, and all of it was undone. */
  async function killAt(point: number, work: Parameters<Mortal['run']>[0]): Promise<boolean> {
    const connection = await open()
    let passed = 0
    let isKilled = false
    const die = async () => {
      if (++passed < point) return
      // All before it has been done.
      await connection.query('SELECT 1')
      isKilled = true
      connection.destroy('killed')
      throw new ConnectionLost('killed')
    }
    const undone = runTransaction(connection, async (inside) => {
      await work(telling(inside, die))
      await die()
      throw new Error('There is no such point.')
    })
    await expect(undone).rejects.toThrow()
    connection.destroy('done')
    return isKilled
  }

  const mortal: Mortal = {
    read,
    async run(work) {
      const connection = await open()
      await runTransaction(connection, work)
      connection.destroy('done')
    },
    async killEverywhere(work, look) {
      for (let point = 1; ; point++) {
        if (!(await killAt(point, work))) return point - 1
        await look(read)
      }
    },
  }
  await crashDigests(mortal, 'PostgreSQL')
}, 60_000)
