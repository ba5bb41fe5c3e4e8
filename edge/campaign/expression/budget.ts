// Meters what one evaluation of a customer's expression costs, and ends it beyond its budget.

/** A text that an expression makes. Events and profiles hold no longer one. */
export const MAX_TEXT_CHARS = 65_536
/** A list that an expression makes. */
export const MAX_LIST_ITEMS = 20_000
/** One unit is about the work of visiting one value: 50 to 100 ns. */
const MAX_UNITS = 1_500_000
/** Characters that are read, copied or compared for one unit. */
const CHARS_PER_UNIT = 16

/** Why an evaluation ended; `refused`: it was not evaluated, because it ended a process before. */
export type OverBudgetReason = 'cost' | 'text' | 'list' | 'refused'

/** Thrown beyond the budget. It has no stack: an evaluation that catches errors in a loop ends at almost no cost. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget'
  readonly reason: OverBudgetReason
  constructor(reason: OverBudgetReason) {
    super(MESSAGES[reason])
    this.reason = reason
    this.stack = ''
  }
}

/** Follow the words "the condition" or "the template". */
const MESSAGES: Record<OverBudgetReason, string> = {
  cost: 'costs too much',
  text: `makes a text of more than ${MAX_TEXT_CHARS} characters`,
  list: `makes a list of more than ${MAX_LIST_ITEMS} items`,
  refused: 'ended the process that evaluated it',
}
const OVER_BUDGET = new OverBudget('cost')
const TEXT_TOO_LONG = new OverBudget('text')
const LIST_TOO_LONG = new OverBudget('list')
const REFUSED = new OverBudget('refused')

/** Evaluations are synchronous and do not contain each other, so one budget is enough. */
let left = 0
/** The error that spent it. */
let spentBy = OVER_BUDGET
let isRefused = false
let spent = 0

/** Returns the units of all evaluations of this process so far; the caller compares two answers. */
export function unitsSpent(): number {
  return spent
}

/** Counts work that no budget limits, such as compiling. */
export function countUnits(units: number): void {
  spent += units
}

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
  } finally {
    spent += units - Math.max(left, 0)
  }
  throw spentBy
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

/** Takes units from the budget of the evaluation in progress; less than none gives none back. @throws OverBudget once it is spent */
export function charge(units: number): void {
  left -= Math.max(0, units)
  // Written so that a number of units that is no number ends the evaluation.
  if (!(left >= 0)) end(OVER_BUDGET)
}

function end(error: OverBudget): never {
  // Later charges of a spent budget fail too, however small they are; the first error is reported.
  if (left !== Number.NEGATIVE_INFINITY) spentBy = error
  left = Number.NEGATIVE_INFINITY
  throw spentBy
}

/** Charges for reading, copying or comparing a text of this length. @throws OverBudget */
export function chargeChars(chars: number): void {
  charge(1 + chars / CHARS_PER_UNIT)
}

/** @throws OverBudget for a text that is too long */
export function checkText(chars: number): void {
  if (chars > MAX_TEXT_CHARS) end(TEXT_TOO_LONG)
}

/** Charges for a text that an expression is about to make. @throws OverBudget, also for a text that is too long */
export function chargeText(chars: number): void {
  checkText(chars)
  chargeChars(chars)
}

/** Charges for a list that an expression is about to make. @throws OverBudget, also for a list that is too long */
export function chargeList(items: number): void {
  if (items > MAX_LIST_ITEMS) end(LIST_TOO_LONG)
  charge(1 + items)
}
