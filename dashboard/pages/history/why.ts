// Says in one sentence what became of a message and why, with the page of the cause.

import type { DeliveryDetailAnswer } from '../../../contract/resources/delivery.ts'
import type { RunAnswer } from '../../../contract/resources/run.ts'
import { formatSpan, formatTime } from '../../lib/format.ts'
import { reasonName } from '../../lib/reasons.ts'
import type { PageName } from '../../routing/routes.ts'

export interface Cause {
  label: string
  page: PageName
  id?: string
  query?: Readonly<Record<string, string>>
}

export interface Why {
  text: string
  /** Where the cause is changed; undefined where nothing has to be. */
  cause?: Cause
}

export type ToldDelivery = Pick<
  DeliveryDetailAnswer,
  | 'status'
  | 'statusReason'
  | 'channel'
  | 'engagement'
  | 'userId'
  | 'userName'
  | 'campaignId'
  | 'campaignName'
  | 'stepId'
  | 'lastError'
  | 'sentAt'
  | 'deliveredAt'
  | 'readAt'
  | 'openedAt'
  | 'clickedAt'
  | 'nextAttemptAt'
>

/** @param run Its trace has the reason of the step; undefined until it is read. */
export function whyOf(detail: ToldDelivery, run: Pick<RunAnswer, 'steps'> | undefined): Why {
  const { status } = detail
  if (status === 'skipped' || status === 'failed' || status === 'cancelled') return whyNot(detail, run)
  if (status === 'bounced')
    return { text: `Bounced: the address takes no mail.${errorOf(detail)}`, cause: toUser(detail) }
  if (status === 'scheduled' || status === 'queued') return whyLater(detail)
  if (status === 'sending') return { text: 'It is being handed to the provider.' }
  if (status === 'sent')
    return { text: `The provider took it. No report says yet that it arrived.${engagementOf(detail)}` }
  const where = detail.channel === 'inbox' ? 'Delivered to the inbox' : 'Delivered to the mailbox'
  return { text: `${where}.${engagementOf(detail)}` }
}

const BEGINNINGS = { skipped: 'Not sent', failed: 'Failed', cancelled: 'Cancelled' } as const

function whyNot(detail: ToldDelivery, run: Pick<RunAnswer, 'steps'> | undefined): Why {
  const { status, statusReason, stepId, lastError } = detail
  const beginning = BEGINNINGS[status as keyof typeof BEGINNINGS]
  const step = run?.steps.findLast((one) => one.stepId === stepId)
  const cause = causeOf(detail)
  if (statusReason === 'suppressed')
    return { text: `${beginning}: ${detail.userName ?? detail.userId} is suppressed on this channel.`, ...cause }
  // The trace has the sentence of the engine; a code alone says no more than the reason.
  const told = lastError ?? (step?.reason?.includes(' ') ? step.reason : null)
  const why = told ?? (statusReason === null ? null : reasonName(statusReason))
  return { text: why === null ? `${beginning}.` : `${beginning}: ${sentence(why)}`, ...cause }
}

function whyLater(detail: ToldDelivery): Why {
  const { statusReason, nextAttemptAt } = detail
  const until = nextAttemptAt === null ? '' : ` until ${formatTime(nextAttemptAt)}`
  if (statusReason === 'quiet-hours') return { text: `It waits for the end of the user's quiet hours${until}.` }
  if (detail.lastError !== null)
    return {
      text: `It waits for another attempt${until}.${errorOf(detail)}`,
      cause: { label: 'Mail accounts', page: 'integrations' },
    }
  return { text: nextAttemptAt === null ? 'It waits for its turn.' : `It waits${until}.` }
}

const errorOf = ({ lastError }: ToldDelivery): string =>
  lastError === null ? '' : ` The last answer: ${sentence(lastError)}`

/** The last step of the recipient, with the time since the message was there. */
function engagementOf(detail: ToldDelivery): string {
  const { clickedAt, openedAt, readAt, deliveredAt, sentAt } = detail
  const [word, at] =
    clickedAt !== null ? ['clicked', clickedAt] : openedAt !== null ? ['opened', openedAt] : ['read', readAt]
  if (at === null) return detail.channel === 'inbox' ? ' It was not in view yet.' : ''
  const since = deliveredAt ?? sentAt
  const later = since === null ? '' : ` ${formatSpan(Math.max(0, Date.parse(at) - Date.parse(since)))} later`
  return ` It was ${word}${later}.`
}

const sentence = (text: string): string => (/[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`)

const toUser = ({ userId }: ToldDelivery): Cause => ({ label: 'The user', page: 'user', id: userId })

const toCampaign = ({ campaignId, campaignName }: ToldDelivery): Cause => ({
  ...{ label: `The campaign ${campaignName}`, page: 'campaign' },
  id: campaignId,
})

function causeOf(detail: ToldDelivery): { cause?: Cause } {
  const { statusReason } = detail
  if (statusReason === 'suppressed')
    return { cause: { label: 'The suppression', page: 'suppressions', query: { userId: detail.userId } } }
  if (statusReason === 'preference' || statusReason === 'quiet-hours' || statusReason === 'no-address')
    return { cause: toUser(detail) }
  if (statusReason === 'no-provider') return { cause: { label: 'Connect a mail account', page: 'integrations' } }
  if (statusReason === 'provider-error') return { cause: { label: 'Mail accounts', page: 'integrations' } }
  if (statusReason === 'enricher-error') return { cause: { label: 'Enrichers', page: 'enrichers' } }
  if (statusReason === 'retries-exhausted') return { cause: { label: 'What was given up', page: 'given-up' } }
  if (statusReason === 'sandbox') return { cause: { label: 'The sandbox', page: 'environments' } }
  return statusReason === null ? {} : { cause: toCampaign(detail) }
}
