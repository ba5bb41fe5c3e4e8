// Tests when a client counts as slow, and the encoding of packets.

import { Encoder, PacketType } from 'socket.io-parser'
import { expect, test } from 'vitest'
import type { InboxFrame } from '../../contract/frames.ts'
import type { CutReason } from './metrics.ts'
import { NO_METRICS } from './metrics.ts'
import type { Member } from './presence.ts'
import { createSendBuffer, encodePacket } from './send-buffer.ts'

function givenFull() {
  const cuts: CutReason[] = []
  let ranMs = 0
  const buffer = createSendBuffer({ ...NO_METRICS, onCut: (reason) => void cuts.push(reason) }, () => ranMs)
  const waiting = Array.from({ length: 300 }, () => ({ data: 'x' }))
  const connection = { writeBuffer: waiting, write() {} }
  const net = { writableLength: 0, destroy() {} }
  const member = { connection, net, gone: false, fullSince: null } as object as Member
  return {
    cuts,
    hasCapacity: () => buffer.hasCapacity(member),
    run: (ms: number) => {
      ranMs += ms
    },
    drain: () => waiting.splice(0),
  }
}

test('a socket whose buffer is full for a moment stays, one whose buffer stays full is destroyed', () => {
  const given = givenFull()
  expect(given.hasCapacity()).toBe(true)
  given.run(199)
  expect(given.hasCapacity()).toBe(true)
  given.run(1)
  expect(given.hasCapacity()).toBe(false)
  expect(given.cuts).toEqual(['slow'])
})

test('a socket whose buffer was full twice, and empty in between, stays', () => {
  const given = givenFull()
  expect(given.hasCapacity()).toBe(true)
  given.drain()
  given.run(1000)
  expect(given.hasCapacity()).toBe(true)
  expect(given.cuts).toEqual([])
})

test('an event of the main namespace is encoded as Socket.IO encodes it', () => {
  const frame: InboxFrame = { epoch: 'é"\u2028', from: 1, seq: 1, unread: 0, unopened: 0, changes: [], reset: true }
  const [text] = new Encoder().encode({ type: PacketType.EVENT, nsp: '/', data: ['inbox', frame] })
  expect(encodePacket('inbox', frame)).toBe(text)
})
