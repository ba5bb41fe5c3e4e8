// What counts as a client that does not read: time that this process stood still does not.

import { expect, test } from 'vitest'
import type { Member } from './member.ts'
import type { CutReason } from './metrics.ts'
import { NO_METRICS } from './metrics.ts'
import { createOutbox } from './outbox.ts'

function givenFull() {
  const cuts: CutReason[] = []
  let ranMs = 0
  const outbox = createOutbox({ ...NO_METRICS, onCut: (reason) => void cuts.push(reason) }, () => ranMs)
  const waiting = Array.from({ length: 300 }, () => ({ data: 'x' }))
  const connection = { writeBuffer: waiting, write() {} }
  const net = { writableLength: 0, destroy() {} }
  const member = { connection, net, gone: false, fullSince: null } as object as Member
  return {
    cuts,
    hasRoom: () => outbox.hasRoom(member),
    run: (ms: number) => {
      ranMs += ms
    },
    drain: () => waiting.splice(0),
  }
}

test('one that is full for a moment is kept, one that stays full is cut', () => {
  const given = givenFull()
  expect(given.hasRoom()).toBe(true)
  given.run(199)
  expect(given.hasRoom()).toBe(true)
  given.run(1)
  expect(given.hasRoom()).toBe(false)
  expect(given.cuts).toEqual(['slow'])
})

test('one that was full twice, and empty between, is kept', () => {
  const given = givenFull()
  expect(given.hasRoom()).toBe(true)
  given.drain()
  given.run(1000)
  expect(given.hasRoom()).toBe(true)
  expect(given.cuts).toEqual([])
})
