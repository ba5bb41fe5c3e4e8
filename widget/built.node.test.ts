// Tests the built widget as a whole: one Lit, parts that load no more than they need, source maps, languages.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { LANGUAGES } from './locales/languages.ts'

const dist = join(import.meta.dirname, 'dist')
const SCRIPT = 'notification-center.js'
const version: string = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')).version
const read = (name: string): string => readFileSync(join(dist, name), 'utf8')
const scripts = readdirSync(dist).filter((name) => name.endsWith('.js'))
const parts = scripts.filter((name) => name !== SCRIPT)
const importsOf = (name: string): string[] =>
  [...read(name).matchAll(/(?:\bfrom|\bimport)\s*\(?["'`](\.[^"'`]+)["'`]/g)].map(([, path]) => path as string)

test('Lit is in the first script, once, and in no part', () => {
  const marks = ['litHtmlVersions', 'litElementVersions', 'reactiveElementVersions']
  const count = (name: string, mark: string): number => read(name).split(mark).length - 1
  // Lit writes `(x.litHtmlVersions ??= []).push(…)` where it is loaded.
  expect(marks.map((mark) => count(SCRIPT, mark))).toEqual([1, 1, 1])
  expect(parts.filter((name) => marks.some((mark) => count(name, mark) > 0))).toEqual([])
  expect(read('everyday.js')).toContain(`Symbol.for(\`notification-center@${version}\`)`)
})

test('the first script is a classic script: nothing is imported before it runs', () => {
  expect(importsOf(SCRIPT)).toEqual([])
  expect(() => new Function(read(SCRIPT))).not.toThrow()
})

test('debug and the languages stand alone; a rare part imports from the everyday one only', () => {
  const alone = parts.filter((name) => /^(debug|lang-.+)\.js$/.test(name))
  expect(alone).toHaveLength(LANGUAGES.length)
  for (const name of [...alone, 'everyday.js']) expect(importsOf(name), name).toEqual([])
  for (const name of parts) expect(['./everyday.js', undefined], name).toContain(importsOf(name)[0])
})

test('no language is larger than 2,000 bytes', () => {
  const sizes = parts.filter((name) => name.startsWith('lang-')).map((name) => gzipSync(read(name)).length)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2000)
})

test('each script has its source map beside it, also in the versioned folder, without paths of a machine', () => {
  for (const name of scripts) {
    expect(read(name), name).toMatch(new RegExp(`\n//# sourceMappingURL=${name}\\.map\\s*$`))
    const map = read(`${name}.map`)
    const { sources, sourcesContent }: { sources: string[]; sourcesContent: string[] } = JSON.parse(map)
    expect(sources.filter((path) => !/^(\.\.\/)+(contract\/|node_modules\/|[a-z])/.test(path))).toEqual([])
    expect(sourcesContent).toHaveLength(sources.length)
    expect(map).not.toContain(import.meta.dirname)
    for (const path of [name, `${name}.map`]) expect(read(join(version, path))).toBe(read(path))
  }
})
