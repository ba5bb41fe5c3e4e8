// Tests what is said of a SQLite driver that does not load, with the errors that Node.js 20 to 24 give.

import { expect, test } from 'vitest'
import { checkDriver, remedyFor } from './check-driver.ts'

test.each([
  [
    "The module '/x/better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 115. This version of Node.js requires\nNODE_MODULE_VERSION 127.",
    'another version of Node.js',
  ],
  ["Module did not self-register: '/x/better_sqlite3.node'.", 'another version of Node.js'],
  ["Cannot find package 'better-sqlite3' imported from /x/edge/dist/main.js", 'Run npm ci'],
  ['Could not locate the bindings file. Tried:\n → /x/better_sqlite3.node', 'binary is missing'],
])('%j names its remedy', (message, remedy) => expect(remedyFor(new Error(message))).toContain(remedy))

test('an archive has no npm to install it', () => {
  expect(remedyFor(new Error('Could not locate the bindings file.'), true)).not.toContain('npm')
})

test('the installed driver works, and PostgreSQL needs none', async () => {
  expect(await checkDriver(null)).toMatchObject([{ check: 'SQLite driver', verdict: 'ok' }])
  expect(await checkDriver('postgres://x')).toEqual([])
})
