// Compares what the artifacts of the Java SDK write twice: their versions, and those of their plugins and packages.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const NAMED = /<artifactId>([^<]+)<\/artifactId>\s*<version>([^<]+)<\/version>/g

/** Returns the versions of a `pom.xml` by artifact, its own among them. */
function versionsOf(path: string): Map<string, string> {
  const xml = readFileSync(join(ROOT, path, 'pom.xml'), 'utf8')
  return new Map([...xml.matchAll(NAMED)].map(([, name = '', version = '']) => [name, version]))
}

function textOf(path: string, tag: string): string | undefined {
  return new RegExp(`<${tag}>[\\s\\S]*?</${tag}>`).exec(readFileSync(join(ROOT, path, 'pom.xml'), 'utf8'))?.[0]
}

const core = versionsOf('sdk/java')

for (const other of ['sdk/java-json-schema', 'examples/java-plain', 'examples/spring-boot']) {
  test(`${other} has the versions of sdk/java`, () => {
    const versions = versionsOf(other)
    const shared = [...core].filter(([name]) => versions.has(name))
    expect(shared.map(([name]) => name)).toContain('notification-center')
    expect(shared.map(([name]) => [name, versions.get(name)])).toEqual(shared)
  })
}

test('both artifacts are compiled for the same Java, and have the version of the SDK', () => {
  expect(textOf('sdk/java-json-schema', 'properties')).toBe(textOf('sdk/java', 'properties'))
  expect(versionsOf('sdk/java-json-schema').get('notification-center-json-schema')).toBe(
    core.get('notification-center'),
  )
})
