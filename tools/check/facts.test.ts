// Facts written twice: each comparison finds what is missing on either side.

import { expect, test } from 'vitest'
import {
  checkLinks,
  compareCommands,
  compareDecisions,
  compareErrors,
  compareRoutes,
  compareSettings,
  compareTree,
} from './facts.ts'

const messages = (found: { message: string }[]) => found.map(({ message }) => message)

test('an error code must be documented with its status, and no other', () => {
  const errors = { 'a/b': { status: 400 }, 'c/d': { status: 404 } }
  const page = '| Code | Status | When |\n|---|---|---|\n| `a/b` | 400 | x |\n| `c/d` | 404 | y |'
  expect(compareErrors(errors, page)).toEqual([])
  expect(messages(compareErrors(errors, page.replace('404', '409')))).toHaveLength(2)
  expect(messages(compareErrors(errors, `${page}\n| \`e/f\` | 400 | z |`))).toEqual([
    '`e/f 400` is in docs/errors.md and not in contract/errors.ts',
  ])
})

test('a setting must be documented word by word', () => {
  const table = '| Variable | Default | Means |\n|---|---|---|\n| `PORT` | `3000` | Port. |'
  expect(compareSettings(table, `# Settings\n\n${table}\n`)).toEqual([])
  expect(compareSettings(table, table.replace('3000', '4000'))).toHaveLength(2)
  expect(compareSettings(table, '')).toHaveLength(1)
})

test('a guide names scripts that exist, and every script is named', () => {
  const scripts = { start: 'x', test: 'y', bench: 'z' }
  expect(compareCommands(scripts, { 'README.md': 'npm start, `npm test`, npm run bench' })).toEqual([])
  expect(messages(compareCommands(scripts, { 'README.md': 'npm start npm test npm run bensch' }))).toEqual([
    'there is no script `bensch`',
    'no guide names the script `bench`',
  ])
})

test('the tree names the folders that are there', () => {
  const readme = '```tree\nedge/   the server\n  flow/   verbs\nwidget/   the element\n```'
  const paths = ['edge/flow/a.ts', 'edge/main.ts', 'widget/inbox/b.ts', 'README.md', '.ci/run']
  expect(compareTree(readme, paths)).toEqual([])
  expect(messages(compareTree(readme, [...paths, 'edge/http/x.ts']))).toEqual([
    '`edge/http` is in the checkout and not in the tree',
  ])
  expect(messages(compareTree(readme, ['edge/flow/a.ts']))).toEqual(['`widget` is in the tree and not in the checkout'])
  expect(messages(compareTree('', paths))).toEqual(['there is no block marked `tree`'])
})

test('routes and their page agree', () => {
  const page = '| `GET /v1/a` | all |\n| `name` | no route |'
  expect(compareRoutes(['GET /v1/a'], page)).toEqual([])
  expect(compareRoutes(['GET /v1/a', 'POST /v1/a'], page)).toHaveLength(1)
  expect(compareRoutes([], page)).toHaveLength(1)
})

test('a decision stands in the index', () => {
  const paths = ['docs/decisions/0001-a.md', 'docs/decisions/README.md']
  expect(compareDecisions('[A](0001-a.md)', paths)).toEqual([])
  expect(compareDecisions('', paths)).toHaveLength(1)
  expect(compareDecisions('[A](0001-a.md) [B](0002-b.md)', paths)).toHaveLength(1)
})

test('a relative link leads somewhere', () => {
  const paths = new Set(['docs/a.md', 'docs/decisions/README.md', 'README.md'])
  const text = '[a](a.md#x) [r](../README.md) [d](decisions/) [w](https://x.example) [here](#x)'
  expect(checkLinks('docs/b.md', text, paths)).toEqual([])
  expect(messages(checkLinks('docs/b.md', '[c](c.md)', paths))).toEqual(['the link c.md leads nowhere'])
})
