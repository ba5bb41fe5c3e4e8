// Describes a suppression: a user, or an address of whoever has it, to whom nothing is sent on a channel.

import { z } from 'zod'
import { CHANNELS } from '../delivery.ts'
import { pageOf } from '../schemas.ts'
import { channelParam, exactlyOne } from './fields.ts'
import { boundedPageQuery } from './page.ts'

/** Why nothing is sent: a report of a provider, a request of the recipient, or an operator's decision. */
export const SUPPRESSION_REASONS = ['bounce', 'complaint', 'unsubscribe', 'manual'] as const

const subject = {
  userId: z.string().min(1).max(256).optional(),
  address: z.string().min(1).max(320).optional(),
}
const ONE_SUBJECT = 'Give exactly one of userId and address.'
const hasOneSubject = ({ userId, address }: Suppressed) => (userId === undefined) !== (address === undefined)

export const suppressionQuery = boundedPageQuery.extend(subject).refine(hasOneSubject, ONE_SUBJECT)

export const suppressionRemoval = z
  .object({ ...subject, channel: channelParam.default('email') })
  .refine(hasOneSubject, ONE_SUBJECT)

export const newSuppression = z
  .object({
    ...subject,
    channel: z.enum(CHANNELS).default('email'),
    reason: z.enum(SUPPRESSION_REASONS).default('manual'),
  })
  .refine(hasOneSubject, ONE_SUBJECT)
  .meta({ id: 'NewSuppression', description: 'For exactly one of the two.', ...exactlyOne('userId', 'address') })

export const suppression = z
  .object({ channel: z.enum(CHANNELS), reason: z.enum(SUPPRESSION_REASONS), createdAt: z.iso.datetime() })
  .meta({ id: 'Suppression' })

export const suppressionPage = pageOf(suppression).meta({ id: 'SuppressionPage' })

export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number]
export type NewSuppression = z.output<typeof newSuppression>
export type SuppressionAnswer = z.output<typeof suppression>

/** Exactly one of the two. */
export interface Suppressed {
  userId?: string | undefined
  address?: string | undefined
}
