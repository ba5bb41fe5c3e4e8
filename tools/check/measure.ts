// Measures how many files a change or a journey touches, import circles, and words of prose.
// `npm run check -- --measure` prints the figures; of them words and circles can fail the check.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { circlesOf, readImports } from './imports.ts'
import { countWords } from './prose.ts'
import { OUTSIDE } from './rules.ts'
import { isCode, isTest, listPaths, readSource, type Source } from './source.ts'

export interface Measure {
  what: string
  value: string
}

/** Patterns that recognise the files of a step type, a column of `message` and a channel. */
const KNOWN_BY: [what: string, pattern: RegExp, within: RegExp][] = [
  [
    'files that name the step `throttle`',
    /\bthrottle\b|Throttle(Step|Gate)|throttle-step/,
    /^(edge|demo\/campaigns|contract)\//,
  ],
  ['files that name the column `collapse_key`', /collapse_key|collapseKey/, /^(edge|demo\/campaigns|contract)\//],
  ['files that name the channel `email`', /'email'/, /^(edge|contract)\//],
]

/**
 * Counts the checkout at `root`.
 *
 * @returns one row for each figure, ready to print
 */
export async function measure(root: string): Promise<Measure[]> {
  const paths = listPaths(root)
  const sources = paths.filter(isCode).map((path) => readSource(root, path))
  const shipped = sources.filter(({ path }) => !isTest(path) && !/^(examples|docs)\//.test(path))
  const result = await readImports(root)
  const importers = new Map<string, Set<string>>()
  for (const { source, dependencies } of result.modules) {
    if (isTest(source)) continue
    for (const { resolved } of dependencies) {
      importers.set(resolved, (importers.get(resolved) ?? new Set()).add(source))
    }
  }
  const lines = shipped.map(linesOf).sort((a, b) => a - b)
  const pages = paths.filter((path) => path.endsWith('.md'))
  const texts = [...sources.map(({ text }) => text), ...pages.map((path) => readFileSync(join(root, path), 'utf8'))]
  return [
    row('source files without tests', shipped.length),
    row('their lines', sum(lines)),
    row('lines of the median file', lines[Math.floor(lines.length / 2)] ?? 0),
    row('source files with one importer', shipped.filter(({ path }) => importers.get(path)?.size === 1).length),
    ...journeys(root, paths),
    ...KNOWN_BY.map(([what, pattern, within]) =>
      row(what, shipped.filter(({ path, text }) => within.test(path) && pattern.test(text)).length),
    ),
    row('circles, imports of types included', circlesOf(result).length),
    row('decision records', paths.filter((path) => /^docs\/decisions\/\d/.test(path)).length),
    row('guides in docs/', paths.filter((path) => /^docs\/[^/]+\.md$/.test(path)).length),
    row('words of prose', countWords(pages.map((path) => readFileSync(join(root, path), 'utf8')))),
    row(
      'references to documents outside',
      sum(texts.map((text) => text.match(new RegExp(OUTSIDE, 'gi'))?.length ?? 0)),
    ),
  ]
}

const row = (what: string, value: number | string): Measure => ({ what, value: String(value) })
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
const linesOf = ({ text }: Source) => text.split('\n').length - 1
/** Counts files and lines in the table of each journey in `docs/architecture.md`. */
function journeys(root: string, paths: string[]): Measure[] {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  return [...page.matchAll(/^## (The journey of [^\n]+)\n([\s\S]*?)(?=^## )/gm)].map(([, title, section]) => {
    const rows = (section ?? '')
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .join('\n')
    const named = new Set([...rows.matchAll(/`([\w./-]+\.ts)`/g)].map((match) => match[1] as string))
    const found = [...named].flatMap((name) => paths.find((path) => path === name || path === `edge/${name}`) ?? [])
    const lines = sum(found.map((path) => linesOf(readSource(root, path))))
    return row(title as string, `${found.length} files, ${lines} lines`)
  })
}
