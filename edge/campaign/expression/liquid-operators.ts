// Charges the operators of Liquid for what they read.

import { type Context, Drop, defaultOperators, toValueSync } from 'liquidjs'
import { charge } from './budget.ts'
import { withoutMarkup } from './liquid-markup.ts'
import { findComparedText, kindOfText, noteDoubt } from './noted-doubts.ts'
import { chargeAsText, chargeComparison, chargeSearch, STEP } from './value-cost.ts'

type Operators = typeof defaultOperators

function chargeEquality(left: unknown, right: unknown): void {
  if (typeof left === 'string' && typeof right === 'string') chargeComparison(left)
  else if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length === right.length) chargeComparison(left)
  } else if (left instanceof Drop) chargeComparison(Array.isArray(right) ? undefined : right)
  else if (right instanceof Drop) chargeComparison(Array.isArray(left) ? undefined : left)
}

/** JavaScript orders lists and objects as texts. */
function chargeOrder(left: unknown, right: unknown): void {
  chargeAsText(left)
  chargeAsText(right)
}

function chargeContains(left: unknown, right: unknown): void {
  if (Array.isArray(left)) {
    charge(STEP * left.length)
    for (const item of left) chargeEquality(item, right)
  } else chargeSearch(chargeAsText(left), chargeAsText(right))
}

/** Notes a text that meets a number or a boolean and means none. JavaScript orders the text of a number as a number. */
function noteComparison(left: unknown, right: unknown, operator: string): void {
  const found = findComparedText(left, right, operator)
  if (found === undefined) return
  const { text, other } = found
  if (/^[<>]/.test(operator) && text.trim() !== '' && !Number.isNaN(Number(text))) return
  noteDoubt('text-compared', operator, () => [`compares a text with ${other} by ${operator}`, kindOfText(text)])
}

const CHARGES: Record<string, (left: unknown, right: unknown) => void> = {
  '==': chargeEquality,
  '!=': chargeEquality,
  '<': chargeOrder,
  '<=': chargeOrder,
  '>': chargeOrder,
  '>=': chargeOrder,
  contains: chargeContains,
}

/** Given to each engine. `and`, `or` and `not` read nothing but their operands. */
export const operators: Operators = Object.fromEntries(
  Object.entries(defaultOperators).map(([name, operator]) => {
    const chargeOperands = CHARGES[name]
    if (chargeOperands === undefined) return [name, operator]
    const metered: Operators[string] = (first, second, ctx) => {
      const [left, right] = [withoutMarkup(first), withoutMarkup(second)]
      chargeOperands(left, right)
      noteComparison(left, right, name)
      // The engine's own takes a generator or two.
      if (name === '==' && typeof left !== 'object' && typeof right !== 'object') return left === right
      return operator(left, right, ctx)
    }
    return [name, metered]
  }),
)

/** Returns whether two values are equal in Liquid. @throws OverBudget */
export function isEqual(first: unknown, second: unknown, ctx: Context): boolean {
  const [left, right] = [withoutMarkup(first), withoutMarkup(second)]
  if (typeof left !== 'object' && typeof right !== 'object') {
    chargeEquality(left, right)
    noteComparison(left, right, '==')
    return left === right
  }
  return toValueSync(operators['==']?.(left, right, ctx)) === true
}
