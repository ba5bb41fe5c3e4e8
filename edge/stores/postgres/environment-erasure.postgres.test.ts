// Tests on PostgreSQL that a deleted environment leaves no row in any table.

import { afterAll, beforeAll, test } from 'vitest'
import { freshStore, runSql } from '../../test/support/servers.ts'
import { openPostgresStores, type PostgresStores } from '../postgres.ts'
import { expectNothingLeft } from '../test/environment-erasure.ts'
import { type Given, START } from '../test/given.ts'

let url: string
let stores: PostgresStores
const clock = { now: () => START }
beforeAll(async () => {
  url = await freshStore()
  stores = await openPostgresStores({ url, clock, silenceMs: 20_000 })
})
afterAll(() => stores.close())

test('a deleted environment leaves no row in any table, and others keep all of theirs', async () => {
  let lastId = 1000
  const given: Given = {
    get stores() {
      return stores
    },
    now: clock.now,
    advance() {},
    reopen: async () => stores,
    environmentId: () => ++lastId,
    id: () => ++lastId,
  }
  await expectNothingLeft(given, {
    run: (...texts) => runSql(url, ...texts),
    async count(froms) {
      const all = froms.map((from) => `(SELECT COUNT(*) FROM ${from})`).join(', ')
      return (await runSql(url, `SELECT concat_ws(' ', ${all})`)).split(' ').map(Number)
    },
  })
})
