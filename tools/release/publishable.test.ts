// Tests that a wrong tag, a placeholder, a missing entry of the changelog and an outdated guide each hinder a release.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { findHindrances } from './publishable.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const ready = { version: '1.2.3', homepage: 'https://git.acme.io/notify' }
const changelog = '# Changelog\n\n## 1.2.3\n\n- Something.\n\n## 1.2.2\n\n- Something else.\n'
const withChangelog = (text: string) => (path: string) => (path === 'CHANGELOG.md' ? text : 'npm install it')

test('a checkout whose tag, address, changelog and guides fit may be published', () => {
  expect(findHindrances(ready, 'v1.2.3', withChangelog(changelog))).toEqual([])
  expect(findHindrances(ready, 'v1.2.3', withChangelog('## 1.2.3\n\n- Only this.'))).toEqual([])
})

test('another tag hinders it', () => {
  expect(findHindrances(ready, 'v1.2.4', withChangelog(changelog))).toEqual([expect.stringContaining('v1.2.4')])
  expect(findHindrances(ready, '', withChangelog(changelog))).toHaveLength(1)
})

test.each(['https://git.example.com/x', 'https://example.org', 'https://x.invalid/y'])('%s hinders it', (homepage) => {
  const found = findHindrances({ ...ready, homepage }, 'v1.2.3', withChangelog(changelog))
  expect(found).toEqual([expect.stringContaining(homepage)])
})

test('a changelog without an entry, or with an empty one, hinders it', () => {
  for (const text of ['', changelog.replace('1.2.3', '1.2.4'), changelog.replace('- Something.\n', '')]) {
    expect(findHindrances(ready, 'v1.2.3', withChangelog(text))).toEqual([expect.stringContaining('CHANGELOG.md')])
  }
})

test('this checkout waits for its address and its guides alone', () => {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
  const manifest = JSON.parse(read('package.json'))
  const found = findHindrances(manifest, `v${manifest.version}`, read)
  expect(found.filter((reason) => !/placeholder|no registry yet/.test(reason))).toEqual([])
})
