// Charges ranges and loops of Liquid before their lists are made.

import { type Context, Expression, type ForTag, type Token, Tokenizer, toValue } from 'liquidjs'
import { charge, chargeList } from './budget.ts'
import { withoutMarkup } from './liquid-markup.ts'
import { numberOf } from './value-cost.ts'

type RangeToken = Extract<NonNullable<ReturnType<Tokenizer['readGroupOrRange']>>, { lhs: unknown }>
type FilteredValueToken = ReturnType<Tokenizer['readFilteredValue']>

/** The name of a loop is the text of its list; it is printed and compared with the loop. */
const MAX_NAME_CHARS = 128
/** Units for the name and value of a map. */
const PAIR = 5
/** Units for an item: it is copied by `offset`, `limit` and `reversed`. */
const ITEM = 1

/** Evaluates a token and passes its value on. */
class Watched extends Expression {
  readonly #watch: (value: unknown) => unknown
  constructor(token: Token, watch: (value: unknown) => unknown) {
    super([token])
    this.#watch = watch
  }
  override *evaluate(ctx: Context, lenient?: boolean): Generator<unknown, unknown, unknown> {
    return this.#watch(withoutMarkup(toValue(yield super.evaluate(ctx, lenient))))
  }
}

function watch(token: Token, see: (value: unknown) => unknown): FilteredValueToken {
  const { input, begin, end, file } = token
  const value = new Tokenizer('x').readFilteredValue()
  return Object.assign(value, { initial: new Watched(token, see), input, begin, end, file })
}

/** Charges a range for its list. Beyond the safe integers adding one changes nothing, and a range has no end. */
export function boundRange(range: RangeToken): void {
  let low = 0
  const read = (value: unknown) => {
    const bound = numberOf(value)
    if (Math.abs(bound) > Number.MAX_SAFE_INTEGER) chargeList(Number.POSITIVE_INFINITY)
    return bound
  }
  range.lhs = watch(range.lhs, (value) => (low = read(value)))
  range.rhs = watch(range.rhs, (value) => {
    const high = read(value)
    if (high >= low) chargeList(high - low + 1)
    return high
  })
}

/** Charges a loop for reading its list; each turn is charged by its nodes. */
export function meterLoop(loop: ForTag): void {
  loop.collection = watch(loop.collection, (value) => {
    if (Array.isArray(value)) charge(ITEM * value.length)
    else if (typeof value === 'object' && value !== null) charge(PAIR * Object.keys(value).length)
    return value
  })
  loop.collection.end = Math.min(loop.collection.end, loop.collection.begin + MAX_NAME_CHARS)
  const { hash } = loop.hash
  for (const [name, token] of Object.entries(hash)) {
    if (name !== 'reversed' && token !== undefined) hash[name] = watch(token, numberOf)
  }
}
