// Tests that the files for continuous integration run both commands on each Node, name actions by commits, and grant little.

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const GITHUB = '.github/workflows'
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const workflows = readdirSync(join(ROOT, GITHUB)).map((name) => ({ name, text: read(join(GITHUB, name)) }))

test.each([`${GITHUB}/ci.yml`, '.gitlab-ci.yml'])('%s runs both commands on each supported Node', (path) => {
  const text = read(path)
  expect(text).toMatch(/(node|NODE): \["20\.19", "22", "24"\]/)
  for (const command of ['npm ci && npm test', 'npm run test:deep', 'npm ci && npm run release']) {
    expect(text).toMatch(new RegExp(`- (run: )?${command}\n`))
  }
})

test.each(workflows)('$name names each action by its commit, with its version', ({ text }) => {
  const used = [...text.matchAll(/uses: (.*)/g)].map((match) => match[1])
  expect(used.filter((action) => !/^\.\/|^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action ?? ''))).toEqual(
    [],
  )
})

test.each(workflows)(
  '$name may read alone, unless a job says what it writes; no checkout keeps a credential',
  ({ text }) => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n/m)
    const written = [...text.matchAll(/^ {6}(\S+): write$/gm)].map((match) => match[1])
    expect(['contents', 'id-token', 'packages']).toEqual(expect.arrayContaining(written))
    const count = (pattern: RegExp) => [...text.matchAll(pattern)].length
    expect(count(/persist-credentials: false/g)).toBe(count(/uses: actions\/checkout@/g))
  },
)

test('secrets reach programs by the environment alone', () => {
  for (const { text } of workflows) {
    const lines = text.split('\n').filter((line) => /\$\{\{ *(secrets\.|github\.token)/.test(line))
    expect(lines.filter((line) => !/^ {10}[A-Z_]+: \$\{\{ [\w.]+ \}\}$/.test(line))).toEqual([])
  }
})
