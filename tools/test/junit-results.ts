// Counts the cases in JUnit XML, which Maven's Surefire and PHPUnit write.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Counts, describeFailure } from './counts.ts'

interface Tag {
  name: string
  isEnd: boolean
  isEmpty: boolean
  attributes: Record<string, string>
  /** Text until the next tag. */
  text: string
}

/** Matches a tag with its attributes and the text behind it, after comments, CDATA and declarations are gone. */
const TAG = /<(\/?)([\w.:-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>([^<]*)/g
const ATTRIBUTE = /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/**
 * Counts all `*.xml` in the folders.
 *
 * @returns undefined when there is no file: the tests did not begin
 */
export function countJUnit(folders: string[]): Counts | undefined {
  const files = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => path.endsWith('.xml'))
    .sort()
  if (files.length === 0) return undefined
  const counts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] }
  for (const path of files) addCases(counts, readFileSync(path, 'utf8'))
  return counts
}

/** Adds the cases of one file. A case with a `failure` or an `error` has failed, one with `skipped` was skipped. */
export function addCases(counts: Counts, xml: string): void {
  let title: string | undefined
  let outcome: 'passed' | 'failed' | 'skipped' = 'passed'
  let message = ''
  for (const tag of tagsOf(xml)) {
    const { name, isEnd, isEmpty, attributes, text } = tag
    if (name === 'testcase' && !isEnd) {
      title = titleOf(attributes)
      outcome = 'passed'
      message = ''
    } else if (title !== undefined && !isEnd && (name === 'failure' || name === 'error')) {
      outcome = 'failed'
      message = attributes.message || text.trim() || attributes.type || ''
    } else if (title !== undefined && !isEnd && name === 'skipped') {
      outcome = 'skipped'
    }
    if (name !== 'testcase' || title === undefined || !(isEnd || isEmpty)) continue
    counts[outcome] += 1
    if (outcome === 'failed') counts.failures.push(describeFailure(title, message))
    title = undefined
  }
}

function titleOf({ classname, class: php, name }: Record<string, string>): string {
  const place = (classname ?? php ?? '').split(/[.\\]/).at(-1)
  return [place, name].filter(Boolean).join(' › ')
}

function tagsOf(xml: string): Tag[] {
  const plain = xml
    .replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, '')
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
  return [...plain.matchAll(TAG)].map(([, end, name, attributes, empty, text]) => ({
    name: name as string,
    isEnd: end === '/',
    isEmpty: empty === '/',
    attributes: Object.fromEntries(
      [...(attributes ?? '').matchAll(ATTRIBUTE)].map(([, key, first, second]) => [key, decode(first ?? second ?? '')]),
    ),
    text: decode(text ?? ''),
  }))
}

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, digits?: string, word?: string) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    if (digits !== undefined) return String.fromCodePoint(Number(digits))
    return ENTITIES[word ?? ''] ?? whole
  })
}
