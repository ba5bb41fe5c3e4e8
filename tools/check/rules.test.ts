// Tests that each rule of Biome's configuration and each of our own reports its violation and passes allowed code.

import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { checkRules } from './rules.ts'
import type { Source } from './source.ts'

vi.setConfig({ testTimeout: 60_000 })

const CHECKOUT = resolve(import.meta.dirname, '../..')
const HEAD = '// What it does.\n'
const source = (path: string, text: string): Source => ({ path, text: HEAD + text })
const lines = (count: number, line = 'export {}\n') => line.repeat(count)

describe('function size', () => {
  test.each([
    ['function declared', (body: string) => `export function f(): void {\n${body}}`],
    ['arrow', (body: string) => `export const f = async (x: number): Promise<void> => {\n${body}}`],
    ['method', (body: string) => `export class C {\n  m(): void {\n${body}  }\n}`],
  ])('a %s over 60 lines of its own fails', (_, wrap) => {
    const found = (path: string, count: number) =>
      checkRules([source(path, wrap(lines(count, 'x()\n')))]).map(({ rule }) => rule)
    expect(found('edge/lib/a.ts', 58)).toEqual([])
    expect(found('edge/lib/a.ts', 60)).toEqual(['function size'])
    expect(found('edge/lib/a.test.ts', 60)).toEqual([])
  })
})

describe('names', () => {
  const names = (one: Source) => checkRules([one]).map(({ rule }) => rule)

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

describe('comments', () => {
  const rules = (text: string) => checkRules([source('edge/flow/a.ts', text)]).map(({ rule }) => rule)

  test.each([
    [`${'// @ts-'}ignore\nexport {}`, 'no silenced types'],
    [`${'// TO'}DO later\nexport {}`, 'notes'],
    [`${'// As contract'} section 4 says\nexport {}`, 'references'],
    [`${'// See decision'} 0012\nexport {}`, 'references'],
  ])('%s', (text, rule) => {
    expect(rules(text)).toEqual([rule])
  })

  test.each([
    '// See docs/decisions/0012-erasure-and-retention.md: section 4 of it',
    `${'// TO'}DO #12 later\nexport const a = 'https://x'`,
  ])('%s passes', (text) => {
    expect(rules(text)).toEqual([])
  })
})

const FORBIDDEN = [
  ['demo/a.ts', 'export const a = (x: number) => x as unknown as string', 'No cast'],
  ['edge/lib/a1.ts', `export type A = import('../http/x.ts').X`, 'Import the type at the top'],
  ['edge/flow/a1.ts', 'export const a = () => Date.now()', 'The time comes'],
  ['edge/flow/a2.ts', 'export const a = () => new Date()', 'The time comes'],
  ['edge/app.ts', 'export const a = process.env.PORT', `Don't use process.env`],
  ['edge/flow/a3.ts', `export const a = 'SELECT id FROM users WHERE x = 1'`, 'SQL stands'],
  ['edge/http/a.ts', 'export const a = `INSERT INTO users VALUES (1)`', 'SQL stands'],
  ['edge/http/b.ts', `export const a = (x: string) => \`\nSELECT \${x}\nFROM users\``, 'SQL stands'],
  ['bench/a.ts', `export const a = 'DELETE FROM messages'`, 'SQL stands'],
  ['edge/realtime/a.ts', 'export const a = (io: Server) => io.fetchSockets()', 'realtime/presence.ts knows'],
  ['edge/flow/a4.ts', `import { b } from './b'\nexport const c = b`, 'A relative import names'],
  ['edge/flow/a5.ts', `export { b } from './b'`, 'A relative import names'],
  ['edge/lib/b1.ts', lines(301), 'This file has too many lines'],
  ['edge/lib/b1.test.ts', lines(501), 'This file has too many lines'],
  ['edge/lib/b2.ts', `export function f() {\n${lines(121, 'x()\n')}}`, 'This function has too many lines'],
] as const

const ALLOWED = [
  ['edge/lib/clock.ts', 'export const a = () => Date.now()'],
  ['edge/cli/a.ts', 'export const a = () => [Date.now(), process.env.PORT]'],
  ['edge/test/support/a.ts', `export const a = process.env.PORT\n${lines(400)}`],
  ['edge/flow/c1.ts', 'export const a = (at: number) => new Date(at)'],
  ['edge/stores/sql/a.ts', `export const a = 'SELECT id FROM users'`],
  ['bench/peers/a.mjs', `export const a = 'DELETE FROM messages'`],
  ['edge/main.ts', 'export const a = process.env.PORT'],
  ['tools/a.ts', 'export const a = () => console.log(process.env.CI)'],
  ['edge/flow/c2.ts', `export const a = 'Pick one of the list, any'\n// many, any of them`],
  ['edge/flow/c3.ts', 'export const a = (x: unknown) => x as string'],
  ['edge/flow/c4.ts', `import b from './b.json?url'\nimport { c } from 'c'\nexport const d = [b, c]`],
  ['edge/lib/c1.ts', lines(300)],
  ['edge/lib/c1.test.ts', `export function f() {\n${lines(480, 'x()\n')}}`],
  ['edge/lib/c2.ts', `export function f() {\n${lines(119, 'x()\n')}}`],
  ['widget/elements/c.ts', `export function f() {\n${lines(140, 'x()\n')}}`],
  ['widget/locales/fr.ts', lines(900)],
] as const

describe('Biome', () => {
  const root = mkdtempSync(join(tmpdir(), 'nc-biome-'))
  afterAll(() => rmSync(root, { recursive: true }))

  test('of many files exactly the forbidden ones are found', async () => {
    const config = JSON.parse(readFileSync(join(CHECKOUT, 'biome.json'), 'utf8')) as { vcs: object }
    cpSync(join(CHECKOUT, 'tools/check/rules'), join(root, 'tools/check/rules'), { recursive: true })
    for (const [path, text] of [...FORBIDDEN, ...ALLOWED, ['biome.json', JSON.stringify({ ...config, vcs: {} })]]) {
      mkdirSync(dirname(join(root, path as string)), { recursive: true })
      writeFileSync(join(root, path as string), text as string)
    }
    const found = (await lint(root)).filter(({ severity }) => severity === 'error')
    const named = found.map(({ location, message }) => {
      const [, , says] = FORBIDDEN.find(([path]) => path === location.path) ?? []
      return `${location.path} ${says !== undefined && message.startsWith(says) ? says : message}`
    })
    expect(named.sort()).toEqual(FORBIDDEN.map(([path, , says]) => `${path} ${says}`).sort())
  })
})

interface Diagnostic {
  severity: string
  message: string
  location: { path: string }
}

function lint(root: string): Promise<Diagnostic[]> {
  const program = join(CHECKOUT, 'node_modules/@biomejs/biome/bin/biome')
  const args = [program, 'lint', '--reporter=json', '--max-diagnostics=none', '.']
  return new Promise((resolve) => {
    // The exit status is 1 when there are errors.
    execFile(process.execPath, args, { cwd: root }, (_error, stdout) => {
      resolve((JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics)
    })
  })
}
