// Reads conditions that people can build by clicks: comparisons joined by all or by any. Others stay as they are written.

/** A value that a comparison names. */
export type Literal = string | number | boolean | null

export const COMPARISONS = ['==', '!=', '>', '>=', '<', '<='] as const
export const TEXT_TESTS = ['contains', 'startsWith', 'endsWith'] as const
export const LIST_TESTS = ['in', 'not in'] as const
export const PRESENCE = ['has', 'has not'] as const
/** Of a list: one of its items is the value. */
export const MEMBER = 'includes'

type Comparison = (typeof COMPARISONS)[number]

export type Clause =
  | { property: string[]; test: Comparison; value: Literal }
  | { property: string[]; test: (typeof TEXT_TESTS)[number]; value: string }
  | { property: string[]; test: (typeof LIST_TESTS)[number]; values: Literal[] }
  | { property: string[]; test: typeof MEMBER; value: Literal }
  /** Of a property for which `mayAskPresence`. */
  | { property: string[]; test: (typeof PRESENCE)[number] }

export interface Clicks {
  join: 'all' | 'any'
  clauses: Clause[]
}

const TOKEN =
  /\s*(?:(?<text>"(?:[^"\\\n]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"|'[^'\\\n]*')|(?<number>-?\d+(?:\.\d+)?(?![\w.]))|(?<name>[A-Za-z_]\w*)|(?<sign>&&|\|\||[=!<>]=|[<>!()[\],.]))/y

type Token = { kind: 'text' | 'number'; value: string | number } | { kind: 'name' | 'sign'; value: string }

/** @returns undefined for what clicks cannot say, and for no condition at all */
export function readClicks(source: string): Clicks | undefined {
  const tokens = tokensOf(source)
  if (tokens === undefined) return undefined
  const clauses: Clause[] = []
  let join: string | undefined
  let rest = tokens
  for (;;) {
    const read = readClause(rest)
    if (read === undefined) return undefined
    clauses.push(read.clause)
    const [sign, ...others] = read.rest
    if (sign === undefined) return { join: join === '||' ? 'any' : 'all', clauses }
    if (sign.kind !== 'sign' || (sign.value !== '&&' && sign.value !== '||')) return undefined
    if (join !== undefined && join !== sign.value) return undefined
    join = sign.value
    rest = others
  }
}

/** @returns the condition in CEL; empty for no clause */
export function printClicks({ join, clauses }: Clicks): string {
  return clauses.map(printClause).join(join === 'all' ? ' && ' : ' || ')
}

function printClause(clause: Clause): string {
  const path = printProperty(clause.property)
  if ('values' in clause) {
    const list = `${path} in [${clause.values.map(printLiteral).join(', ')}]`
    return clause.test === 'in' ? list : `!(${list})`
  }
  if (!('value' in clause)) return clause.test === 'has' ? `has(${path})` : `!has(${path})`
  const { test, value } = clause
  if (test === MEMBER) return `${printLiteral(value)} in ${path}`
  const isTextTest = TEXT_TESTS.some((one) => one === test)
  return isTextTest ? `${path}.${test}(${printLiteral(value)})` : `${path} ${test} ${printLiteral(value)}`
}

/** JSON's escapes are those of CEL. */
const printLiteral = (value: Literal): string => JSON.stringify(value)

const NAME = /^[A-Za-z_]\w*$/
/** Words of CEL, which cannot stand after a dot. */
const RESERVED = new Set(
  'as break const continue else false for function if import in let loop namespace null package return true var void while'.split(
    ' ',
  ),
)

const isPlainKey = (key: string) => NAME.test(key) && !RESERVED.has(key)

/** CEL asks for the presence of fields whose keys are names, in an object. */
export const mayAskPresence = (property: readonly string[]): boolean =>
  property.length > 1 && property.every(isPlainKey)

/** @returns such as `event.properties["order-id"]` */
export function printProperty([first = '', ...keys]: readonly string[]): string {
  return keys.reduce((text, key) => (isPlainKey(key) ? `${text}.${key}` : `${text}[${JSON.stringify(key)}]`), first)
}

/** @returns the keys of such as `event.properties["order-id"]`; undefined for another expression */
export function readProperty(source: string): string[] | undefined {
  const tokens = tokensOf(source)
  const read = tokens && readPath(tokens)
  return read?.rest.length === 0 ? read.property : undefined
}

function tokensOf(source: string): Token[] | undefined {
  const tokens: Token[] = []
  const text = source.trimEnd()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const groups = TOKEN.exec(text)?.groups
    if (groups === undefined) return undefined
    const token = tokenOf(groups)
    if (token === undefined) return undefined
    tokens.push(token)
  }
  return tokens
}

function tokenOf({ text, number, name, sign }: Record<string, string | undefined>): Token | undefined {
  if (text?.startsWith('"')) return { kind: 'text', value: JSON.parse(text) as string }
  if (text !== undefined) return { kind: 'text', value: text.slice(1, -1) }
  if (number !== undefined) {
    // A number that JavaScript prints otherwise would change.
    return String(Number(number)) === number ? { kind: 'number', value: Number(number) } : undefined
  }
  if (name !== undefined) return { kind: 'name', value: name }
  return { kind: 'sign', value: sign as string }
}

const isSign = (token: Token | undefined, sign: string) => token?.kind === 'sign' && token.value === sign
const isWord = (token: Token | undefined, word: string) => token?.kind === 'name' && token.value === word

interface Read<T> {
  rest: Token[]
  value: T
}

function readClause(tokens: Token[]): { clause: Clause; rest: Token[] } | undefined {
  const isNot = isSign(tokens[0], '!')
  const positive = isNot ? tokens.slice(1) : tokens
  if (isWord(positive[0], 'has') && isSign(positive[1], '(')) {
    const read = readPath(positive.slice(2))
    if (read === undefined || !mayAskPresence(read.property) || !isSign(read.rest[0], ')')) return undefined
    return { clause: { property: read.property, test: isNot ? 'has not' : 'has' }, rest: read.rest.slice(1) }
  }
  if (isNot) {
    if (!isSign(positive[0], '(')) return undefined
    const read = readTest(positive.slice(1))
    if (read === undefined || read.clause.test !== 'in' || !isSign(read.rest[0], ')')) return undefined
    return { clause: { ...read.clause, test: 'not in' }, rest: read.rest.slice(1) }
  }
  return readTest(tokens)
}

function readTest(tokens: Token[]): { clause: Clause; rest: Token[] } | undefined {
  const literal = readLiteral(tokens)
  if (literal !== undefined && isWord(literal.rest[0], 'in')) {
    const path = readPath(literal.rest.slice(1))
    return path && { clause: { property: path.property, test: MEMBER, value: literal.value }, rest: path.rest }
  }
  const path = readPath(tokens)
  if (path === undefined) return undefined
  const { property, rest } = path
  const textTest = TEXT_TESTS.find((test) => test === property.at(-1))
  if (textTest !== undefined && isSign(rest[0], '(')) {
    const [, token, end] = rest
    if (token?.kind !== 'text' || !isSign(end, ')') || property.length < 2) return undefined
    const clause = { property: property.slice(0, -1), test: textTest, value: String(token.value) }
    return { clause, rest: rest.slice(3) }
  }
  if (isWord(rest[0], 'in') && isSign(rest[1], '[')) {
    const list = readList(rest.slice(2))
    return list && { clause: { property, test: 'in', values: list.value }, rest: list.rest }
  }
  const test = COMPARISONS.find((one) => isSign(rest[0], one))
  const value = test && readLiteral(rest.slice(1))
  return value && { clause: { property, test, value: value.value }, rest: value.rest }
}

function readPath(tokens: Token[]): { property: string[]; rest: Token[] } | undefined {
  const [first, ...others] = tokens
  if (first?.kind !== 'name' || RESERVED.has(first.value)) return undefined
  const property = [first.value]
  let rest = others
  for (;;) {
    const [sign, key, end] = rest
    if (isSign(sign, '.') && key?.kind === 'name') {
      property.push(key.value)
      rest = rest.slice(2)
    } else if (isSign(sign, '[') && key?.kind === 'text' && isSign(end, ']')) {
      property.push(String(key.value))
      rest = rest.slice(3)
    } else return { property, rest }
  }
}

function readLiteral([token, ...rest]: Token[]): Read<Literal> | undefined {
  if (token?.kind === 'text' || token?.kind === 'number') return { value: token.value, rest }
  if (isWord(token, 'true') || isWord(token, 'false')) return { value: token?.value === 'true', rest }
  return isWord(token, 'null') ? { value: null, rest } : undefined
}

function readList(tokens: Token[]): Read<Literal[]> | undefined {
  const values: Literal[] = []
  let rest = tokens
  for (;;) {
    const read = readLiteral(rest)
    if (read === undefined) return undefined
    values.push(read.value)
    if (isSign(read.rest[0], ']')) return { value: values, rest: read.rest.slice(1) }
    if (!isSign(read.rest[0], ',')) return undefined
    rest = read.rest.slice(1)
  }
}
