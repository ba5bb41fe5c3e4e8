// Each rule on size, names and text catches its violation, and lets pass what is allowed.

import { describe, expect, test } from 'vitest'
import { checkNames } from './names.ts'
import { routesOf } from './routes.ts'
import { checkSizes } from './size.ts'
import type { Source } from './source.ts'
import { checkTexts } from './text.ts'

const HEAD = '// What it does.\n'
const source = (path: string, text: string): Source => ({ path, text: HEAD + text })
const lines = (count: number, line = 'export {}\n') => line.repeat(count)
const rules = (path: string, text: string) => checkTexts([source(path, text)]).map(({ rule }) => rule)

describe('size', () => {
  const sizes = (path: string, text: string) =>
    checkSizes([source(path, text)]).map((one) => `${one.level} ${one.rule}`)

  test('a file warns over 250 lines and fails over 300; a test at 500', () => {
    expect(sizes('edge/lib/a.ts', lines(249))).toEqual([])
    expect(sizes('edge/lib/a.ts', lines(250))).toEqual(['warning size'])
    expect(sizes('edge/lib/a.ts', lines(300))).toEqual(['error size'])
    expect(sizes('edge/lib/a.test.ts', lines(499))).toEqual([])
    expect(sizes('edge/lib/a.test.ts', lines(500))).toEqual(['error size'])
    expect(sizes('widget/locales/fr.ts', lines(900))).toEqual([])
  })

  test.each([
    ['function declared', (body: string) => `export function f(): void {\n${body}}`],
    ['arrow', (body: string) => `export const f = async (x: number): Promise<void> => {\n${body}}`],
    ['method', (body: string) => `export class C {\n  m(): void {\n${body}  }\n}`],
  ])('a %s over 60 lines fails, over 40 warns', (_, wrap) => {
    expect(sizes('edge/lib/a.ts', wrap(lines(30, 'x()\n')))).toEqual([])
    expect(sizes('edge/lib/a.ts', wrap(lines(40, 'x()\n')))).toEqual(['warning function size'])
    expect(sizes('edge/lib/a.ts', wrap(lines(60, 'x()\n')))).toEqual(['error function size'])
  })

  test('a folder fails over 20 source files, tests not counted', () => {
    const files = Array.from({ length: 20 }, (_, at) => source(`edge/lib/f${at}.ts`, 'export {}\n'))
    const tests = files.map(({ path }) => source(path.replace('.ts', '.test.ts'), 'export {}\n'))
    expect(checkSizes([...files, ...tests])).toEqual([])
    expect(checkSizes([...files, source('edge/lib/more.ts', '')]).map(({ rule }) => rule)).toEqual(['folder size'])
  })
})

describe('names', () => {
  const names = (one: Source) => checkNames([one]).map(({ rule }) => rule)

  test.each(['edge/lib/string-utils.ts', 'edge/common/a.ts', 'widget/lib/a.helpers.ts', 'edge/flow/user-service.ts'])(
    '%s says nothing',
    (path) => expect(names(source(path, 'export {}'))).toEqual(['names']),
  )

  test('the same words in types are caught, words that merely hold them pass', () => {
    expect(names(source('edge/lib/a.ts', 'export class KeyManager {}'))).toEqual(['names'])
    expect(names(source('edge/lib/a.ts', 'interface Event { a: 1 }'))).toEqual(['names'])
    expect(names(source('edge/lib/database.ts', 'export interface Database { a: 1 }'))).toEqual([])
  })

  test('a file must begin with its job', () => {
    expect(names({ path: 'edge/lib/a.ts', text: 'export {}\n' })).toEqual(['first line'])
    expect(names({ path: 'edge/lib/a.ts', text: '#!/usr/bin/env node\n// Job.\n' })).toEqual([])
  })

  test('a file that only passes on is a barrel, but at a package root', () => {
    expect(names(source('edge/flow/all.ts', `export * from './a.ts'\nexport { b } from './b.ts'`))).toEqual([
      'no barrels',
    ])
    expect(names(source('edge/index.ts', `export * from './a.ts'`))).toEqual([])
  })
})

describe('text', () => {
  test.each([
    ['edge/flow/a.ts', 'export const a = (x: any) => x', 'no any'],
    ['demo/a.ts', 'export const a = (x: number) => x as unknown as string', 'no double cast'],
    ['edge/lib/a.ts', `export type A = import('../http/x.ts').X`, 'no import in place'],
    ['edge/flow/a.ts', 'export const a = () => Date.now()', 'clock'],
    ['edge/flow/a.ts', 'export const a = () => new Date()', 'clock'],
    ['edge/flow/a.ts', `export const a = () => console.log('x')`, 'console'],
    ['widget/elements/debug/debug.ts', `export const a = () => console.log('x')`, 'console'],
    ['edge/app.ts', 'export const a = process.env.PORT', 'environment'],
    ['edge/flow/a.ts', `export const a = 'SELECT id FROM users WHERE x = 1'`, 'sql'],
    ['edge/http/a.ts', 'export const a = `INSERT INTO users VALUES (1)`', 'sql'],
    ['bench/a.ts', `export const a = 'DELETE FROM messages'`, 'sql'],
    ['edge/realtime/a.ts', 'export const a = (io: Server) => io.fetchSockets()', 'own maps'],
    ['edge/flow/a.ts', `import { b } from './b'\nexport { b }`, 'import ending'],
    ['edge/flow/a.ts', `${'// @ts-'}ignore\nexport {}`, 'no silenced types'],
    ['edge/flow/a.ts', `${'// TO'}DO later\nexport {}`, 'notes'],
  ])('in %s: %s', (path, text, rule) => {
    expect(rules(path, text)).toEqual([rule])
  })

  test.each([
    ['edge/lib/clock.ts', 'export const a = () => Date.now()'],
    ['edge/flow/a.ts', 'export const a = (at: number) => new Date(at)'],
    ['edge/stores/sql/a.ts', `export const a = 'SELECT id FROM users'`],
    ['bench/peers/a.mjs', `export const a = 'DELETE FROM messages'`],
    ['edge/main.ts', 'export const a = process.env.PORT'],
    ['edge/lib/log.ts', 'export const a = () => console.log(1)'],
    ['widget/elements/debug/console-line.ts', 'export const a = () => console.info(1)'],
    ['tools/a.ts', 'export const a = () => console.log(process.env.CI)'],
    ['edge/flow/a.ts', `export const a = 'Pick one of the list, any'\n// many, any of them`],
    ['edge/flow/a.ts', `${'// TO'}DO #12 later\nexport const a = 'https://x'`],
    ['edge/flow/a.ts', 'export const a = (x: unknown) => x as string'],
  ])('in %s passes: %s', (path, text) => {
    expect(rules(path, text)).toEqual([])
  })
})

test('routes are read from specs and from calls on the app', () => {
  const text = `addRoute(http, { method: 'post', path: '/v1/things/:id' }, f)
    addRoute(http, { ...x, method: 'get' as const, path: '/v1/things' }, f)
    http.app.get('/healthz', f)
    map.get('/not-a-route')`
  expect(routesOf([source('edge/http/a.ts', text)])).toEqual(['GET /healthz', 'GET /v1/things', 'POST /v1/things/:id'])
  expect(routesOf([source('edge/http/a.test.ts', text), source('edge/flow/a.ts', text)])).toEqual([])
})

test('routes are read through the constants that their specs spread and their paths are built from', () => {
  const text = `const PATH = '/v1/things'
    const BASE = { tag: 'Things', caller: 'key' } as const
    function add() {
      const spec = { ...BASE, method: 'post' } as const
      addRoute(http, { ...spec, path: \`\${PATH}/:id{thg_[^/]*}/publish\` }, f)
      addRoute(http, { method: 'get', ...BASE, path: PATH }, f)
      addFileRoute(http, \`\${PATH}/*\`, f)
      addFileRoute(http, path, f)
    }`
  expect(routesOf([source('edge/http/a.ts', text)])).toEqual([
    'GET /v1/things',
    'GET /v1/things/*',
    'POST /v1/things/:id/publish',
  ])
})
