// Meters what one evaluation of a customer's expression costs, and ends it beyond its budget.

/** A text that an expression makes. Events and profiles hold no longer one. */
export const MAX_TEXT_CHARS = 65_536
/** A list that an expression makes. */
export const MAX_LIST_ITEMS = 20_000
/** One unit is about the work of visiting one value: 50 to 100 ns. */
const MAX_UNITS = 1_000_000
/** Characters that are read, copied or compared for one unit. */
const CHARS_PER_UNIT = 16

/** Thrown beyond the budget. It has no stack: an evaluation that catches errors in a loop ends at almost no cost. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget'
  /** It was not evaluated, because it ended a process before. */
  isRefusal = false
}

function createOverBudget(message: string, isRefusal: boolean): OverBudget {
  const error = new OverBudget(message)
  error.isRefusal = isRefusal
  error.stack = ''
  return error
}

const OVER_BUDGET = createOverBudget('costs too much', false)
const REFUSED = createOverBudget('ended the process that evaluated it', true)

/** Evaluations are synchronous and do not contain each other, so one budget is enough. */
let left = 0
let isRefused = false

/**
 * Evaluates with a full budget.
 * @throws OverBudget also when the evaluation caught it itself
 */
export function withBudget<T>(evaluate: () => T, units = MAX_UNITS): T {
  if (isRefused) throw REFUSED
  left = units
  try {
    const value = evaluate()
    if (left >= 0) return value
  } catch (error) {
    if (left >= 0) throw error
  }
  throw OVER_BUDGET
}

/** Runs code in which each evaluation fails, because an earlier one there ended its process. */
export function refusingEvaluations<T>(run: () => T): T {
  isRefused = true
  try {
    return run()
  } finally {
    isRefused = false
  }
}

/** Takes units from the budget of the evaluation in progress. @throws OverBudget once it is spent */
export function charge(units: number): void {
  left -= units
  // Written so that a number of units that is no number ends the evaluation.
  if (!(left >= 0)) {
    // Later charges of a spent budget fail too, however small they are.
    left = Number.NEGATIVE_INFINITY
    throw OVER_BUDGET
  }
}

/** Charges for reading, copying or comparing a text of this length. @throws OverBudget */
export function chargeChars(chars: number): void {
  charge(1 + chars / CHARS_PER_UNIT)
}

/** Charges for a text that an expression is about to make. @throws OverBudget, also for a text that is too long */
export function chargeText(chars: number): void {
  if (chars > MAX_TEXT_CHARS) charge(Number.POSITIVE_INFINITY)
  chargeChars(chars)
}

/** Charges for a list that an expression is about to make. @throws OverBudget, also for a list that is too long */
export function chargeList(items: number): void {
  if (items > MAX_LIST_ITEMS) charge(Number.POSITIVE_INFINITY)
  charge(1 + items)
}
