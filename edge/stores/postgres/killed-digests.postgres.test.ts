// PostgreSQL: a connection that is cut between two statements of a digest's transaction is all that the server sees of the end of a process.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshStore } from '../../test/support/servers.ts'
import { START } from '../suite/given.ts'
import { killDigests, type Mortal, telling } from '../suite/killed-digests.ts'
import { LinkLost } from './faults.ts'
import { type Link, openLink } from './link.ts'
import { plainSql, prepareStore } from './prepare.ts'
import { runTransaction } from './transaction.ts'

let url: string
let reader: Link
const open = () => openLink({ url, deadlineMs: 10_000 })
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
    const link = await open()
    let passed = 0
    let isKilled = false
    const die = async () => {
      if (++passed < point) return
      // All before it has been done.
      await link.query('SELECT 1')
      isKilled = true
      link.destroy('killed')
      throw new LinkLost('killed')
    }
    const undone = runTransaction(link, async (inside) => {
      await work(telling(inside, die))
      await die()
      throw new Error('There is no such point.')
    })
    await expect(undone).rejects.toThrow()
    link.destroy('done')
    return isKilled
  }

  const mortal: Mortal = {
    read,
    async run(work) {
      const link = await open()
      await runTransaction(link, work)
      link.destroy('done')
    },
    async killEverywhere(work, look) {
      for (let point = 1; ; point++) {
        if (!(await killAt(point, work))) return point - 1
        await look(read)
      }
    },
  }
  await killDigests(mortal, 'PostgreSQL')
}, 60_000)
