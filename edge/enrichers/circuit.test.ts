// Tests circuits: opened by failures in a row, probed by one call at a time, closed by a success.

import { beforeEach, expect, test } from 'vitest'
import { type Circuits, createCircuits } from './circuit.ts'

let clock: { at: number; now(): number }
let circuits: Circuits
beforeEach(() => {
  clock = { at: 1000, now: () => clock.at }
  circuits = createCircuits(clock)
})

function failTimes(times: number, key = 'a') {
  let last: ReturnType<Circuits['report']>
  for (let time = 0; time < times; time++) last = circuits.report(key, 'closed', true)
  return last
}

test('ten failures in a row open it, nine and a success do not', () => {
  expect(failTimes(9)).toBeUndefined()
  expect(circuits.report('a', 'closed', false)).toBeUndefined()
  expect(failTimes(9)).toBeUndefined()
  expect(circuits.enter('a')).toBe('closed')
  expect(failTimes(1)).toEqual({ openedForMs: 10_000 })
  expect(circuits.enter('a')).toBe('open')
  expect(circuits.enter('b')).toBe('closed')
  expect(circuits.countOpen()).toBe(1)
})

test('after its time one call probes; a success closes it', () => {
  failTimes(10)
  clock.at += 10_000
  expect(circuits.enter('a')).toBe('probe')
  expect(circuits.enter('a')).toBe('open')
  expect(circuits.report('a', 'probe', false)).toBe('closed')
  expect(circuits.enter('a')).toBe('closed')
  expect(circuits.countOpen()).toBe(0)
})

test('a probe that fails opens it for twice as long, up to two minutes', () => {
  failTimes(10)
  const times: number[] = []
  for (let turn = 0; turn < 6; turn++) {
    clock.at += 200_000
    expect(circuits.enter('a')).toBe('probe')
    const change = circuits.report('a', 'probe', true)
    times.push(typeof change === 'object' ? change.openedForMs : 0)
  }
  expect(times).toEqual([20_000, 40_000, 80_000, 120_000, 120_000, 120_000])
})

test('failures of calls that began before the circuit opened do not count, and do not end a probe', () => {
  failTimes(10)
  expect(failTimes(5)).toBeUndefined()
  clock.at += 10_000
  expect(circuits.enter('a')).toBe('probe')
  expect(failTimes(1)).toBeUndefined()
  expect(circuits.enter('a')).toBe('open')
  expect(circuits.report('a', 'probe', true)).toEqual({ openedForMs: 20_000 })
})

test('a trial may probe while it is open, and a probe that sent nothing lets another call probe', () => {
  failTimes(10)
  expect(circuits.enter('a', true)).toBe('probe')
  expect(circuits.enter('a', true)).toBe('open')
  circuits.cancel('a', 'probe')
  expect(circuits.enter('a', true)).toBe('probe')
})
