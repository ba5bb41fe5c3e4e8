// Which names the build may shorten: members that our own types declare, and that nobody else says, hears, keeps or reads (docs/decisions/0035-widget-parts.md).

import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'

const widget = dirname(fileURLToPath(import.meta.url))

/** What these declare leaves the page: kept, sent between tabs, set by the page or answered to it. Names of the contract are never shortened. */
const OUTWARD = [
  'inbox/stored-inbox.ts',
  'inbox/newcomer.ts',
  'inbox/sync/tab-message.ts',
  'elements/attributes.ts',
  'elements/notification-center.ts',
  'elements/tag.ts',
]
/** Tables whose keys are looked up by a word that comes from elsewhere. */
const LOOKED_UP = /^(locales|elements\/events)\/|^elements\/(debug\/page-check|panel\/icons)\.ts$/

/** The only folders that the script and its parts are made of. */
const OURS = /^(inbox|transport|lib|locales|elements)\/.+\.ts$/
const DECLARED = /(?:^ {2}|[{;] )(?:readonly |get |set |declare |static |async )*(\w+)\??(?:\(.*\)|<.*>\(.*\))?: /gm
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/ .*/g
const WORD = /[A-Za-z_]\w+/g
const QUOTED = /(['"`])([A-Za-z_]\w+)\1/g

/** Two words and more: `isLeading`, never `get`, so that a name is ours at sight. */
const isLong = (name: string): boolean => /^(?!create)[a-z]+[A-Z]/.test(name)

export function listPrivateNames(): string[] {
  const sources = readdirSync(widget, { recursive: true })
    .map(String)
    .filter((name) => OURS.test(name) && !/\.test\.ts$/.test(name))
  const taken = platformNames()
  const texts = new Map(sources.map((name) => [name, readFileSync(join(widget, name), 'utf8').replace(COMMENT, '')]))
  for (const text of folderTexts(resolve(widget, '../contract')))
    for (const word of text.match(WORD) ?? []) taken.add(word)
  const declared = new Set<string>()
  for (const [name, text] of texts) {
    // A word that only a type says is gone before anything runs.
    const running = transformSync(text, { loader: 'ts' }).code
    for (const [, , word] of running.matchAll(QUOTED)) taken.add(word as string)
    const isOutward = OUTWARD.includes(name)
    if (LOOKED_UP.test(name)) for (const word of text.match(WORD) ?? []) taken.add(word)
    for (const [, word] of text.matchAll(DECLARED)) (isOutward ? taken : declared).add(word as string)
  }
  return [...declared].filter((name) => isLong(name) && !taken.has(name)).sort()
}

const folderTexts = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))

/** Every member and option that the compiler's libraries know: DOM, Intl and the language. */
function platformNames(): Set<string> {
  const require = createRequire(import.meta.url)
  const compiler = dirname(require.resolve('typescript/package.json'))
  const native = `@typescript/typescript-${process.platform}-${process.arch}/package.json`
  const lib = join(dirname(createRequire(join(compiler, 'package.json')).resolve(native)), 'lib')
  const names = new Set<string>()
  for (const name of readdirSync(lib)) {
    if (!/^lib\..*\.d\.ts$/.test(name)) continue
    for (const [, word] of readFileSync(join(lib, name), 'utf8').matchAll(
      /^ +(?:readonly |get |set )?"?(\w+)"?\??[(:<]/gm,
    )) {
      names.add(word as string)
    }
  }
  return names
}
