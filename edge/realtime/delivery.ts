// Pushes and catch-ups of members: every seq once and in order, whatever arrives while the store is read (contract section 5).

import type { InboxChanges } from '../../contract/api.ts'
import type { InboxFrame } from '../../contract/frames.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { BusTopics } from '../domain/bus.ts'
import { cutFrame, frameOfPush, frameOfRead, type ReadChanges, resetFrame, toChanges } from '../domain/inbox-change.ts'
import type { Inboxes } from '../domain/message.ts'
import { encodePacket, type Member, type PushedFrame } from './member.ts'
import type { GatewayMetrics } from './metrics.ts'
import { LARGEST_CATCH_UP, type Outbox } from './outbox.ts'
import type { Presence } from './presence.ts'

export interface Delivery {
  /**
   * The first frame: what came after `since`. The member is in the presence by then and marked as `reading`, so that
   * nothing is lost between this read and the first push. Throws when the store cannot be read.
   */
  begin(member: Member, since: number | null, epoch: string | null): Promise<void>
  push(payload: BusTopics['inbox-pushed']): void
  /** The answer to `sync`; pushes that it covers are not sent again. */
  sync(member: Member, since: number): Promise<InboxChanges>
}

export interface DeliveryDeps {
  inboxes: Pick<Inboxes, 'head' | 'changes'>
  presence: Presence
  outbox: Outbox
  metrics: GatewayMetrics
  /** A member that could not be brought up to date is closed, and comes back. */
  onFault(member: Member, error: unknown): void
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { inboxes, presence, outbox, metrics } = deps

  function sendFrame(member: Member, frame: InboxFrame): void {
    const text = encodePacket('inbox', frame)
    const isTooLarge = text.length > LARGEST_CATCH_UP && frame.changes.length > 1
    const sent = isTooLarge ? encodePacket('inbox', resetFrame(frame)) : text
    if (outbox.send(member, sent)) member.seq = frame.seq
  }

  /** Sends what continues this member's chain; false when something before it is missing. */
  function sendPush(member: Member, pushed: PushedFrame): boolean {
    const { push } = pushed
    if (push.seq <= member.seq) return true
    if (push.from > member.seq && !push.reset) return false
    if (push.from === member.seq || push.reset) {
      if (outbox.send(member, pushed.packet())) member.seq = push.seq
    } else sendFrame(member, cutFrame(pushed.frame(), member.seq))
    return true
  }

  /** Sends all held pushes that continue the chain; false when there is a gap before the others. */
  function sendHeld(member: Member): boolean {
    member.held.sort((a, b) => a.push.from - b.push.from)
    while (member.held[0] !== undefined) {
      if (!sendPush(member, member.held[0])) return false
      member.held.shift()
    }
    return true
  }

  /** Sends what is held, reading from the store what is missing before it. Pushes are held until it is done. */
  async function drain(member: Member): Promise<void> {
    while (!member.gone && !sendHeld(member)) {
      const since = member.seq
      const missed = await inboxes.changes(member.session.userNo, since, null)
      countHeal(metrics, missed)
      const [first] = member.held
      if (missed.reset || missed.head.seq > since) sendFrame(member, frameOfRead(missed, since))
      // The store knows of nothing that was missed (the inbox was erased): the client reads anew.
      else if (first !== undefined) sendFrame(member, resetFrame(first.push))
    }
    member.reading = false
  }

  /** Callers of different depth may tell two commits in the wrong order within one turn of the loop: the missing one gets a turn to come. */
  function drainLater(member: Member): void {
    member.reading = true
    setImmediate(() => drain(member).catch((error) => deps.onFault(member, error)))
  }

  return {
    async begin(member, since, epoch) {
      const { userNo } = member.session
      if (since === null) sendFrame(member, resetFrame(await inboxes.head(userNo)))
      else {
        const read = await inboxes.changes(userNo, since, epoch)
        countHeal(metrics, read)
        sendFrame(member, frameOfRead(read, since))
      }
      await drain(member)
    },

    push({ push, added }) {
      const members = presence.ofUser(push.userNo)
      if (members === undefined) return
      const pushed = lazyFrame(push, added)
      for (const member of members) {
        if (member.reading) hold(member, pushed)
        else if (!sendPush(member, pushed)) {
          hold(member, pushed)
          drainLater(member)
        }
      }
    },

    async sync(member, since) {
      const read = await inboxes.changes(member.session.userNo, since, null)
      countHeal(metrics, read)
      const answer = toChanges(read)
      member.seq = Math.max(member.seq, read.head.seq)
      return answer.changes.length > 1 && JSON.stringify(answer).length > LARGEST_CATCH_UP
        ? { ...answer, changes: [], reset: true }
        : answer
    },
  }
}

/** More than this is not kept: the log has it all. */
function hold(member: Member, pushed: PushedFrame): void {
  if (member.held.length >= LIMITS.socketQueuedPackets) member.held.shift()
  member.held.push(pushed)
}

function lazyFrame(push: PushedFrame['push'], added: PushedFrame['added']): PushedFrame {
  let frame: InboxFrame | undefined
  let packet: string | undefined
  const getFrame = () => {
    frame ??= frameOfPush(push, added)
    return frame
  }
  return {
    push,
    added,
    frame: getFrame,
    packet: () => {
      packet ??= encodePacket('inbox', getFrame())
      return packet
    },
  }
}

function countHeal(metrics: GatewayMetrics, { reset, changes }: ReadChanges): void {
  metrics.onHeal(reset ? 'reset' : changes.length > 0 ? 'changes' : 'current')
}
