// Runs tests again as often as they change, or what they import: `npm run test:watch -- <file or folder>…`.
// Journeys run on SQLite, unless all the files are about PostgreSQL.

import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { startVitest } from 'vitest/node'

const root = resolve(import.meta.dirname, '../..')

/** Returns the test files of a path, relative to the root. */
function listTests(path: string): string[] {
  const full = resolve(path)
  if (!existsSync(full)) throw new Error(`There is no ${path}.`)
  const names = statSync(full).isDirectory() ? readdirSync(full, { recursive: true, encoding: 'utf8' }) : ['']
  return names
    .filter((name) => !/(^|\/)(node_modules|dist)\//.test(name))
    .map((name) => relative(root, join(full, name)))
    .filter((name) => name.endsWith('.test.ts'))
}

const files = process.argv.slice(2).flatMap(listTests)
const element = files.filter((file) => file.startsWith('widget/') && !file.endsWith('.node.test.ts'))
const others = files.filter((file) => !element.includes(file))
if (files.length === 0) {
  console.error('Name a test file or a folder with tests: npm run test:watch -- edge/flow/inbox')
  process.exit(2)
}

if (element.length > 0) {
  const args = ['node_modules/@web/test-runner/dist/bin.js', '--watch', '--files', ...element]
  const page = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
  page.on('exit', (status) => process.exit(status ?? 1))
  process.on('exit', () => page.kill('SIGINT'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))
}
if (others.length > 0) {
  const isPostgres = others.every((file) => file.endsWith('.postgres.test.ts'))
  // These tests import no source of what is built, so any change runs them again (tools/test/build-first.ts).
  const isBuilt = others.some((file) => /^widget\/test\/|\.e2e\.test\.ts$/.test(file))
  const sources = ['contract', 'dashboard', 'demo', 'edge', 'widget'].map((name) =>
    join(root, name, '{*,!(dist|test|node_modules)/**/*}.ts'),
  )
  await startVitest('test', others, {
    root,
    watch: true,
    project: isPostgres ? [] : ['!*-postgres'],
    ...(isBuilt ? { forceRerunTriggers: sources } : {}),
  })
}
