// Tests the meter of expressions: what is over the budget ends, and nothing adds to it.

import { describe, expect, test } from 'vitest'
import { charge, chargeList, chargeText, MAX_LIST_ITEMS, MAX_TEXT_CHARS, OverBudget, withBudget } from './budget.ts'

describe('a budget', () => {
  test('ends an evaluation at its last unit', () => {
    expect(withBudget(() => charge(10), 10)).toBeUndefined()
    expect(() => withBudget(() => charge(11), 10)).toThrow(OverBudget)
  })

  test('is spent also when the evaluation catches the error', () => {
    const catches = () => {
      try {
        charge(11)
      } catch {}
      return 'done'
    }
    expect(() => withBudget(catches, 10)).toThrow(OverBudget)
  })

  test('is spent by a number of units that is none', () => {
    expect(() => withBudget(() => charge(Number.NaN))).toThrow(OverBudget)
    expect(() => withBudget(() => chargeList(Number.NaN))).toThrow(OverBudget)
  })

  test('gets nothing back from less than no units', () => {
    const refunds = () => {
      charge(-1000)
      charge(11)
    }
    expect(() => withBudget(refunds, 10)).toThrow(OverBudget)
  })

  test('has limits for one text and one list', () => {
    expect(() => withBudget(() => chargeText(MAX_TEXT_CHARS))).not.toThrow()
    expect(() => withBudget(() => chargeText(MAX_TEXT_CHARS + 1))).toThrow(OverBudget)
    expect(() => withBudget(() => chargeList(MAX_LIST_ITEMS))).not.toThrow()
    expect(() => withBudget(() => chargeList(MAX_LIST_ITEMS + 1))).toThrow(OverBudget)
  })
})
