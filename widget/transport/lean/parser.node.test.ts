// The packets of our parser against those of the published one.

import { Decoder as PublishedDecoder, Encoder as PublishedEncoder } from 'socket.io-parser'
import { expect, test } from 'vitest'
import { Decoder, Encoder, type Packet, PacketType, parsePacket } from './parser.ts'

const PACKETS: Packet[] = [
  { type: PacketType.CONNECT, nsp: '/', data: { token: 'a.b.c', epoch: '9', since: 12 } },
  { type: PacketType.CONNECT, nsp: '/', data: { sid: 'x1' } },
  { type: PacketType.DISCONNECT, nsp: '/' },
  {
    type: PacketType.EVENT,
    nsp: '/',
    data: ['inbox', { seq: 3, changes: [{ op: 'add', title: '7,[{"é\u2028🔔\n' }] }],
  },
  { type: PacketType.EVENT, nsp: '/', data: ['sync', { since: 41 }], id: 0 },
  { type: PacketType.EVENT, nsp: '/other', data: ['sync'], id: 17 },
  { type: PacketType.ACK, nsp: '/', data: [{ ok: true }], id: 123 },
  { type: PacketType.ACK, nsp: '/', data: [], id: 1 },
  { type: PacketType.CONNECT_ERROR, nsp: '/', data: { message: 'no', data: { code: 'auth/invalid-session' } } },
]

test.each(PACKETS)('packet %# is written and read as by the published parser', (packet) => {
  const texts = new PublishedEncoder().encode({ ...packet, type: packet.type })
  expect(new Encoder().encode(packet)).toEqual(texts)

  const [ours, theirs] = [new Decoder(), new PublishedDecoder()]
  const read: unknown[] = []
  ours.on('decoded', (each: Packet) => read.push(each))
  theirs.on('decoded', (each) => read.push(each))
  ours.add(String(texts[0]))
  theirs.add(String(texts[0]))
  expect(read[0]).toEqual(read[1])
  expect(read).toHaveLength(2)
})

test.each([
  ['', 'nothing'],
  ['9', 'a type that is none'],
  ['51-["inbox",{"_placeholder":true,"num":0}]', 'a binary packet'],
  ['2', 'an event without a name'],
  ['2{"a":1}', 'an event that is no list'],
  ['2["disconnect"]', 'a name that is the client’s own'],
  ['2["inbox"', 'JSON that is cut off'],
  ['3{"ok":true}', 'an answer that is no list'],
  ['1[1]', 'an end with words'],
  ['4[]', 'a refusal that is a list'],
  ['x2["inbox"]', 'something before it'],
])('%j is refused: %s', (text) => {
  expect(() => parsePacket(text)).toThrow()
})
