// Tests that another version, another address or a missing entry of a changelog is found wherever it stands.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { compareAddresses, compareVersions, type Manifest } from './published.ts'
import { listPaths } from './source.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const paths = listPaths(ROOT)
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const root = JSON.parse(read('package.json')) as Manifest
const withText = (changed: string, text: string) => (path: string) => (path === changed ? text : read(path))

test('this checkout has one version and one address', () => {
  expect(compareVersions(root.version as string, paths, read)).toEqual([])
  expect(compareAddresses(root, read)).toEqual([])
})

const VERSIONED = [
  'contract/package.json',
  'sdk/node/package.json',
  'sdk/java/pom.xml',
  'sdk/java/README.md',
  'sdk/node/tracking/version.ts',
  'sdk/php/src/Internal/Settings.php',
  'deploy/.env.example',
  'examples/spring-boot/pom.xml',
  'CHANGELOG.md',
  'widget/CHANGELOG.md',
]

test.each(VERSIONED)('another version in %s is found', (path) => {
  const other = read(path).replaceAll(root.version as string, '0.0.9')
  const found = compareVersions(root.version as string, paths, withText(path, other))
  expect(found.map((violation) => violation.path)).toEqual([path])
  expect(compareVersions(root.version as string, paths, withText(path, ''))).toHaveLength(1)
})

const ADDRESSED: [path: string, text: string][] = [
  ['sdk/node/package.json', root.homepage as string],
  ['sdk/php/composer.json', root.homepage as string],
  ['sdk/java/pom.xml', root.homepage as string],
  ['sdk/java-json-schema/pom.xml', 'scm:git:'],
]

test.each(ADDRESSED)('another address in %s is found', (path, text) => {
  const changed = read(path).replaceAll(text, 'https://other.example.org')
  const found = compareAddresses(root, withText(path, changed))
  expect(new Set(found.map((violation) => violation.path))).toEqual(new Set([path]))
})

test('the address of the root names its own repository', () => {
  const found = compareAddresses(
    { ...root, repository: { type: 'git', url: 'git+https://other.example.org/x.git' } },
    read,
  )
  expect(found.map(({ path, message }) => [path, message.split(' ')[0]])).toEqual([['package.json', 'repository']])
})
