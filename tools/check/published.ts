// Compares the version and the address of the root's package.json with each place that repeats them.

import type { Violation } from './source.ts'

/** Fields of a package.json that are read here. */
export interface Manifest {
  version?: string
  license?: string
  homepage?: string
  author?: string
  repository?: { type: string; url: string; directory?: string }
}

/** Our artifacts in a file of Maven, or in a guide that shows one. */
const OUR_ARTIFACT =
  /<groupId>org\.notificationcenter[.\w]*<\/groupId>\s*<artifactId>[^<]*<\/artifactId>\s*<version>([^<]*)</g

/** Where the version stands: paths, and the text around it. */
const VERSIONS: [path: RegExp, version: RegExp][] = [
  [/^(?!bench\/)(?:.+\/)?package\.json$/, /^ {2}"version": "([^"]*)"/gm],
  [/^(?:sdk|examples|tools)\/.*pom\.xml$/, OUR_ARTIFACT],
  [/^sdk\/java[^/]*\/README\.md$/, OUR_ARTIFACT],
  [
    /^sdk\/node\/tracking\/version\.ts$|^sdk\/(?:java|php)\/src\/.*\/Settings\.(?:java|php)$/,
    /VERSION = ['"]([^'"]*)/g,
  ],
  [/^deploy\/.*\.env[^/]*$/, /^VERSION=(.*)$/gm],
  [/^deploy\/.*Chart\.yaml$/, /^(?:appVersion|version): "?([^"\s]*)/gm],
]
const CHANGELOG = /^(?:sdk\/\w+\/|widget\/)?CHANGELOG\.md$/

/** Compares each version of the checkout, and the newest entry of each changelog. */
export function compareVersions(version: string, paths: string[], read: (path: string) => string): Violation[] {
  const wrong = VERSIONS.flatMap(([where, pattern]) =>
    paths
      .filter((path) => where.test(path))
      .flatMap((path) => {
        const found = [...read(path).matchAll(pattern)].map((match) => match[1] ?? '')
        if (found.length === 0) return [violation(path, 'no version is found')]
        const other = found.find((text) => text !== version)
        return other === undefined ? [] : [violation(path, `the version ${other} is not ${version}`)]
      }),
  )
  const unwritten = paths
    .filter((path) => CHANGELOG.test(path) && /^## (.*)$/m.exec(read(path))?.[1] !== version)
    .map((path) => violation(path, `the newest entry is not ${version}`))
  return [...wrong, ...unwritten]
}

/** Compares the address of the repository, the author and the licence in the packages that registries take. */
export function compareAddresses(root: Manifest, read: (path: string) => string): Violation[] {
  const { homepage = '', author = '', license = '' } = root
  const clone = `${homepage}.git`
  const repository = { type: 'git', url: `git+${clone}` }
  const node = JSON.parse(read('sdk/node/package.json')) as Manifest
  const php = JSON.parse(read('sdk/php/composer.json')) as Manifest & { authors?: unknown; support?: unknown }
  const ofNode = (directory?: string) => ({
    homepage,
    author,
    license,
    repository: { ...repository, ...(directory && { directory }) },
  })
  const pick = ({ homepage, author, license, repository }: Manifest) => ({ homepage, author, license, repository })
  const ofPhp = { homepage, license, authors: [{ name: author }], support: { docs: homepage, source: homepage } }
  const { authors, support } = php
  return [
    ...same('package.json', pick(root), ofNode()),
    ...same('sdk/node/package.json', pick(node), ofNode('sdk/node')),
    ...same('sdk/php/composer.json', { homepage: php.homepage, license: php.license, authors, support }, ofPhp),
    ...['sdk/java/pom.xml', 'sdk/java-json-schema/pom.xml'].flatMap((path) =>
      same(path, fieldsOf(read(path)), {
        url: homepage,
        developer: `${author} ${homepage}`,
        scm: `scm:git:${clone} scm:git:${clone} ${homepage}`,
      }),
    ),
  ]
}

/** Returns the fields that Maven Central asks for, as texts without tags. */
function fieldsOf(pom: string): Record<string, string> {
  const textOf = (tag: string) => {
    const inner = new RegExp(`^ +<${tag}>([\\s\\S]*?)</${tag}>`, 'm').exec(pom)?.[1] ?? ''
    return inner
      .replaceAll(/<[^>]*>/g, ' ')
      .trim()
      .replaceAll(/\s+/g, ' ')
  }
  return { url: textOf('url'), developer: textOf('developer'), scm: textOf('scm') }
}

function same(path: string, found: object, expected: object): Violation[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    const text = JSON.stringify((found as Record<string, unknown>)[name])
    return text === JSON.stringify(value)
      ? []
      : [violation(path, `${name} is ${text}, and ${JSON.stringify(value)} by package.json`)]
  })
}

function violation(path: string, message: string): Violation {
  return { rule: 'published', path, message, level: 'error' }
}
