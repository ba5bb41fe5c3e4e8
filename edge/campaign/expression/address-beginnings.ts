// Finds how an address begins that a template builds before it prints it: with which text of its author, or with a value.

import { type Token, Tokenizer, TypeGuards } from 'liquidjs'
import { isHostOfValues, isInHost, originPart, PRINTED } from './address-states.ts'
import { type Definition, findHeld, type HeldAt } from './assigned-names.ts'
import { listParts, printedBy, type TemplatePart, textBetween } from './template-parts.ts'

/** Of names that are built of other names. */
const MAX_LEVELS = 16
const MAX_WAYS = 16
/** What follows decides nothing about the origin. */
const MAX_CHARS = 512

export interface Beginning {
  /** With a mark for each value within the host. */
  text: string
  /** It is all there is, so that what is appended follows it at once. */
  isWhole: boolean
  /** What stands behind a value with which it begins: it counts where that value is put into a host. */
  behind?: string
}
/** Undefined: texts of the author and values are mixed in a way that is not followed. */
type Beginnings = readonly Beginning[] | undefined

const VALUE: Beginnings = [{ text: '', isWhole: false }]
const NOTHING: Beginnings = [{ text: '', isWhole: true }]
const wholeOf = (text: string): Beginnings => [{ text, isWhole: true }]
const isValue = (ways: Beginnings) => ways?.every(({ text, isWhole }) => text === '' && !isWhole) === true

const BEGINS = /^(?:if|unless|case|for|capture)$/
const ENDS = /^end(?:if|unless|case|for|capture)$/
const PRINTS = /^(?:render|cycle|increment|decrement|liquid)$/

/**
 * @param read reads what is captured as browsers do
 * @returns Functions that return how an output, and a value at a place, may begin; undefined where that is not known
 */
export function findBeginnings(source: string, parts: readonly TemplatePart[], read: (markup: string) => string) {
  const reader = createReader(findHeld(source, parts), read)
  return {
    ofOutput: (part: TemplatePart): Beginnings => reader.ofExpression(printedBy(source, part) ?? '', part.start, 0),
    ofToken: (token: Token, at: number): Beginnings => reader.ofToken(token, at, 0),
  }
}

function createReader(heldAt: HeldAt, readMarkup: (markup: string) => string) {
  function ofExpression(expression: string, at: number, level: number): Beginnings {
    let read: ReturnType<Tokenizer['readFilteredValue']>
    try {
      read = new Tokenizer(expression).readFilteredValue()
    } catch {
      return VALUE
    }
    const [first, ...operators] = read.initial.postfix
    let ways = operators.length > 0 ? VALUE : ofToken(first, at, level)
    for (const { name, args } of read.filters) {
      const texts = args.map((arg) => ofToken(Array.isArray(arg) ? arg[1] : arg, at, level))
      ways = limited(filtered(name, ways, texts))
    }
    return ways
  }

  function ofToken(token: Token | undefined, at: number, level: number): Beginnings {
    if (token === undefined) return NOTHING
    if (TypeGuards.isQuotedToken(token)) return wholeOf(token.content)
    if (TypeGuards.isNumberToken(token)) return wholeOf(String(token.content))
    if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined) return VALUE
    const [root, ...props] = token.props
    const name = root !== undefined && 'content' in root ? String(root.content) : ''
    const ways = ofName(name, at, level)
    return props.length === 0 || isValue(ways) ? ways : undefined
  }

  function ofName(name: string, at: number, level: number): Beginnings {
    const { definitions, mayBeOther, elementOf } = heldAt(name, at)
    if (elementOf === undefined && definitions.length === 0) return VALUE
    if (level === MAX_LEVELS || definitions.length > MAX_WAYS) return undefined
    if (elementOf !== undefined) return isValue(ofExpression(elementOf, at, level + 1)) ? VALUE : undefined
    const all = definitions.map((one) => ofDefinition(one, level + 1))
    return limited(union(...all, ...(mayBeOther ? [VALUE] : [])))
  }

  const known = new Map<Definition, Beginnings>()
  function ofDefinition(one: Definition, level: number): Beginnings {
    if (known.has(one)) return known.get(one)
    // One that is built of itself is not followed.
    known.set(one, undefined)
    const ways = ofTemplate(one.template, one.at - 1, level)
    known.set(one, ways)
    return ways
  }

  function ofTemplate(template: string, at: number, level: number): Beginnings {
    let ways: Beginnings = NOTHING
    let depth = 0
    let from = 0
    const add = (next: Beginnings) => {
      const longer = joined(ways, next)
      ways = limited(depth > 0 ? union(ways, longer) : longer)
    }
    for (const part of listParts(template)) {
      add(wholeOf(readMarkup(textBetween(template, from, part.start))))
      from = part.end
      const expression = printedBy(template, part)
      if (expression !== undefined) add(ofExpression(expression, at, level))
      else if (PRINTS.test(part.tag ?? '')) add(VALUE)
      else depth += Number(BEGINS.test(part.tag ?? '')) - Number(ENDS.test(part.tag ?? ''))
    }
    add(wholeOf(readMarkup(template.slice(from))))
    return ways
  }

  return { ofExpression, ofToken }
}

/** They change nothing of what decides the origin, or its case. */
const KEEPING =
  /^(?:strip|lstrip|rstrip|strip_newlines|squish|normalize_whitespace|downcase|upcase|capitalize|escape|escape_once|xml_escape|newline_to_br)$/
/** They print an operand as well, at a place that is not followed. */
const ADDING = /^(?:truncate|truncatewords|concat|push|unshift|array_to_sentence_string|plural|list|t|date\w*)$/
const REPLACING = /^(replace|remove)(_first|_last)?$/

function filtered(
  name: string,
  ways: Beginnings,
  [first = NOTHING, second = NOTHING, ...rest]: Beginnings[],
): Beginnings {
  if (name === 'append') return joined(ways, first)
  if (name === 'prepend') return joined(first, ways)
  if (name === 'default') return union(ways, first)
  if (name === 'join' && isValue(ways)) return union(VALUE, within(first))
  const [, replaces, which] = REPLACING.exec(name) ?? []
  if (replaces !== undefined) return replaced(ways, first, replaces === 'remove' ? NOTHING : second, which)
  if (ADDING.test(name)) return isValue(ways) && [first, second, ...rest].every(namesNoHost) ? VALUE : undefined
  if (isValue(ways)) return KEEPING.test(name) ? ways : VALUE
  if (name === 'uri_escape')
    return ways?.map(({ text, isWhole }) => ({ text: text.split(PRINTED).map(encodePart).join(PRINTED), isWhole }))
  return KEEPING.test(name) && first === NOTHING ? ways : undefined
}

const encodePart = (text: string) => encodeURI(text.replace(/\p{Surrogate}/gu, '\ufffd'))
const namesNoHost = (ways: Beginnings) => ways?.every(({ text }) => !/[/\\:]/.test(text)) === true

function union(...all: Beginnings[]): Beginnings {
  const ways: Beginning[] = []
  for (const one of all) {
    if (one === undefined) return undefined
    ways.push(...one)
  }
  return ways
}

function joined(ways: Beginnings, next: Beginnings): Beginnings {
  return union(...(ways ?? [undefined]).map((way) => after(way, next)))
}

function after(way: Beginning | undefined, next: Beginnings): Beginnings {
  if (way === undefined) return undefined
  if (way.isWhole) return next?.map((one) => continued(way.text, one))
  const { text, behind = '' } = way
  if (text !== '' || behind.length >= MAX_CHARS || /[/\\?#]/.test(behind)) return [way]
  return (next ?? VALUE)?.map((one) => ({ ...way, behind: behind + writtenOf(one) }))
}

const writtenOf = ({ text, isWhole, behind = '' }: Beginning) => (isWhole ? text : text + PRINTED + behind)

/** In a host, the author's text behind a value counts as well; elsewhere, a value ends what is known. */
function continued(begin: string, next: Beginning): Beginning {
  const text = begin + next.text
  if (next.isWhole || isInHost(text)) return { text: begin + writtenOf(next), isWhole: true }
  return text === '' ? next : { text, isWhole: false }
}

/** A text that stands in a value, with any text behind it. */
const within = (ways: Beginnings): Beginnings => ways?.map(({ text }) => ({ text, isWhole: false }))

/** Replaces a constant in what the author wrote; in what stands behind it, nothing is known. */
function replaced(ways: Beginnings, pattern: Beginnings, by: Beginnings, which: string | undefined): Beginnings {
  const [constant] = pattern ?? []
  const isKnown = constant?.isWhole === true && pattern?.length === 1
  if (isValue(ways)) {
    const kept = isKnown ? ways?.flatMap((way) => replacedIn(way, constant.text, by, which) ?? VALUE ?? []) : VALUE
    return union(kept, by === NOTHING ? [] : within(by))
  }
  if (ways === undefined || by === undefined || !isKnown) return undefined
  return union(...ways.map((way) => replacedIn(way, constant.text, by, which)))
}

function replacedIn(way: Beginning, pattern: string, by: Beginnings, which = ''): Beginnings {
  const { text, isWhole, behind = '' } = way
  if (pattern === '') return undefined
  if (text === '' && !isWhole) return mayShare(behind, pattern) ? VALUE : [way]
  if (text.includes(PRINTED)) {
    if (text.split(PRINTED).every((one) => !mayShare(one, pattern))) return [way]
    return !isWhole && isHostOfValues(text) ? VALUE : undefined
  }
  const pieces = divide(text, pattern, which)
  const last = pieces.pop() ?? ''
  const before = pieces.reduce<Beginnings>((ways, piece) => limited(joined(joined(ways, wholeOf(piece)), by)), NOTHING)
  const exact = joined(before, [{ text: last, isWhole }])
  const kept = (ways: Beginnings) => (ways?.some((one) => losesOrigin(way, one, by)) ? undefined : ways)
  if (isWhole) return kept(exact)
  // The last one may be in the value.
  if (which === '_last') return kept(union([way], exact, ...replacedAtEnd(text, pattern, by)))
  return kept(union(exact, joined(before, union(...replacedAtEnd(last, pattern, by)))))
}

/** The pattern may begin in the text and end in the value behind it. */
function replacedAtEnd(text: string, pattern: string, by: Beginnings): Beginnings[] {
  const ways: Beginnings[] = []
  for (let at = Math.max(0, text.length - pattern.length + 1); at < text.length; at++)
    if (pattern.startsWith(text.slice(at))) ways.push(joined(joined(wholeOf(text.slice(0, at)), by), VALUE))
  return ways
}

function divide(text: string, pattern: string, which: string): string[] {
  if (which === '') return text.split(pattern)
  const at = which === '_first' ? text.indexOf(pattern) : text.lastIndexOf(pattern)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + pattern.length)]
}

/** @returns whether the author's text is replaced before a value, so that it is not followed which origin that has */
function losesOrigin(way: Beginning, { text, isWhole }: Beginning, by: Beginnings): boolean {
  if (isWhole) return false
  if (text !== '') return text.endsWith(':') && way.text.startsWith(`${text}/`)
  return way.text !== '' && by?.some((one) => one.text === '' && !one.isWhole) === false
}

/** @returns whether a pattern may replace a part of a text that has values around it */
function mayShare(text: string, pattern: string): boolean {
  if (text === '') return false
  if (text.includes(pattern) || pattern.includes(text)) return true
  for (let chars = 1; chars < Math.min(text.length, pattern.length); chars++)
    if (pattern.endsWith(text.slice(0, chars)) || pattern.startsWith(text.slice(-chars))) return true
  return false
}

function limited(ways: Beginnings): Beginnings {
  if (ways === undefined) return undefined
  const short = uniqueOf(ways.map((way) => (way.text.includes(PRINTED) ? cutOff(way) : way)))
  const fewer = short.length > MAX_WAYS ? uniqueOf(short.map(cutOff)) : short
  return fewer.length > MAX_WAYS ? undefined : fewer
}

/** @returns it without what does not decide about the origin */
function cutOff({ text, isWhole }: Beginning): Beginning {
  const origin = originPart(text)
  return origin === undefined ? { text, isWhole } : { text: origin, isWhole: false }
}

function uniqueOf(ways: readonly Beginning[]): Beginning[] {
  const short = ways.map((way) =>
    way.text.length > MAX_CHARS ? { text: way.text.slice(0, MAX_CHARS), isWhole: false } : way,
  )
  const keyOf = ({ text, isWhole, behind = '' }: Beginning) => `${isWhole} ${text} ${behind}`
  return [...new Map(short.map((way) => [keyOf(way), way])).values()]
}
