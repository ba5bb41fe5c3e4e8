// Names why mails are put off, for the metrics.

import type { MailChange } from '../../domain/mail/mail.ts'

/** `fault`: by an error of ours, or because the service is busy. */
export type PutOffReason = 'provider' | 'busy' | 'permit' | 'pause' | 'fault'

/** By the change that puts a mail off; absent ones do not. */
export const PUT_OFF: Partial<Record<MailChange['does'], PutOffReason>> = {
  retry: 'provider',
  release: 'busy',
  'await-permit': 'permit',
  'await-resume': 'pause',
}
