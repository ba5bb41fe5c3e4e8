// Finds what is doubtful in a mail that is about to be sent: its size, and what its layout prints.

import type { Doubt, RecordDoubt } from '../../domain/doubt.ts'
import type { ComposedMailParts } from '../../domain/mail/compose-mail.ts'
import { formatId } from '../../lib/id.ts'
import { LARGE_BYTES } from '../mail/compose-preview.ts'

export interface SentMail {
  environmentId: number
  campaignId: number
  stepId: string
  userId: string
  isTest: boolean
  /** The notification config that brings the layout, as its id on the wire; null for the layout of the service. */
  layoutId: string | null
}

/** Records the doubts of a mail; tests show their faults themselves. */
export function doubtMail(
  record: RecordDoubt,
  mail: SentMail,
  composed: Pick<ComposedMailParts, 'html' | 'layoutDoubts'>,
): void {
  const { environmentId, campaignId, stepId, userId, layoutId, isTest } = mail
  if (isTest) return
  const bytes = Buffer.byteLength(composed.html)
  if (bytes >= LARGE_BYTES) {
    record(environmentId, {
      kind: 'mail-too-large',
      subject: { type: 'campaign', id: formatId('campaign', campaignId) },
      message: `Step ${stepId}: the mail has more than ${LARGE_BYTES / 1024} KB of HTML. Gmail cuts it off at 102 KB.`,
      example: `${Math.round(bytes / 1024)} KB`,
      userId,
    })
  }
  const subject: Doubt['subject'] | undefined = layoutId === null ? undefined : { type: 'layout', id: layoutId }
  if (subject === undefined) return
  for (const { kind, what, example } of composed.layoutDoubts ?? []) {
    record(environmentId, { kind, subject, message: `The layout ${what}.`, example, userId })
  }
}
