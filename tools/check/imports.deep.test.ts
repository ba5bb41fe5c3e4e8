// Tests that the rules of imports see each package of this checkout where it is used.

import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readImports } from './imports.ts'

// Starts dependency-cruiser, which takes seconds, and up to a minute on a busy machine.
test('no fence is blind: each package of this checkout is seen where it is used', async () => {
  const checkout = resolve(import.meta.dirname, '../..')
  const { modules } = await readImports(checkout, ['edge', 'widget'])
  const seen = new Set(modules.flatMap(({ dependencies }) => dependencies.map(({ module: name }) => name)))
  const used = [
    'hono',
    '@hono/zod-openapi',
    'socket.io',
    'better-sqlite3',
    'libsql',
    'lit',
    'idb-keyval',
    'socket.io-client',
    'lru-cache',
  ]
  expect([...seen]).toEqual(expect.arrayContaining([...used, 'liquidjs', '@marcbachmann/cel-js', 'pino', 'jose']))
})
