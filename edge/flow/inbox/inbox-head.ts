// Returns the head of an inbox as a commit left it, for the answer to the user who changed it.

import type { InboxHead } from '../../../contract/api.ts'
import type { Inboxes, InboxOwner } from '../../domain/message.ts'
import type { InboxPush } from '../../domain/plan.ts'

/** @returns the head of the user's last push; read from the store when the commit changed nothing of theirs */
export async function headAfter(
  inboxes: Pick<Inboxes, 'head'>,
  owner: InboxOwner,
  pushes: InboxPush[],
): Promise<InboxHead> {
  const push = pushes.findLast((one) => one.userNo === owner.userNo)
  if (push === undefined) return inboxes.head(owner)
  const { epoch, seq, unread, unopened } = push
  return { epoch, seq, unread, unopened }
}
