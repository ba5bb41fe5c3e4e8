// Applies mail plans: hand-over, acceptance, retry, end and reports of a mail. Its status only moves forward.

import type { MailChange, MailOutcome, MailPlan } from '../../../domain/mail/mail.ts'
import { type MailAttempt, withAnswer, withAttempt } from '../../../domain/mail/mail-attempt.ts'
import type { MailRows, WorkingMail } from './mail-rows.ts'
import { countDelivery, type DeliveryWork } from './record-delivery.ts'
import type { WorkingMessage } from './working-rows.ts'

type ClaimedChange = Exclude<MailChange, { does: 'report' }>
type Report = Extract<MailChange, { does: 'report' }>

/** The reason of a mail whose hand-over was interrupted: a report may still prove that it was accepted. */
const OUTCOME_UNKNOWN = 'outcome-unknown'

/** Applies the plan. `work` contains the message, and `mails` the mail. */
export function changeMail(work: DeliveryWork, mails: MailRows, plan: MailPlan): MailOutcome {
  const { messageId, environmentId, fence, change, answered } = plan
  const message = work.inboxes.find(messageId)
  const mail = mails.find(messageId)
  if (message === undefined || mail === undefined || message.environmentId !== environmentId) return { mail: 'lost' }
  const accept = (at: number) => recordAcceptance(work, message, mail, at)
  // The record has the answer also when a report has decided about the mail meanwhile.
  const { status, statusReason } = mail
  const isAnswered = answered !== undefined && mail.fence === fence
  if (isAnswered) mail.attemptLog = withAnswer(mail.attemptLog, answered)
  const isChanged =
    change.does === 'report'
      ? applyReport(mail, change, Math.max(message.createdAt, Math.min(change.at, plan.now)), accept)
      : mail.fence === fence && applyClaimed(mail, change, plan.now, accept)
  if (isChanged || isAnswered) mails.change(mail)
  work.steps.countReason(message, status, statusReason, -1)
  work.steps.countReason(message, mail.status, mail.statusReason, 1)
  // Also where a report decided first: nothing needs the former content of a mail that was answered.
  if ((isChanged || isAnswered) && plan.snapshot !== undefined) mails.keep([environmentId, messageId], plan.snapshot)
  return { mail: isChanged ? 'changed' : 'lost' }
}

/** The reason of a mail that waits for the end of quiet hours. */
export const QUIET_HOURS = 'quiet-hours'

/** Returns whether nothing is decided about the mail. */
const isOpen = ({ status }: WorkingMail) => status === 'scheduled' || status === 'queued' || status === 'sending'

/** Applies a change under a claim; returns false when a report has decided about the mail meanwhile. */
function applyClaimed(mail: WorkingMail, change: ClaimedChange, now: number, accept: (at: number) => void): boolean {
  if (!isOpen(mail)) return change.does === 'accept' && learnProviderId(mail, change.providerMessageId)
  const isFault = change.does === 'release' && change.error !== undefined && change.isAttempt !== true
  if (!isFault) mail.claims = 0
  mail.statusReason = null
  switch (change.does) {
    case 'hand-over':
      mail.status = 'sending'
      mail.attempts += 1
      mail.firstAttemptAt ??= now
      mail.handedTo = change.integrationId
      mail.integrationId = change.integrationId
      mail.provider = change.provider
      mail.layoutHash = change.layoutHash
      mail.attemptLog = withAttempt(mail.attemptLog, { at: now, ...toAsked(change), outcome: 'unknown', answer: null })
      mail.permitFrom = null
      mail.pausedCampaign = null
      return true
    case 'accept':
      accept(now)
      learnProviderId(mail, change.providerMessageId)
      return true
    case 'retry':
      mail.lastError = change.error
      mail.handedTo = null
      endClaim(mail, change.at)
      return true
    case 'release':
      mail.lastError = change.error ?? mail.lastError
      if (change.isAttempt === true) countUnasked(mail, 'unavailable', change.error, now)
      endClaim(mail, change.at)
      return true
    case 'await-permit':
      if (change.error !== null) {
        mail.lastError = change.error
        mail.handedTo = null
      }
      endClaim(mail, null)
      mail.permitFrom = change.integrationId
      return true
    case 'await-resume':
      endClaim(mail, change.until)
      mail.pausedCampaign = change.campaignId
      return true
    case 'await-quiet-end':
      mail.statusReason = QUIET_HOURS
      mail.firstAttemptAt = null
      endClaim(mail, change.at)
      return true
    case 'end':
      mail.status = change.status
      mail.statusReason = change.reason
      mail.lastError = change.error ?? mail.lastError
      mail.givenUpAt = change.isGivenUp === true ? now : null
      if (change.isAttempt === true) countUnasked(mail, 'render-error', change.error, now)
      leaveQueue(mail)
      return true
  }
}

/** Counts an attempt in which no provider was asked. */
function countUnasked(
  mail: WorkingMail,
  outcome: MailAttempt['outcome'],
  answer: string | null | undefined,
  at: number,
): void {
  mail.attempts += 1
  mail.firstAttemptAt ??= at
  const attempt = { at, integrationId: null, provider: null, outcome, answer: answer ?? null }
  mail.attemptLog = withAttempt(mail.attemptLog, attempt)
}

const toAsked = ({ integrationId, provider, redirectedTo }: Extract<MailChange, { does: 'hand-over' }>) => ({
  integrationId,
  provider,
  ...(redirectedTo !== undefined && { redirectedTo }),
})

/** Raises the fence, so that no later change or renewal of the claim takes effect. */
function endClaim(mail: WorkingMail, at: number | null): void {
  mail.readyAt = at ?? mail.readyAt
  mail.claimableAt = at
  mail.fence += 1
  mail.permitFrom = null
  mail.pausedCampaign = null
}

function leaveQueue(mail: WorkingMail): void {
  mail.claimableAt = null
  mail.permitFrom = null
  mail.pausedCampaign = null
}

/** Applies a report, which proves the acceptance; returns false when it says nothing new. */
function applyReport(mail: WorkingMail, report: Report, at: number, accept: (at: number) => void): boolean {
  const proves = isOpen(mail) || (mail.status === 'failed' && mail.statusReason === OUTCOME_UNKNOWN)
  if (mail.acceptedAt === null && !proves) return false
  let isNew = mail.acceptedAt === null
  if (isNew) accept(at)
  isNew = learnProviderId(mail, report.providerMessageId) || isNew
  if (report.status === 'delivered' && mail.deliveredAt === null) {
    mail.deliveredAt = at
    if (mail.status === 'sent') mail.status = 'delivered'
    return true
  }
  if (report.status === 'bounced' && mail.bouncedAt === null) {
    mail.bouncedAt = at
    mail.lastError = report.error ?? mail.lastError
    mail.status = 'bounced'
    return true
  }
  return isNew
}

function learnProviderId(mail: WorkingMail, providerMessageId: string | null): boolean {
  if (providerMessageId === null || mail.providerMessageId !== null) return false
  mail.providerMessageId = providerMessageId
  return true
}

/** Records the acceptance once: it is the funnel's delivery. */
function recordAcceptance(work: DeliveryWork, message: WorkingMessage, mail: WorkingMail, at: number): void {
  mail.status = 'sent'
  mail.statusReason = null
  mail.acceptedAt = at
  mail.sentAt = at
  mail.handedTo = null
  leaveQueue(mail)
  message.deliveredAt = at
  countDelivery(work, message, at)
}
