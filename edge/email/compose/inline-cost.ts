// Estimates how long the library for styles takes: it is called where the answer is short, whatever the sheets are.

/** What the rules for one tag name, class or id cost an element that has it. */
interface Cost {
  declarations: number
  /** Rules whose selectors look at other children of the same element. */
  siblings: number
}

/** Measured in nanoseconds: a declaration, its comparison with another name, a pair of rule and element, a look at a child. */
const DECLARATION_NS = 40
const NAME_NS = 3.5
const PAIR_NS = 12
const SIBLING_NS = 25
/** A selector of so many characters counts twice: a list in parentheses is read to its end. */
const LONG_SELECTOR = 40

/** @returns milliseconds, as a rule several times too many. `shape` has one start tag for each element */
export function estimateMs(shape: string, sheets: string): number {
  const { byKey, names, rules } = readRules(sheets)
  let ns = 0
  const tags = [...shape.matchAll(/<([a-z][^\s>]*)((?:\s[^\s"=>]+="[^"]*")*)\s*>/gi)]
  for (const [, name = '', attributes = ''] of tags) {
    let [declarations, siblings] = [attributes.match(/\sstyle="[^"]*"/)?.[0].split(';').length ?? 0, 0]
    for (const key of keysOf(name, attributes)) {
      const cost = byKey.get(key)
      declarations += cost?.declarations ?? 0
      siblings += cost?.siblings ?? 0
    }
    const merging = declarations * (DECLARATION_NS + Math.min(declarations, names) * NAME_NS)
    ns += rules * PAIR_NS + merging + siblings * tags.length * SIBLING_NS
  }
  return ns / 1e6
}

function keysOf(name: string, attributes: string): string[] {
  const classes =
    /\sclass="([^"]*)"/
      .exec(attributes)?.[1]
      ?.split(/\s+/)
      .map((one) => `.${one}`) ?? []
  const id = /\sid="([^"]*)"/.exec(attributes)?.[1]
  return [
    '*',
    name.toLowerCase(),
    ...classes.map((one) => one.toLowerCase()),
    ...(id === undefined ? [] : [`#${id.toLowerCase()}`]),
  ]
}

function readRules(sheets: string) {
  const byKey = new Map<string, Cost>()
  const names = new Set<string>()
  let rules = 0
  for (const { selectors, declarations } of splitRules(sheets)) {
    for (const [name] of declarations.matchAll(/[^\s;:{}]+(?=\s*:)/g)) names.add(name)
    const count = declarations.split(';').length
    for (const selector of selectors) {
      rules += 1 + selector.length / LONG_SELECTOR
      const key = keyOf(selector)
      const cost = byKey.get(key) ?? { declarations: 0, siblings: 0 }
      cost.declarations += count
      // Each `~` looks at all children before the element.
      cost.siblings += selector.match(/~(?!=)/g)?.length ?? 0
      byKey.set(key, cost)
    }
  }
  return { byKey, names: names.size, rules }
}

/** The rules outside of blocks such as `@media`, which are not inlined. */
function* splitRules(sheets: string): Generator<{ selectors: string[]; declarations: string }> {
  const text = sheets.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ')
  const brace = /[{}]/g
  let depth = 0
  let [from, begin] = [0, 0]
  for (const { 0: char, index } of text.matchAll(brace)) {
    if (char === '{' && depth++ === 0) begin = index
    if (char === '}' && depth > 0 && --depth === 0) {
      const prelude = text
        .slice(from, begin)
        .replace(/@[^;{]*;/g, '')
        .trim()
      from = index + 1
      if (prelude.startsWith('@')) continue
      const selectors = prelude.includes('(') ? [prelude] : prelude.split(',')
      yield { selectors, declarations: text.slice(begin + 1, index) }
    }
  }
  if (depth > 0) yield { selectors: [text.slice(from, begin)], declarations: text.slice(begin + 1) }
}

/** An element has the key of each selector that matches it: of the last part its id, a class, its name, or `*`. */
function keyOf(selector: string): string {
  // A list in parentheses may mean any element.
  if (/[(\\[]/.test(selector)) return '*'
  const last =
    selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1)
      ?.replace(/::?[\w-]+/g, '')
      .toLowerCase() ?? ''
  return /#[^.#:]+/.exec(last)?.[0] ?? /\.[^.#:]+/.exec(last)?.[0] ?? (/^[a-z][\w-]*$/.test(last) ? last : '*')
}
