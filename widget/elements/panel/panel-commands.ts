// The keys that do something to a message, or to all that are chosen.

import type { InboxMessage } from '../../../contract/api.ts'
import type { MessageChange } from '../../inbox/core-types.ts'
import type { IconName } from './icons.ts'
import type { PanelState } from './panel-state.ts'
import type { ViewActions, ViewContext } from './view-context.ts'

/** Held down, they act once: what a repeated key would do to the next message, nobody meant. */
export const COMMAND_KEYS = ['e', 'u', 'h', 'x', 'z', '?']

/** True when the key was one of these. `message` is the one in focus, or the open one. */
export type Command = (key: string, message: InboxMessage | undefined) => boolean

export function createCommands(
  state: PanelState,
  act: ViewActions,
  find: (id: string) => InboxMessage | undefined,
): Command {
  const onMessages: Record<string, (messages: InboxMessage[]) => void> = {
    e: (messages) => archive(act, messages),
    u: (messages) => act.change(messages, { unopened: !messages.some(({ unopened }) => unopened) }, ''),
    h: ([message, ...others]) => {
      if (message?.archivedAt === null && others.length === 0) act.chooseSnooze(message)
    },
  }
  return (key, message) => {
    if (key === '?') act.help(!state.isHelpShown)
    else if (key === 'z') act.undo()
    else if (key === 'x' && message !== undefined && state.detailId === undefined) act.select(toggled(state, message))
    else {
      const chosen = [...(state.selected ?? [])].flatMap((id) => find(id) ?? [])
      const messages = chosen.length > 0 ? chosen : message === undefined ? [] : [message]
      const does = Object.hasOwn(onMessages, key) ? onMessages[key] : undefined
      if (does === undefined || messages.length === 0) return false
      does(messages)
    }
    return true
  }
}

/** Into the archive, or out of it when they are there. */
export function archive(act: ViewActions, messages: InboxMessage[]): void {
  const isArchived = messages[0]?.archivedAt !== null
  act.change(messages, { archived: !isArchived }, isArchived ? 'done_unarchived' : 'done_archived')
}

/** What can be done with a message, in the order of its row: the key of the word that says it, its icon, the deed. */
export function deedsOn(
  { act, snoozing }: ViewContext,
  message: InboxMessage,
): [word: string, icon: IconName, does: () => void][] {
  const { archivedAt, snoozedUntil, unopened } = message
  const word = archivedAt === null ? 'archive' : 'unarchive'
  const put = (change: MessageChange, done: string) => () => act.change([message], change, done)
  const archiving: ReturnType<typeof deedsOn>[number] = [word, word, () => archive(act, [message])]
  if (archivedAt !== null) return [archiving]
  return [
    [unopened ? 'markRead' : 'markUnread', unopened ? 'check' : 'dotted', put({ unopened: !unopened }, '')],
    archiving,
    snoozedUntil === null
      ? ['snooze', 'snooze', () => act.chooseSnooze(snoozing?.id === message.id ? undefined : message)]
      : ['unsnooze', 'snooze', put({ snoozedUntil: null }, 'done_unsnoozed')],
  ]
}

/** What is chosen once this message is added or taken away. */
export function toggled({ selected }: Pick<PanelState, 'selected'>, { id }: InboxMessage): string[] {
  const before = [...(selected ?? [])]
  return before.includes(id) ? before.filter((other) => other !== id) : [...before, id]
}
