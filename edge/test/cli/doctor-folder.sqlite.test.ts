// Tests the doctor on valid and invalid set-ups of SQLite, which keeps data and key in a folder.

import { chmod, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCommandContext } from '../../cli/command-context.ts'
import { MIGRATIONS } from '../../stores/migrate.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge()
})
afterAll(() => given.stop())

test('the doctor reports no error for a valid set-up, and names each error of an invalid one', async () => {
  const verdicts = async (env = {}) => {
    const { out } = await givenNc({ DATA_DIR: given.dataDir, ...env }).nc('doctor --json')
    const { findings } = JSON.parse(out) as { findings: { check: string; verdict: string; words: string }[] }
    return Object.fromEntries(findings.map(({ check, verdict }) => [check, verdict]))
  }
  expect(await verdicts()).toMatchObject({ Settings: 'ok', Server: 'ok', Store: 'ok', 'Sealed secrets': 'ok' })
  expect(await verdicts({ PORT: 'many' })).toMatchObject({ Settings: 'wrong' })
  expect(await verdicts({ DATA_DIR: join(given.dataDir, 'none') })).toMatchObject({ 'Data folder': 'wrong' })
  const other = Buffer.alloc(32, 9).toString('base64')
  expect(await verdicts({ MASTER_KEY: other })).toMatchObject({ 'Sealed secrets': 'wrong' })
  const key = join(given.dataDir, 'master.key')
  await chmod(key, 0o644)
  expect(await verdicts()).toMatchObject({ 'Master key': 'wrong' })
  await rename(key, `${key}.away`)
  expect(await verdicts()).toMatchObject({ 'Master key': 'wrong' })
  await rename(`${key}.away`, key)
})

test('within a rolling upgrade the doctor of the older program is calm', async () => {
  const context = createCommandContext(given.settings)
  /** Applies an empty migration of a newer program. */
  const upgrade = async (number: number, oldestBinary: number) => {
    const store = await context.openMaintenanceStore({ exclusive: false })
    await store.migrate(context.clock.now(), [...MIGRATIONS, { number, oldestBinary, statements: [] }])
    await store.close()
  }
  const storeOf = async () => {
    const { out } = await givenNc(given.settings).nc('doctor --json')
    const { findings } = JSON.parse(out) as { findings: { check: string; verdict: string; words: string }[] }
    return findings.filter(({ check }) => check === 'Store').map(({ verdict, words }) => `${verdict}: ${words}`)
  }
  await upgrade(9998, 1)
  expect(await storeOf()).toEqual([expect.stringMatching(/^note: .*newer program, which this one can work beside/)])
  await upgrade(9999, 9999)
  expect(await storeOf()).toEqual([expect.stringMatching(/^wrong: The tables are of a newer program.*9999 at least/)])
})
