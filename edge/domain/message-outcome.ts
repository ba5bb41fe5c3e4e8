// Names what becomes of a message when it is committed.

import type { MessageStatus } from '../../contract/delivery.ts'

/** `held-back`: a rule, a preference or a state keeps it from being sent. */
export const MESSAGE_OUTCOMES = ['made', 'held-back', 'failed'] as const
export type MessageOutcome = (typeof MESSAGE_OUTCOMES)[number]

/** @returns The outcome of a message with that status. */
export function outcomeOf(status: MessageStatus): MessageOutcome {
  if (status === 'skipped' || status === 'cancelled') return 'held-back'
  return status === 'failed' ? 'failed' : 'made'
}
