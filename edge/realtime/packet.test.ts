// Packets that are encoded by hand are those of Socket.IO.

import { Encoder, PacketType } from 'socket.io-parser'
import { expect, test } from 'vitest'
import type { InboxFrame } from '../../contract/frames.ts'
import { encodePacket } from './packet.ts'

test('an event of the main namespace is encoded as Socket.IO encodes it', () => {
  const frame: InboxFrame = { epoch: 'é"\u2028', from: 1, seq: 1, unread: 0, unopened: 0, changes: [], reset: true }
  const [text] = new Encoder().encode({ type: PacketType.EVENT, nsp: '/', data: ['inbox', frame] })
  expect(encodePacket('inbox', frame)).toBe(text)
})
