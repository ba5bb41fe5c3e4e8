// Tests that each comparison of two lists finds what is missing on either side.

import { expect, test } from 'vitest'
import {
  checkAnchors,
  checkComments,
  checkJourneys,
  checkLinks,
  checkMetrics,
  checkNamedPaths,
  compareCommands,
  compareNcCommands,
  compareRunbook,
  compareSettings,
  compareTree,
} from './facts.ts'

const messages = (found: { message: string }[]) => found.map(({ message }) => message)

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

test('a relative link leads somewhere', () => {
  const paths = new Set(['docs/a.md', 'docs/decisions/README.md', 'README.md'])
  const text = '[a](a.md#x) [r](../README.md) [d](decisions/) [w](https://x.example) [here](#x)'
  expect(checkLinks('docs/b.md', text, paths)).toEqual([])
  expect(messages(checkLinks('docs/b.md', '[c](c.md)', paths))).toEqual(['the link c.md leads nowhere'])
})

test('a file or folder that a page names is there', () => {
  const paths = new Set(['edge/http/routes/track.ts', 'widget/script.ts'])
  const text = '`edge/http/routes/track.ts` → `edge/http/` `edge/dist/main.js` `npm run x` `widget/*.ts` `edge/http`'
  expect(checkNamedPaths('docs/a.md', text, paths)).toEqual([])
  expect(messages(checkNamedPaths('docs/a.md', '`edge/http/track.js`', paths))).toEqual([
    '`edge/http/track.js` is not there',
  ])
})

test('a journey of the architecture names its files', () => {
  expect(checkJourneys('## The journey of an event\n| 1 | `edge/http/routes/track.ts` |\n## Next\n')).toEqual([])
  expect(messages(checkJourneys('## The journey of an event\n\n## Next\n`edge/http/routes/track.ts`\n'))).toEqual([
    '"The journey of an event" names no file',
  ])
  expect(messages(checkJourneys('## Next\n'))).toEqual(['there is no journey'])
})

test('a link to a heading leads to one', () => {
  const pages = new Map([
    ['docs/a.md', '# Title\n## Backup, and `restore`\n'],
    ['docs/b.md', '## Here'],
  ])
  expect(checkAnchors('docs/b.md', '[a](a.md#backup-and-restore) [b](#here) [c](https://x.example#y)', pages)).toEqual(
    [],
  )
  expect(messages(checkAnchors('docs/b.md', '[a](a.md#restore) [b](#there)', pages))).toEqual([
    'the heading a.md#restore is not there',
    'the heading #there is not there',
  ])
})

test('a page that a comment names is there', () => {
  const pages = new Map([['docs/a.md', '## Sign-in']])
  expect(checkComments('a.ts', "// See docs/a.md#sign-in.\nconst page = 'docs/b.md'", pages)).toEqual([])
  expect(messages(checkComments('a.ts', '// docs/b.md\n// docs/a.md#other', pages))).toEqual([
    'a comment names docs/b.md, which is not there',
    'a comment names docs/a.md#other, which is not there',
  ])
})

test('commands of `nc` that a text names exist, in every way of writing them', () => {
  const page = '| `campaign put` | – | Saves. |\n| `doctor` | – | Looks. |\n| `env list` | – | Lists. |'
  const found = (text: string) => compareNcCommands('x.md', text, page).map(({ message }) => message)
  expect(
    found('`nc campaign put`, <code>nc env list</code>, “npm run nc -- doctor --json”, `nc env`, nc of it'),
  ).toEqual([])
  expect(found('Run `nc campaign create`.')).toEqual(['there is no command `nc campaign create`'])
  expect(found('<code>nc env lost</code> and npm run nc -- none now')).toEqual([
    'there is no command `nc env lost`',
    'there is no command `nc none now`',
  ])
})

test('each alert has its section in the runbook, and leads to it', () => {
  const alerts = '  - alert: NodeDown\n    annotations:\n      runbook_url: docs/runbook.md#nodedown\n'
  expect(compareRunbook(alerts, '# Runbook\n\n## NodeDown\n')).toEqual([])
  expect(messages(compareRunbook(alerts, '## NodeUp\n'))).toEqual([
    '`NodeDown` is in the alerts and not in the runbook',
    '`NodeUp` is in the runbook and not in the alerts',
  ])
  expect(messages(compareRunbook(alerts.replace('#nodedown', '#nodeup'), '## NodeDown\n'))).toHaveLength(2)
})

test('a metric that alerts, board and runbook name is in the table', () => {
  const page = '| `nc_ready` | gauge | – | x |\n| `nc_write_seconds` | histogram | – | x |'
  expect(checkMetrics('a.yaml', 'nc_ready == 0 or rate(nc_write_seconds_bucket[5m]) > 1', page)).toEqual([])
  expect(messages(checkMetrics('a.yaml', 'nc_reader == 0', page))).toEqual(['there is no metric `nc_reader`'])
})
