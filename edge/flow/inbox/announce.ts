// After a commit: its pushes go out, and the caller gets the head that the commit left (contract section 5).

import type { InboxHead } from '../../../contract/api.ts'
import type { Bus } from '../../domain/bus.ts'
import { toPushedFrame } from '../../domain/delivery/pushed-frame.ts'
import type { Inboxes } from '../../domain/message.ts'
import type { InboxPush } from '../../domain/plan.ts'

/** The user of a widget session, in its environment. */
export interface InboxOwner {
  environmentId: number
  userNo: number
}

/** Publishes pushes that add no message. */
export function announce(bus: Pick<Bus, 'publish'>, pushes: InboxPush[]): void {
  for (const push of pushes) bus.publish('inbox-pushed', toPushedFrame(push, []))
}

/** The owner's head as the commit left it; read when the commit changed nothing of theirs. */
export async function headAfter(
  inboxes: Pick<Inboxes, 'head'>,
  userNo: number,
  pushes: InboxPush[],
): Promise<InboxHead> {
  const push = pushes.findLast((one) => one.userNo === userNo)
  if (push === undefined) return inboxes.head(userNo)
  const { epoch, seq, unread, unopened } = push
  return { epoch, seq, unread, unopened }
}
