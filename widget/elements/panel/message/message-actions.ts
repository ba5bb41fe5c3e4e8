// Lists what can be done with a message, in the order of its row.

import type { InboxMessage } from '../../../../contract/api.ts'
import type { MessageChange } from '../../../inbox/core-types.ts'
import type { IconName } from '../icons.ts'
import type { PanelActions } from '../panel-actions.ts'

export interface MessageAction {
  /** Of its label. */
  key: string
  icon: IconName
  run: () => void
}

export function messageActions(message: InboxMessage, actions: PanelActions): MessageAction[] {
  const { archivedAt, snoozedUntil, unopened } = message
  const change = (wanted: MessageChange, done: string) => () => actions.change([message], wanted, done)
  const key = archivedAt === null ? 'archive' : 'unarchive'
  const archive: MessageAction = { key, icon: key, run: () => actions.archive([message]) }
  if (archivedAt !== null) return [archive]
  return [
    {
      key: unopened ? 'markRead' : 'markUnread',
      icon: unopened ? 'check' : 'dotted',
      run: change({ unopened: !unopened }, ''),
    },
    archive,
    snoozedUntil === null
      ? { key: 'snooze', icon: 'snooze', run: () => actions.toggleSnooze(message) }
      : { key: 'unsnooze', icon: 'snooze', run: change({ snoozedUntil: null }, 'done_unsnoozed') },
  ]
}
