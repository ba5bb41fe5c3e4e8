// Applies inbox plans, such as archive, snooze, remove and read-all. They write no delivery event.

import type { InboxState } from '../../../domain/message.ts'
import type { InboxAction, InboxOutcome, InboxPlan } from '../../../domain/plan.ts'
import { type InboxWork, stateOf } from './inbox-work.ts'
import { SECTION, sectionOf } from './list-section.ts'
import type { WorkingMessage } from './working-rows.ts'

/** A read-all of more messages is pushed as a reset, because its changes would displace all others in the log. */
const RESET_ABOVE = 500

/** Applies the items in order, then the read-all. `inboxes` contains all messages and the head. */
export function changeInbox(inboxes: InboxWork, plan: InboxPlan): InboxOutcome {
  let changed = 0
  const found = plan.items.map(({ messageId, actions }) => {
    const message = inboxes.find(messageId)
    if (message === undefined || !isInInbox(message, plan)) return false
    const next = actions.reduce((state, action) => stateAfter(state, action, plan.now), stateOf(message))
    if (inboxes.change(message, next)) changed++
    return true
  })
  if (plan.readAllUpTo !== null) changed += readAll(inboxes, plan.userNo, plan.readAllUpTo)
  return { found, changed, pushes: inboxes.takePushes() }
}

function isInInbox(message: WorkingMessage, plan: InboxPlan): boolean {
  return (
    message.environmentId === plan.environmentId &&
    message.userNo === plan.userNo &&
    message.seq > 0 &&
    message.removedAt === null
  )
}

/** Marks the messages of the list as opened. Archived and snoozed messages stay unopened until they are listed. */
function readAll(inboxes: InboxWork, userNo: number, upTo: number): number {
  const marked = inboxes
    .listOf(userNo)
    .filter(
      (message) => message.seq > 0 && message.seq <= upTo && sectionOf(message) === SECTION.listed && message.unopened,
    )
    .sort((a, b) => a.seq - b.seq)
  const next = (state: InboxState): InboxState => ({ ...state, unopened: false })
  if (marked.length > RESET_ABOVE) inboxes.changeWithReset(userNo, marked, next)
  else for (const message of marked) inboxes.change(message, next(stateOf(message)))
  return marked.length
}

function stateAfter(state: InboxState, action: InboxAction, now: number): InboxState {
  switch (action.action) {
    case 'archive':
      return { ...state, archivedAt: state.archivedAt ?? now }
    case 'unarchive':
      return { ...state, archivedAt: null }
    case 'unopen':
      return { ...state, unopened: true }
    case 'mark-opened':
      return { ...state, unopened: false }
    case 'remove':
    case 'expire':
      return { ...state, removedAt: state.removedAt ?? now }
    case 'unsnooze':
      return { ...state, snoozedUntil: null }
    case 'end-snooze':
      return state.snoozedUntil !== null && state.snoozedUntil <= now ? { ...state, snoozedUntil: null } : state
    case 'snooze':
      return { ...state, snoozedUntil: action.until }
  }
}
