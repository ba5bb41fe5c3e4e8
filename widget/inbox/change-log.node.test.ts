// The log of changes: what is new, what is old, what is missing.

import { expect, test } from 'vitest'
import type { InboxChange } from '../../contract/api.ts'
import type { InboxFrame } from '../../contract/frames.ts'
import { createChangeLog, toFrame } from './change-log.ts'

const HEAD = { epoch: 'e1', seq: 10, unread: 3, unopened: 4 }
const change = (seq: number): InboxChange => ({ seq, op: 'remove', id: `msg_${seq}` })
const frame = (from: number, seq: number, more: Partial<InboxFrame> = {}): InboxFrame => ({
  epoch: 'e1',
  from,
  seq,
  unread: seq,
  unopened: seq,
  changes: Array.from({ length: seq - from }, (_, at) => change(from + at + 1)),
  ...more,
})
const seqs = (changes: InboxChange[]) => changes.map(({ seq }) => seq)

test('the next frame is applied, its counts and its seq are taken', () => {
  const log = createChangeLog(HEAD)
  expect(log.take(frame(10, 12))).toMatchObject({ outcome: 'applied', changes: [{ seq: 11 }, { seq: 12 }] })
  expect([log.seq, log.counts]).toEqual([12, { unread: 12, unopened: 12 }])
})

test('a repeated frame changes nothing', () => {
  const log = createChangeLog(HEAD)
  log.take(frame(10, 12))
  expect(log.take(frame(10, 12)).outcome).toBe('old')
  expect(log.take(frame(9, 11, { unread: 99 })).outcome).toBe('old')
  expect(log.counts.unread).toBe(12)
})

test('a frame that overlaps brings only what is newer', () => {
  const log = createChangeLog(HEAD)
  const verdict = log.take(frame(8, 12))
  expect(verdict.outcome === 'applied' && seqs(verdict.changes)).toEqual([11, 12])
})

test('a gap holds frames back until what is missing comes, then all follow in order', () => {
  const log = createChangeLog(HEAD)
  expect(log.take(frame(12, 13)).outcome).toBe('gap')
  expect(log.take(frame(11, 12)).outcome).toBe('gap')
  expect([log.hasGap(), log.seq, log.counts.unread]).toEqual([true, 10, 3])
  const verdict = log.take(frame(10, 11))
  expect(verdict.outcome === 'applied' && seqs(verdict.changes)).toEqual([11, 12, 13])
  expect([log.hasGap(), log.seq, log.counts.unread]).toEqual([false, 13, 13])
})

test('a stated head that is ahead is a gap: even a lost last push heals', () => {
  const log = createChangeLog(HEAD)
  expect(log.take(frame(11, 11)).outcome).toBe('gap')
  const verdict = log.take(toFrame(10, { ...HEAD, seq: 11, unread: 2, changes: [change(11)], reset: false }))
  expect(verdict.outcome === 'applied' && seqs(verdict.changes)).toEqual([11])
  expect([log.hasGap(), log.counts.unread]).toEqual([false, 2])
})

test('another epoch or a reset says: read anew, from where the frame stands', () => {
  const log = createChangeLog(HEAD)
  expect(log.take(frame(3, 3, { epoch: 'e2', unread: 1 })).outcome).toBe('reset')
  expect([log.epoch, log.seq, log.counts.unread]).toEqual(['e2', 3, 1])
  expect(log.take(frame(2, 2, { epoch: 'e2', reset: true })).outcome).toBe('reset')
  expect(log.seq).toBe(2)
})

test('other answers bring counts and never move the seq; older frames do not bring older counts back', () => {
  const log = createChangeLog(HEAD)
  expect(log.takeHead({ epoch: 'e1', seq: 12, unread: 0, unopened: 1 })).toBe(true)
  expect([log.seq, log.counts]).toEqual([10, { unread: 0, unopened: 1 }])
  log.take(frame(10, 11))
  expect([log.seq, log.counts]).toEqual([11, { unread: 0, unopened: 1 }])
  expect(log.takeHead({ epoch: 'e9', seq: 99, unread: 9, unopened: 9 })).toBe(false)
})

test('a count is never negative', () => {
  const log = createChangeLog(HEAD)
  log.take(frame(10, 11, { unread: -1, unopened: -5 }))
  expect(log.counts).toEqual({ unread: 0, unopened: 0 })
})
