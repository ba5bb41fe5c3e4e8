// Builds the dashboard into `dashboard/dist`: files with hashed names by Vite, and the document that names them.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runVite } from './run-vite.ts'

interface Manifest {
  [source: string]: { file: string; css?: string[]; imports?: string[]; isEntry?: boolean } | undefined
}

/** Where the document has its styles and its script. */
const PLACE = /<!-- Styles and script: .*? -->/

export async function buildDashboard(root: string): Promise<void> {
  const dist = join(root, 'dashboard/dist')
  rmSync(join(dist, 'dashboard'), { recursive: true, force: true })
  await runVite(root, ['dashboard'])
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const page = readFileSync(join(root, 'dashboard/index.html'), 'utf8')
  if (!PLACE.test(page)) throw new Error('dashboard/index.html has no place for styles and script')
  writeFileSync(join(dist, 'index.html'), page.replace(PLACE, tagsOf(manifest)))
}

/** @returns The tags of the entry: its styles, the files that it imports at once, and the script. */
function tagsOf(manifest: Manifest): string {
  const entry = Object.values(manifest).find((one) => one?.isEntry)
  if (entry === undefined) throw new Error('the build of the dashboard has no entry')
  const imported = (entry.imports ?? []).flatMap((name) => manifest[name] ?? [])
  const styles = [entry, ...imported].flatMap(({ css = [] }) => css)
  return [
    ...styles.map((file) => `<link rel="stylesheet" href="/${file}">`),
    ...imported.map(({ file }) => `<link rel="modulepreload" href="/${file}">`),
    `<script type="module" src="/${entry.file}"></script>`,
  ].join('\n    ')
}
