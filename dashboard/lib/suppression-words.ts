// Words for suppressions: why there is one, and what to think of before it is removed.

import type { SuppressionReason } from '../../contract/resources/suppression.ts'

export const SUPPRESSION_WORDS: Readonly<Record<SuppressionReason, string>> = {
  manual: 'Decided by an operator',
  unsubscribe: 'Unsubscribed',
  bounce: 'The address bounced',
  complaint: 'Reported as spam',
}

export const SUPPRESSION_WARNINGS: Readonly<Partial<Record<SuppressionReason, string>>> = {
  unsubscribe: 'The recipient has asked for no more messages: have their consent.',
  bounce: 'The provider has refused this address.',
  complaint: 'The recipient has reported a message as spam.',
}
