// The import rule sees what TypeScript writes, and catches what the house forbids.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { checkCircles, checkImports, type Import, readImports, typeOnlyImports } from './imports.ts'
import { readSource } from './source.ts'

// Each look starts a program that reads for seconds, on a busy machine for a minute.
vi.setConfig({ testTimeout: 300_000 })

const root = mkdtempSync(join(tmpdir(), 'nc-imports-'))
afterAll(() => rmSync(root, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const local = (from: string, to: string): Import => ({ from, name: `./${to}`, to, isMissing: false })
const pack = (from: string, name: string): Import => ({ from, name, to: undefined, isMissing: false })
const messages = (...imports: Import[]) => checkImports(imports).map(({ message }) => message)

test('types, re-exports and lazy imports in TypeScript are all seen, and forbidden upwards', async () => {
  // As packages lie: their code below `dist`, which of our own folders is left out.
  write('node_modules/socket.io/package.json', '{"name":"socket.io","main":"./dist/index.js"}')
  write('node_modules/socket.io/dist/index.js', 'exports.hidden = 1')
  write('edge/http/a.ts', 'export type A = string\nexport const a = 1')
  write('edge/http/b.ts', 'export const b = 1')
  write('edge/http/c.ts', 'export const c = 1')
  write(
    'edge/lib/low.ts',
    `import type { A } from '../http/a.ts'
     export { b } from '../http/b.ts'
     import { hidden } from 'socket.io'
     export const load = async (x: A): Promise<unknown> => ({ x, c: await import('../http/c.ts'), hidden })`,
  )
  const { imports } = await readImports(root, ['edge'])
  expect(checkImports(imports).map(({ path, message }) => `${path}: ${message.slice(0, 40)}`)).toEqual([
    'edge/lib/low.ts: edge lib may not look at edge/http/a.ts',
    'edge/lib/low.ts: edge lib may not look at edge/http/b.ts',
    'edge/lib/low.ts: edge lib may not look at edge/http/c.ts',
    'edge/lib/low.ts: the package socket.io is fenced: only ^e',
  ])
})

test('a circle is found once', async () => {
  write('contract/x.ts', `import { y } from './y.ts'\nexport const x = y`)
  write('contract/y.ts', `import { x } from './x.ts'\nexport const y = x`)
  const { circles } = await readImports(root, ['contract'])
  expect(checkCircles(circles)).toHaveLength(1)
})

test('a circle that the types alone close is none', async () => {
  write('widget/lib/x.ts', `import type { Y } from './y.ts'\nexport const x: Y = 1`)
  write('widget/lib/y.ts', `import { x } from './x.ts'\nexport type Y = number\nexport const y = x`)
  const { imports, circles } = await readImports(root, ['widget'])
  const sources = ['widget/lib/x.ts', 'widget/lib/y.ts'].map((path) => readSource(root, path))
  expect(circles.length).toBeGreaterThan(0)
  expect(checkCircles(circles, typeOnlyImports(sources, imports))).toEqual([])
})

describe('directions', () => {
  test.each([
    ['edge/domain/plan.ts', 'edge/flow/x.ts'],
    ['edge/flow/x.ts', 'edge/stores/sqlite.ts'],
    ['edge/stores/sqlite.ts', 'edge/bus/memory.ts'],
    ['edge/auth/x.ts', 'edge/http/callers.ts'],
    ['edge/http/track.ts', 'edge/realtime/gateway.ts'],
    ['edge/jobs/worker.ts', 'edge/app.ts'],
    ['contract/api.ts', 'edge/lib/clock.ts'],
    ['widget/transport/api.ts', 'widget/inbox/inbox-store.ts'],
    ['widget/elements/x.ts', 'edge/lib/clock.ts'],
    ['edge/app.ts', 'edge/main.ts'],
    ['demo/server.ts', 'edge/index.ts'],
    ['demo/server.ts', 'sdk/node/client.ts'],
    ['sdk/node/client.ts', 'contract/errors.ts'],
    ['sdk/node/client.ts', 'edge/lib/hmac.ts'],
    ['bench/track.ts', 'edge/app.ts'],
    ['edge/http/track.ts', 'edge/http/track.test.ts'],
    ['demo/x.test.ts', 'edge/app.ts'],
  ])('%s may not import %s', (from, to) => {
    expect(messages(local(from, to))).toHaveLength(1)
  })

  test.each([
    ['edge/flow/x.ts', 'edge/domain/plan.ts'],
    ['edge/http/track.ts', 'edge/flow/accept-events.ts'],
    ['edge/app.ts', 'edge/realtime/gateway.ts'],
    ['widget/inbox/a.ts', 'contract/api.ts'],
    ['edge/flow/x.test.ts', 'edge/stores/sqlite.ts'],
    ['demo/server.ts', 'sdk/node/index.ts'],
    ['sdk/node/x.test.ts', 'edge/test/support/given.ts'],
  ])('%s may import %s', (from, to) => {
    expect(messages(local(from, to))).toEqual([])
  })
})

describe('fences', () => {
  test.each([
    ['edge/flow/x.ts', 'hono'],
    ['edge/http/x.ts', 'socket.io'],
    ['edge/stores/sql/x.ts', 'libsql'],
    ['edge/flow/x.ts', 'liquidjs'],
    ['widget/transport/x.ts', 'lit'],
    ['edge/http/x.ts', 'pino'],
    ['sdk/node/client.ts', 'zod'],
    ['sdk/node/client.ts', '@types/express'],
    ['sdk/node/client.ts', '@cfworker/json-schema'],
  ])('%s may not import %s', (from, name) => {
    expect(messages(pack(from, name))).toHaveLength(1)
  })

  test('behind its fence a package is free', () => {
    expect(messages(pack('edge/http/x.ts', 'hono'), pack('edge/stores/sqlite-driver.ts', 'libsql'))).toEqual([])
    expect(messages(pack('sdk/node/schemas/json-schema.ts', '@cfworker/json-schema'))).toEqual([])
    expect(messages(pack('sdk/node/tokens.ts', 'crypto'), pack('demo/server.ts', 'zod'))).toEqual([])
  })
})

test('a file that is not there is named', () => {
  const missing = { from: 'edge/lib/a.ts', name: './b.ts', to: undefined, isMissing: true }
  expect(messages(missing)).toEqual(['"./b.ts" is not there'])
})

test('no fence is blind: each package of this checkout is seen where it is used', async () => {
  const checkout = resolve(import.meta.dirname, '../..')
  const { imports } = await readImports(checkout, ['edge', 'widget'])
  const seen = new Set(imports.filter(({ to }) => to === undefined).map(({ name }) => name))
  const used = ['hono', '@hono/zod-openapi', 'socket.io', 'better-sqlite3', 'libsql', 'lit/html.js', 'socket.io-client']
  expect([...seen]).toEqual(expect.arrayContaining([...used, 'liquidjs', '@marcbachmann/cel-js', 'pino', 'jose']))
})
