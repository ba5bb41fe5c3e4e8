// Tests that the rules of imports read TypeScript's syntax, and find each forbidden import and no allowed one.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkImports, readImports } from './imports.ts'

// Each case starts dependency-cruiser, which takes seconds, and up to a minute on a busy machine.
vi.setConfig({ testTimeout: 300_000 })

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nc-imports-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** Returns the findings as `from: message`. */
async function find(folders: string[]): Promise<string[]> {
  const found = checkImports(await readImports(root, folders))
  return found.map(({ path, message }) => `${path}: ${message}`)
}

test('types, re-exports and lazy imports in TypeScript are all seen, and forbidden upwards', async () => {
  // Packages keep code below `dist`, while our own `dist` folders are excluded.
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
     import './missing.ts'
     export const load = async (x: A): Promise<unknown> => ({ x, c: await import('../http/c.ts'), hidden })`,
  )
  expect((await find(['edge'])).sort()).toEqual([
    'edge/lib/low.ts: may not import ./missing.ts',
    'edge/lib/low.ts: may not import edge/http/a.ts',
    'edge/lib/low.ts: may not import edge/http/b.ts',
    'edge/lib/low.ts: may not import edge/http/c.ts',
    expect.stringMatching(/^edge\/lib\/low.ts: may not import node_modules\/socket.io\/dist\/index.js: only \^edge/),
  ])
})

test('a circle is found once', async () => {
  write('contract/x.ts', `import { y } from './y.ts'\nexport const x = y`)
  write('contract/y.ts', `import { x } from './x.ts'\nexport const y = x`)
  expect(await find(['contract'])).toEqual([expect.stringContaining('imports itself')])
})

test('a circle that the types alone close is found', async () => {
  write('widget/lib/x.ts', `import type { Y } from './y.ts'\nexport const x: Y = 1`)
  write('widget/lib/y.ts', `import { x } from './x.ts'\nexport type Y = number\nexport const y = x`)
  expect(await find(['widget'])).toEqual([expect.stringContaining('imports itself')])
})

const FORBIDDEN = [
  ['edge/domain/plan.ts', 'edge/flow/x.ts'],
  ['edge/domain/plan.ts', 'edge/campaign/compile.ts'],
  ['edge/campaign/compile.ts', 'edge/flow/x.ts'],
  ['edge/stores/sqlite/stores.ts', 'edge/campaign/compile.ts'],
  ['edge/flow/x.ts', 'edge/stores/sqlite/stores.ts'],
  ['edge/flow/x.ts', 'edge/flow/mail/render-layout.ts'],
  ['edge/flow/x.ts', 'edge/domain/delivery/pushed-frame.ts'],
  ['edge/app/x.ts', 'edge/domain/delivery/pushed-frame.ts'],
  ['edge/realtime/gateway.ts', 'edge/domain/delivery/pushed-frame.ts'],
  ['edge/stores/sqlite/stores.ts', 'edge/bus/memory.ts'],
  ['edge/auth/x.ts', 'edge/http/kernel/callers.ts'],
  ['edge/http/routes/track.ts', 'edge/realtime/gateway.ts'],
  ['edge/jobs/worker.ts', 'edge/app.ts'],
  ['contract/api.ts', 'edge/lib/clock.ts'],
  ['widget/transport/api.ts', 'widget/inbox/inbox-store.ts'],
  ['contract/api.ts', 'contract/schemas.ts'],
  ['widget/inbox/a.ts', 'contract/schemas.ts'],
  ['widget/elements/x.ts', 'edge/lib/clock.ts'],
  ['edge/app.ts', 'edge/main.ts'],
  ['edge/main.ts', 'demo/campaigns/github/index.ts'],
  ['edge/serve.ts', 'demo/campaigns/github/index.ts'],
  ['edge/seed/campaigns.ts', 'demo/campaigns/github/index.ts'],
  ['edge/flow/x.ts', 'edge/seed/campaigns.ts'],
  ['demo/server.ts', 'edge/index.ts'],
  ['demo/server.ts', 'sdk/node/client.ts'],
  ['sdk/node/client.ts', 'contract/errors.ts'],
  ['sdk/node/client.ts', 'edge/lib/hmac.ts'],
  ['bench/track.ts', 'edge/app.ts'],
  ['edge/http/routes/track.ts', 'edge/http/routes/track.test.ts'],
  ['dashboard/api/x.ts', 'edge/http/routes/track.ts'],
  ['dashboard/pages/x.ts', 'widget/transport/api.ts'],
  ['widget/elements/x.ts', 'dashboard/lib/x.ts'],
  ['demo/x.test.ts', 'edge/app.ts'],
]
const ALLOWED = [
  ['edge/flow/x.ts', 'edge/domain/plan.ts'],
  ['edge/campaign/compile.ts', 'edge/domain/plan.ts'],
  ['edge/flow/x.ts', 'edge/campaign/compile.ts'],
  ['edge/flow/commit.ts', 'edge/domain/delivery/pushed-frame.ts'],
  ['edge/bus/redis.ts', 'edge/domain/delivery/pushed-frame.ts'],
  ['edge/http/routes/track.ts', 'edge/flow/track/accept-events.ts'],
  ['edge/app.ts', 'edge/realtime/gateway.ts'],
  ['widget/inbox/a.ts', 'contract/api.ts'],
  ['contract/schemas.ts', 'contract/api.ts'],
  ['edge/http/x.ts', 'contract/schemas.ts'],
  ['edge/flow/x.test.ts', 'edge/stores/sqlite/stores.ts'],
  ['demo/server.ts', 'sdk/node/index.ts'],
  ['sdk/node/x.test.ts', 'edge/test/support/given.ts'],
  ['dashboard/pages/x.ts', 'widget/elements/i18n.ts'],
  ['dashboard/api/x.ts', 'contract/api.ts'],
]
const FENCED = [
  ['edge/flow/x.ts', 'hono'],
  ['edge/http/x.ts', 'socket.io'],
  ['edge/stores/sql/x.ts', 'libsql'],
  ['edge/stores/sql/x.ts', 'node:sqlite'],
  ['edge/flow/x.ts', 'liquidjs'],
  ['widget/transport/x.ts', 'lit'],
  ['edge/http/x.ts', 'pino'],
  ['contract/api.ts', 'zod'],
  ['sdk/node/client.ts', 'zod'],
  ['widget/elements/x.ts', '@awesome.me/webawesome'],
  ['sdk/node/client.ts', '@types/express'],
  ['sdk/node/client.ts', '@cfworker/json-schema'],
]
const OPEN = [
  ['edge/http/y.ts', 'hono'],
  ['edge/stores/sqlite/driver.ts', 'libsql'],
  ['sdk/node/schemas/json-schema.ts', '@cfworker/json-schema'],
  ['sdk/node/tokens.ts', 'crypto'],
  ['contract/schemas.ts', 'zod'],
  ['demo/server.ts', 'zod'],
]

test('of many imports exactly the forbidden ones are found', async () => {
  const own = [...FORBIDDEN, ...ALLOWED] as [string, string][]
  const packages = [...FENCED, ...OPEN] as [string, string][]
  const lines = new Map<string, string[]>()
  const add = (from: string, name: string) => lines.set(from, [...(lines.get(from) ?? []), `import '${name}'`])
  for (const [from, to] of own) {
    const path = relative(dirname(from), to)
    add(from, path.startsWith('.') ? path : `./${path}`)
    if (!lines.has(to)) lines.set(to, [])
  }
  for (const [from, name] of packages) {
    add(from, name)
    // Packages of types alone have no code to resolve.
    if (name.startsWith('@types/') || ['crypto', 'node:sqlite'].includes(name)) continue
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }))
    write(`node_modules/${name}/index.js`, '')
  }
  for (const [from, imports] of lines) write(from, imports.join('\n'))
  const { summary } = await readImports(root, [
    ...new Set([...lines.keys()].map((path) => path.split('/')[0] as string)),
  ])
  const found = summary.violations.filter(({ cycle }) => cycle === undefined)
  const name = (to: string) => to.replace(/^node_modules\/(.+)\/index\.js$/, '$1')
  const pairs = new Set(found.map(({ from, to }) => `${from} ${name(to)}`))
  expect([...pairs].sort()).toEqual([...FORBIDDEN, ...FENCED].map((pair) => pair.join(' ')).sort())
})
