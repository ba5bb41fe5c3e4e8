// Reads the cases in JUnit XML, which Maven's Surefire and PHPUnit write.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface JUnitCase {
  name: string
  outcome: 'passed' | 'failed' | 'skipped'
  /** Text of the failure; '' for another case. */
  failure: string
}

const CASE = /<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g
const CDATA = /<!\[CDATA\[([\s\S]*?)\]\]>/g

/** Returns the cases of all `*.xml` in the folders. A case with a `failure` or an `error` has failed. */
export function readJUnit(folders: string[]): JUnitCase[] {
  const paths = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  return paths.filter((path) => path.endsWith('.xml')).flatMap((path) => casesOf(readFileSync(path, 'utf8')))
}

export function casesOf(xml: string): JUnitCase[] {
  const plain = xml.replace(CDATA, (_, text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
  return [...plain.matchAll(CASE)].map(([, attributes = '', body = '']) => {
    const [, tag, rest = '', text = ''] = /<(failure|error|skipped)\b([^>]*)>([^<]*)/.exec(body) ?? []
    const place = (attribute(attributes, 'classname') || attribute(attributes, 'class')).split(/[.\\]/).at(-1)
    const hasFailed = tag === 'failure' || tag === 'error'
    return {
      name: [place, attribute(attributes, 'name')].filter(Boolean).join(' › '),
      outcome: hasFailed ? 'failed' : tag === 'skipped' ? 'skipped' : 'passed',
      failure: hasFailed ? attribute(rest, 'message') || decode(text.trim()) || tag : '',
    }
  })
}

function attribute(text: string, name: string): string {
  return decode(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(text)?.[1] ?? '')
}

function decode(text: string): string {
  const known: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
  return text.replace(/&(?:#(\d+)|(\w+));/g, (whole, digits?: string, word?: string) =>
    digits === undefined ? (known[word ?? ''] ?? whole) : String.fromCodePoint(Number(digits)),
  )
}
