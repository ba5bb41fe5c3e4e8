// Every 25 s all connected users hear where their inbox stands, so that even a lost last push heals (contract section 5).

import { setImmediate } from 'node:timers/promises'
import { headFrame } from '../domain/delivery/inbox-change.ts'
import type { Inboxes } from '../domain/message.ts'
import type { Outbox } from './outbox.ts'
import { encodePacket } from './packet.ts'
import type { Presence } from './presence.ts'

/** Sockets that are served in one turn of the loop. */
const SLICE = 500

export interface HeadsDeps {
  inboxes: Pick<Inboxes, 'heads'>
  presence: Presence
  outbox: Outbox
}

/** One query; each user's packet is encoded once. */
export async function stateHeads({ inboxes, presence, outbox }: HeadsDeps): Promise<void> {
  const userNos = presence.userNos()
  if (userNos.length === 0) return
  const heads = await inboxes.heads(userNos)
  let served = 0
  for (const [userNo, head] of heads) {
    const packet = encodePacket('inbox', headFrame(head))
    for (const member of presence.ofUser(userNo) ?? []) {
      // One that has come further since the query, or is about to, needs no old news.
      if (member.reading || member.seq > head.seq) continue
      outbox.send(member, packet)
      if (++served % SLICE === 0) await setImmediate()
    }
  }
}
