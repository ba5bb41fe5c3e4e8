// Writes selectors of style sheets in a form that the library reads, and finds those that it does not read.

/** A list within a list multiplies: more stay as they are, and are found unreadable. */
const MAX_EXPANDED = 64
const LIST = /:(?:is|where|matches|-webkit-any|-moz-any)\(/i
/** States and parts of elements, which only a style sheet in the head can mean. */
const OF_HEAD =
  /::|:(?:hover|focus|active|visited|link|any-link|target|checked|disabled|enabled|required|valid|invalid|before|after|first-l|-)/i

/** The selectors of rules outside of blocks such as `@media`, as they are written, with their places. */
function* selectorLists(sheet: string): Generator<{ start: number; end: number }> {
  const text = sheet.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, (comment) => ' '.repeat(comment.length))
  let [depth, from] = [0, 0]
  for (const { 0: char, index } of text.matchAll(/[{};]/g)) {
    if (char === '{' && depth++ === 0 && !/^\s*(?:@|$)/.test(text.slice(from, index))) yield { start: from, end: index }
    if (char === '}' && depth > 0) depth--
    if (depth === 0) from = index + 1
  }
}

/** Splits at commas outside of brackets and quotation marks. */
function splitList(list: string): string[] {
  const parts: string[] = []
  let [depth, from] = [0, 0]
  for (const { 0: found, index } of list.matchAll(/"[^"]*"|'[^']*'|[()[\],]/g)) {
    if (found === '(' || found === '[') depth++
    else if (found === ')' || found === ']') depth--
    else if (found === ',' && depth === 0) {
      parts.push(list.slice(from, index))
      from = index + 1
    }
  }
  return [...parts, list.slice(from)]
}

/** @returns the selectors that one with a list in parentheses stands for; itself where it has none */
function expand(selector: string): string[] {
  let open = [selector]
  for (let round = 0; round < MAX_EXPANDED; round++) {
    const next = open.flatMap(expandFirst)
    if (next.length > MAX_EXPANDED) return [selector]
    if (next.length === open.length && next.every((one, at) => one === open[at])) return next
    open = next
  }
  return [selector]
}

function expandFirst(selector: string): string[] {
  const found = LIST.exec(selector)
  if (found === null) return [selector]
  const begin = found.index + found[0].length
  let [depth, end] = [1, begin]
  while (end < selector.length && depth > 0) {
    if (selector[end] === '(') depth++
    if (selector[end] === ')') depth--
    end++
  }
  const [before, after] = [selector.slice(0, found.index), selector.slice(end)]
  return splitList(selector.slice(begin, end - 1)).map((one) => join(before, one.trim(), after))
}

/** A name of an element stands before classes and states: `.a:is(p)` is `p.a`. */
function join(before: string, one: string, after: string): string {
  const compound = /[^\s>+~]*$/.exec(before)?.[0] ?? ''
  const isName = /^[a-z*]/i.test(one) && !/[\s>+~]/.test(one)
  const isMoved = compound !== '' && isName
  return isMoved ? before.slice(0, before.length - compound.length) + one + compound + after : before + one + after
}

/** @returns the sheet without lists of selectors in parentheses */
export function expandSelectors(sheet: string): string {
  if (!LIST.test(sheet)) return sheet
  let expanded = ''
  let at = 0
  for (const { start, end } of selectorLists(sheet)) {
    const list = sheet.slice(start, end)
    expanded += sheet.slice(at, start) + (LIST.test(list) ? splitList(list).flatMap(expand).join(',') : list)
    at = end
  }
  return expanded + sheet.slice(at)
}

/** Places among the children of an element: all that the library knows beside names, classes, IDs and attributes. */
const PLACES =
  /:(?:not|nth-child|nth-last-child|nth-of-type|nth-last-of-type|(?:first|last|only)-(?:child|of-type)|empty|root)(?![\w-])/gi
const NOT_READ = /:|\sof\s|(?:^|[>+~])\s*(?:[>+~]|$)|[^\w\s.#*>+~(),\\\u0080-\uffff-]/

function isReadable(selector: string): boolean {
  const bare = selector.replace(/\[(?:"[^"]*"|'[^']*'|[^\]"'])*\]/g, '.a').replace(PLACES, '.a')
  return !NOT_READ.test(bare)
}

/** @returns the selectors that the library does not read, of those that elements could have, as they are written */
export function findUnreadable(sheet: string): string[] {
  const selectors = new Set<string>()
  for (const { start, end } of selectorLists(sheet)) {
    for (const one of splitList(sheet.slice(start, end))) selectors.add(one.replace(/\/\*[\s\S]*?\*\//g, ' ').trim())
  }
  return [...selectors].filter((one) => !OF_HEAD.test(one) && !expand(one).every(isReadable))
}
