// Tests the id of a call (equal for the same step of the same run) and the texts of failures.

import { expect, test } from 'vitest'
import { callIdOf, failureReason } from './enricher.ts'

test('the id of a call is derived from its run and step, and has no full stop', () => {
  expect(callIdOf(42, 'order.details')).toBe(callIdOf(42, 'order.details'))
  expect(callIdOf(42, 'order.details')).toMatch(/^enr_[0-9a-f]{32}$/)
  const ids = [callIdOf(1, '23'), callIdOf(12, '3'), callIdOf(1, '2'), callIdOf(1, '3')]
  expect(new Set(ids).size).toBe(ids.length)
})

test('the text of a failure has its code first, then its reason', () => {
  const failure = { ok: false, attempts: 1, durationMs: 3 } as const
  expect(failureReason({ ...failure, code: 'timeout', message: 'It took too long.' })).toBe(
    'timeout: It took too long.',
  )
  expect(failureReason({ ...failure, code: 'hmac-invalid', reason: 'bad-signature', message: 'No.' })).toBe(
    'hmac-invalid (bad-signature): No.',
  )
})
