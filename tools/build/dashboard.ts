// Builds the dashboard into `dashboard/dist`: files with hashed names by Vite, and the documents that name them.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runVite } from './run-vite.ts'

interface Chunk {
  file: string
  name?: string
  css?: string[]
  imports?: string[]
}
type Manifest = Record<string, Chunk | undefined>

/** Where a document has its styles and its scripts. */
const PLACE = /<!-- Styles and script: .*? -->/

/**
 * The documents, with the names of the files that their page needs beside the entry. On a slow line, each file that the browser
 * learns of later costs another round trip; these are the pages that people open first.
 */
const DOCUMENTS: Record<string, string[]> = {
  'index.html': [],
  'sign-in.html': ['sign-in', 'components'],
  'history.html': ['history'],
  'home.html': ['home', 'components'],
}

export async function buildDashboard(root: string): Promise<void> {
  const dist = join(root, 'dashboard/dist')
  rmSync(join(dist, 'dashboard'), { recursive: true, force: true })
  await runVite(root, ['dashboard'], './')
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const page = readFileSync(join(root, 'dashboard/index.html'), 'utf8')
  if (!PLACE.test(page)) throw new Error('dashboard/index.html has no place for styles and script')
  for (const [document, names] of Object.entries(DOCUMENTS)) {
    writeFileSync(join(dist, document), page.replace(PLACE, tagsOf(manifest, names)))
  }
}

/** @returns The tags of both entries and of `names`: their styles, the files that they import, and the scripts. */
function tagsOf(manifest: Manifest, names: string[]): string {
  const begin = keyOf(manifest, 'begin')
  const main = keyOf(manifest, 'main')
  const chunks = chunksOf(manifest, [begin, main, ...names.map((name) => keyOf(manifest, name))])
  const later = chunks.filter((chunk) => chunk !== manifest[begin] && chunk !== manifest[main])
  const styles = chunks.flatMap(({ css = [] }) => css)
  return [
    // Runs as soon as it is there, while the others are loading.
    `<script type="module" async fetchpriority="high" src="/${manifest[begin]?.file}"></script>`,
    ...styles.map((file) => `<link rel="stylesheet" href="/${file}">`),
    ...later.map(({ file }) => `<link rel="modulepreload" href="/${file}">`),
    `<script type="module" src="/${manifest[main]?.file}"></script>`,
  ].join('\n    ')
}

/** @returns The chunks of the keys and of all that they import, each once. */
function chunksOf(manifest: Manifest, keys: string[]): Chunk[] {
  const found = new Map<string, Chunk>()
  const add = (key: string): void => {
    const chunk = manifest[key]
    if (chunk === undefined || found.has(key)) return
    found.set(key, chunk)
    chunk.imports?.forEach(add)
  }
  keys.forEach(add)
  return [...found.values()]
}

function keyOf(manifest: Manifest, name: string): string {
  const [key, another] = Object.keys(manifest).filter((one) => manifest[one]?.name === name)
  if (key === undefined || another !== undefined) throw new Error(`the build of the dashboard has not one file ${name}`)
  return key
}
