// Pushes and catch-ups of members: every seq once and in order, whatever arrives while the store is read (contract section 5).

import type { InboxChanges } from '../../contract/api.ts'
import type { BusTopics } from '../domain/bus.ts'
import { frameOfRead, type ReadChanges, resetFrame, toChanges } from '../domain/delivery/inbox-change.ts'
import { type CatchUpReaderDeps, createCatchUpReader } from './catch-up-reader.ts'
import { createChain } from './chain.ts'
import type { Member } from './member.ts'
import type { GatewayMetrics } from './metrics.ts'
import { LARGEST_CATCH_UP, type Outbox } from './outbox.ts'
import type { Presence } from './presence.ts'
import { toPushedPacket } from './pushed-packet.ts'

export interface Delivery {
  /**
   * The first frame: what came after `since`. The member is in the presence by then and marked as `reading`, so that
   * nothing is lost between this read and the first push. Throws when the store cannot be read.
   */
  begin(member: Member, since: number | null, epoch: string | null): Promise<void>
  push(pushed: BusTopics['inbox-pushed']): void
  /** The answer to `sync`; pushes that it covers are not sent again. */
  sync(member: Member, since: number): Promise<InboxChanges>
}

export interface DeliveryDeps extends CatchUpReaderDeps {
  presence: Presence
  outbox: Outbox
  metrics: GatewayMetrics
  /** A member that could not be brought up to date is closed, and comes back. */
  onFault(member: Member, error: unknown): void
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { presence, metrics } = deps
  const chain = createChain(deps.outbox)
  const read = createCatchUpReader(deps)

  /** Sends what is held, reading from the store what is missing before it. Pushes are held until it is done. */
  async function drain(member: Member): Promise<void> {
    while (!member.gone && !chain.sendHeld(member)) {
      const since = member.seq
      const missed = await read({ userNo: member.session.userNo, since, epoch: null })
      countHeal(metrics, missed)
      const [first] = member.held
      if (missed.reset || missed.head.seq > since) chain.sendFrame(member, frameOfRead(missed, since))
      // The store knows of nothing that was missed (the inbox was erased): the client reads anew.
      else if (first !== undefined) chain.sendFrame(member, resetFrame(first.push.frame()))
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
      const missed = await read({ userNo, since, epoch })
      if (since === null) chain.sendFrame(member, resetFrame(missed.head))
      else {
        countHeal(metrics, missed)
        chain.sendFrame(member, frameOfRead(missed, since))
      }
      await drain(member)
    },

    push(pushed) {
      const members = presence.ofUser(pushed.userNo)
      if (members === undefined) return
      const packet = toPushedPacket(pushed)
      for (const member of members) {
        if (member.reading) chain.hold(member, packet)
        else if (!chain.sendPush(member, packet)) {
          chain.hold(member, packet)
          drainLater(member)
        }
      }
    },

    async sync(member, since) {
      const missed = await read({ userNo: member.session.userNo, since, epoch: null })
      countHeal(metrics, missed)
      const answer = toChanges(missed)
      member.seq = Math.max(member.seq, missed.head.seq)
      return answer.changes.length > 1 && JSON.stringify(answer).length > LARGEST_CATCH_UP
        ? { ...answer, changes: [], reset: true }
        : answer
    },
  }
}

function countHeal(metrics: GatewayMetrics, { reset, changes }: ReadChanges): void {
  metrics.onHeal(reset ? 'reset' : changes.length > 0 ? 'changes' : 'current')
}
