// Counts the words of all pages, and finds that they are too many.

import type { Violation } from './source.ts'

/** More than that nobody reads; what the code can write into a page does not count. */
const MOST_WORDS = 50_000

/** Fenced code, and tables that the code writes between `<!-- name -->` and `<!-- /name -->`, are no prose. */
const NO_PROSE = /^ *```[\s\S]*?^ *```|<!-- ([\w-]+) -->[\s\S]*?<!-- \/\1 -->/gm

/** @returns the words of the pages together */
export function countWords(pages: Iterable<string>): number {
  let words = 0
  for (const page of pages) {
    words += page
      .replace(NO_PROSE, '')
      .split(/\s+/)
      .filter((word) => word !== '').length
  }
  return words
}

/** Finds more words than the limit allows. */
export function checkProse(pages: Iterable<string>): Violation[] {
  const words = countWords(pages)
  if (words <= MOST_WORDS) return []
  const message = `the pages have ${words} words, ${words - MOST_WORDS} more than allowed: delete what is said twice`
  return [{ level: 'error', path: 'docs', rule: 'prose', message }]
}
