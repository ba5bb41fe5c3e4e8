// Derives the state of an account with a mail provider from its last mail and its last fault.

import type { TemplateResult } from 'lit'
import type { EmailIntegrationAnswer } from '../../../contract/resources/email-integration.ts'
import { badge, type Tone } from '../../elements/badge.ts'

type Account = Pick<EmailIntegrationAnswer, 'state'>

/** Failing: the last fault is newer than the last mail. */
export function stateOf({ state: { lastSentAt, lastErrorAt } }: Account): { state: string; tone: Tone } {
  if (lastErrorAt !== null && (lastSentAt === null || lastSentAt < lastErrorAt))
    return { state: 'failing', tone: 'bad' }
  return lastSentAt === null ? { state: 'not used yet', tone: 'quiet' } : { state: 'sending', tone: 'good' }
}

export function stateBadge(account: Account): TemplateResult {
  const { state, tone } = stateOf(account)
  return badge(state, tone)
}
