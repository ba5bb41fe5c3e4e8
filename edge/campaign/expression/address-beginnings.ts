// Finds how an address begins that a template builds before it prints it: with which text of its author, or with a value.

import { type Token, Tokenizer, TypeGuards } from 'liquidjs'
import { type Definition, findHeld, type HeldAt } from './assigned-names.ts'
import { listParts, printedBy, type TemplatePart, textBetween } from './template-parts.ts'

/** Of names that are built of other names. */
const MAX_LEVELS = 16
const MAX_WAYS = 16
/** What follows decides nothing about the origin. */
const MAX_CHARS = 512

export interface Beginning {
  text: string
  /** It is all there is, so that what is appended follows it at once. */
  isWhole: boolean
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

/** @returns A function that returns how an output may begin; undefined where that is not known */
export function findBeginnings(source: string, parts: readonly TemplatePart[]) {
  const reader = createReader(findHeld(source, parts))
  return (part: TemplatePart): Beginnings => reader.ofExpression(printedBy(source, part) ?? '', part.start, 0)
}

function createReader(heldAt: HeldAt) {
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
      add(wholeOf(textBetween(template, from, part.start)))
      from = part.end
      const expression = printedBy(template, part)
      if (expression !== undefined) add(ofExpression(expression, at, level))
      else if (PRINTS.test(part.tag ?? '')) add(VALUE)
      else depth += Number(BEGINS.test(part.tag ?? '')) - Number(ENDS.test(part.tag ?? ''))
    }
    add(wholeOf(template.slice(from)))
    return ways
  }

  return { ofExpression }
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
  if (name === 'join' && isValue(ways)) return union(VALUE, joined(first, VALUE))
  const [, replaces, which] = REPLACING.exec(name) ?? []
  if (replaces !== undefined) return replaced(ways, first, replaces === 'remove' ? NOTHING : second, which)
  if (ADDING.test(name)) return isValue(ways) && [first, second, ...rest].every(namesNoHost) ? VALUE : undefined
  if (isValue(ways)) return VALUE
  if (name === 'uri_escape')
    return ways?.map(({ text, isWhole }) => ({ text: encodeURI(text.replace(/\p{Surrogate}/gu, '\ufffd')), isWhole }))
  return KEEPING.test(name) && first === NOTHING ? ways : undefined
}

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
  return ways?.some(({ isWhole }) => isWhole) === false
    ? ways
    : union(...(ways ?? [undefined]).map((way) => (way?.isWhole === false ? [way] : after(way, next))))
}

const after = (way: Beginning | undefined, next: Beginnings): Beginnings =>
  way && next?.map(({ text, isWhole }) => ({ text: way.text + text, isWhole }))

/** Replaces a constant in what the author wrote; in what stands behind it, nothing is known. */
function replaced(ways: Beginnings, pattern: Beginnings, by: Beginnings, which: string | undefined): Beginnings {
  if (isValue(ways)) return union(VALUE, by === NOTHING ? [] : joined(by, VALUE))
  const [constant] = pattern ?? []
  if (ways === undefined || by === undefined || constant?.isWhole !== true || pattern?.length !== 1) return undefined
  return union(...ways.map((way) => replacedIn(way, constant.text, by, which)))
}

function replacedIn({ text, isWhole }: Beginning, pattern: string, by: Beginnings, which = ''): Beginnings {
  if (pattern === '') return undefined
  const places: number[] = []
  for (let at = text.indexOf(pattern); at !== -1; at = text.indexOf(pattern, at + 1)) places.push(at)
  // The pattern may begin in the text and end in the value behind it.
  if (!isWhole)
    for (let at = Math.max(0, text.length - pattern.length + 1); at < text.length; at++)
      if (pattern.startsWith(text.slice(at))) places.push(at)
  if (places.length === 0) return [{ text, isWhole }]
  const [only] = by ?? []
  if (isWhole && by?.length === 1 && only?.isWhole === true && which !== '_last') {
    const whole = which === '' ? text.replaceAll(pattern, () => only.text) : text.replace(pattern, () => only.text)
    return wholeOf(whole)
  }
  return union([{ text, isWhole }], ...places.map((at) => joined(joined(wholeOf(text.slice(0, at)), by), VALUE)))
}

function limited(ways: Beginnings): Beginnings {
  const short = ways?.map(({ text, isWhole }) =>
    text.length <= MAX_CHARS ? { text, isWhole } : { text: text.slice(0, MAX_CHARS), isWhole: false },
  )
  const unique = new Map(short?.map((way) => [`${way.isWhole} ${way.text}`, way]))
  return ways === undefined || unique.size > MAX_WAYS ? undefined : [...unique.values()]
}
