// Refuses to publish what is not ready: run in a release before anything is published, with the tag as its argument.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

interface Manifest {
  version: string
  homepage: string
}

/** Guides that tell how to install without a registry until the packages are in one. */
const GUIDES = ['node', 'java', 'java-json-schema', 'php'].map((name) => `sdk/${name}/README.md`)

/**
 * Returns the reasons why a checkout must not be published under this tag; none when it may.
 * @param read returns the text of a file
 */
export function findHindrances({ version, homepage }: Manifest, tag: string, read: (path: string) => string): string[] {
  const { hostname } = new URL(homepage)
  const entry = /^## (.*)$\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(read('CHANGELOG.md'))
  return [
    ...(tag === `v${version}` ? [] : [`the tag ${tag} is not v${version}, the version of package.json`]),
    ...(/(^|\.)example\.(com|net|org)$|\.(test|invalid|example)$/.test(hostname)
      ? [`the address ${homepage} is a placeholder: set homepage in package.json, then what npm run check names`]
      : []),
    ...(entry?.[1] === version && entry[2]?.trim() ? [] : [`CHANGELOG.md does not begin with an entry for ${version}`]),
    ...GUIDES.filter((path) => /registry yet/.test(read(path))).map(
      (path) => `${path} says that it is in no registry yet`,
    ),
  ]
}

if (process.argv[1] === import.meta.filename) {
  const root = resolve(import.meta.dirname, '../..')
  const read = (name: string) => readFileSync(resolve(root, name), 'utf8')
  const found = findHindrances(JSON.parse(read('package.json')), process.argv[2] ?? '', read)
  for (const reason of found) console.error(`not published: ${reason}`)
  process.exitCode = found.length === 0 ? 0 : 1
}
