// Compares the journeys of both engines: a case of one engine only must be in a file whose name says so.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'

/** The parts of `vitest list --json` that are read: the cases that would run, without those that are skipped. */
export interface Listed {
  name: string
  file: string
  projectName: string
}

/** `a.sqlite.test.ts` runs on SQLite alone, for the reason in its first line; `postgres` likewise. */
const ALONE = /\.(sqlite|postgres)\.test\.ts$/

/** Returns cases that only one engine runs, in files whose names do not say so. */
export function findLeftOut(listed: Listed[]): string[] {
  const both = listed.filter(({ file }) => !ALONE.test(file))
  const isOnPostgres = ({ projectName }: Listed) => projectName.endsWith('-postgres')
  const keyOf = ({ file, name }: Listed) => `${file} › ${name}`
  const postgres = new Set(both.filter(isOnPostgres).map(keyOf))
  const sqlite = new Set(both.filter((one) => !isOnPostgres(one)).map(keyOf))
  return [
    ...[...sqlite].filter((key) => !postgres.has(key)).map((key) => `not run on postgres: ${key}`),
    ...[...postgres].filter((key) => !sqlite.has(key)).map((key) => `not run on sqlite: ${key}`),
  ]
}

if (process.argv[1] === import.meta.filename) {
  const root = resolve(import.meta.dirname, '../..')
  const folder = mkdtempSync(join(tmpdir(), 'nc-engines-'))
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'list', '--project=journeys*', `--json=${join(folder, 'cases.json')}`]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  const listed = status === 0 ? (JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8')) as Listed[]) : []
  rmSync(folder, { recursive: true })
  const leftOut = findLeftOut(listed.map((one) => ({ ...one, file: relative(root, one.file) })))
  for (const line of leftOut) console.log(line)
  process.exit(listed.length > 0 && leftOut.length === 0 ? 0 : 1)
}
