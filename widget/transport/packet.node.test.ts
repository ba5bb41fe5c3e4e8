// Our packets against those of the published parser.

import { Decoder, Encoder } from 'socket.io-parser'
import { expect, test } from 'vitest'
import { PACKET, parsePacket } from './packet.ts'

test.each([
  { type: 0, data: { sid: 'x1' } },
  { type: 1 },
  { type: 2, data: ['inbox', { seq: 3, changes: [{ op: 'add', title: '7,[{"é\u2028🔔\n' }] }] },
  { type: 2, data: ['sync', { since: 41 }], id: 0 },
  { type: 3, data: [{ ok: true }], id: 123 },
  { type: 3, data: [], id: 1 },
  { type: 4, data: { message: 'no', data: { code: 'auth/invalid-session' } } },
])('packet %# is read as by the published parser', (packet) => {
  const text = String(new Encoder().encode({ nsp: '/', ...packet })[0])
  const read: { type: number; id?: number; data?: unknown }[] = []
  const published = new Decoder()
  published.on('decoded', (each) => read.push(each))
  published.add(text)
  expect(read).toHaveLength(1)
  const [theirs] = read
  expect(parsePacket(text)).toEqual({ type: String(theirs?.type), id: theirs?.id, data: theirs?.data })
})

test('the kinds of packets are named as they are numbered', () => {
  expect(Object.values(PACKET)).toEqual(['0', '1', '2', '3', '4'])
})

test.each([
  ['', 'nothing'],
  ['9', 'a type that is none'],
  ['51-["inbox",{"_placeholder":true,"num":0}]', 'a binary packet'],
  ['2', 'an event without a name'],
  ['2{"a":1}', 'an event that is no list'],
  ['2["inbox"', 'JSON that is cut off'],
  ['3{"ok":true}', 'an answer that is no list'],
  ['4', 'a refusal without words'],
  ['x2["inbox"]', 'something before it'],
])('%j is refused: %s', (text) => {
  expect(() => parsePacket(text)).toThrow()
})
