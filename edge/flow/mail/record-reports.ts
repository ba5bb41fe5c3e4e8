// Records reports of a provider on the mails of its environment: status, engagement and suppressions.

import type { RegisteredEventType } from '../../../contract/delivery.ts'
import { safeLink } from '../../../contract/link.ts'
import type { SuppressionReason } from '../../../contract/resources/suppression.ts'
import type { Core } from '../../domain/core.ts'
import type { MailOutcome, MailPlan, Mails, SentMail } from '../../domain/mail/mail.ts'
import type { MailIntegration } from '../../domain/mail/mail-integration.ts'
import type { MailReport, ReportKind } from '../../domain/mail/mail-provider.ts'
import type { DeliveryOutcome, DeliveryPlan } from '../../domain/plan.ts'
import { parseId } from '../../lib/id.ts'
import { suppressAddress } from './suppress-address.ts'

/** @returns The number of reports on mails of the integration's environment. */
export type RecordReports = (
  integration: Pick<MailIntegration, 'id' | 'environmentId' | 'provider'>,
  reports: readonly MailReport[],
  now: number,
) => Promise<number>

type Taken = Pick<Core, 'mails' | 'sendRules' | 'bus'> & {
  commitMail(plan: MailPlan): Promise<MailOutcome>
  commitDelivery(plan: DeliveryPlan): Promise<DeliveryOutcome>
}

/** Plans that are committed together; a call may have thousands of events. */
const PLANS_AT_ONCE = 100

/** The status that a report proves; null: it proves nothing. */
const STATUS: Record<ReportKind, 'accepted' | 'delivered' | 'bounced' | null> = {
  read: 'accepted',
  opened: 'accepted',
  clicked: 'accepted',
  delivered: 'delivered',
  bounced: 'bounced',
  dropped: 'bounced',
  deferred: null,
  complaint: 'delivered',
  unsubscribe: 'accepted',
}

const ENGAGEMENT: Partial<Record<ReportKind, RegisteredEventType>> = {
  read: 'read',
  opened: 'opened',
  clicked: 'clicked',
}

const SUPPRESSION: Partial<Record<ReportKind, SuppressionReason>> = {
  bounced: 'bounce',
  complaint: 'complaint',
  unsubscribe: 'unsubscribe',
}

interface MatchedReport {
  report: MailReport
  mail: SentMail
}

export function createRecordReports(deps: Taken): RecordReports {
  return async function recordReports(integration, reports, now) {
    const matched = await matchReports(deps, integration, reports)
    // Oldest first: the status of a mail only moves forward.
    matched.sort((left, right) => left.report.at - right.report.at)
    const { environmentId, provider } = integration
    // The status comes first: engagement with a mail that is not accepted would count before its delivery.
    const ofUsers = matched.filter((one) => findCopy(one) === undefined)
    await inParts(toMailPlans(environmentId, ofUsers, now), deps.commitMail)
    await inParts(toDeliveryPlans(environmentId, provider, ofUsers, now), deps.commitDelivery)
    await suppressAll(deps, environmentId, matched, now)
    return matched.length
  }
}

/** Returns the address of a copy that the report is about: it says nothing about the user's own mail. */
function findCopy({ report, mail }: MatchedReport): string | undefined {
  const address = report.address?.trim().toLowerCase()
  if (address === undefined || address === mail.address.toLowerCase()) return undefined
  return mail.copies?.find((copy) => copy.toLowerCase() === address)
}

/** Finds the mail of each report: by our id first, then by the provider's. */
async function matchReports(
  { mails }: Taken,
  { id, environmentId }: Pick<MailIntegration, 'id' | 'environmentId'>,
  reports: readonly MailReport[],
): Promise<MatchedReport[]> {
  const named = reports.map(({ messageId }) => (messageId === null ? undefined : parseId('message', messageId)))
  const own = await findOwn(mails, environmentId, named)
  const isUnmatched = (index: number) => !own.has(named[index] ?? Number.NaN)
  const providerIds = reports.flatMap(({ providerMessageId }, index) =>
    providerMessageId !== null && isUnmatched(index) ? [providerMessageId] : [],
  )
  const byProvider =
    providerIds.length === 0 ? new Map<string, number>() : await mails.findByProviderIds(id, [...new Set(providerIds)])
  const others = await findOwn(mails, environmentId, [...byProvider.values()])
  return reports.flatMap((report, index) => {
    const found = byProvider.get(report.providerMessageId ?? '') ?? Number.NaN
    const mail = own.get(named[index] ?? Number.NaN) ?? others.get(found)
    return mail === undefined ? [] : [{ report, mail }]
  })
}

function findOwn(mails: Pick<Mails, 'findOwn'>, environmentId: number, ids: (number | undefined)[]) {
  const given = new Set(ids.filter((id) => id !== undefined))
  return given.size === 0 ? new Map<number, SentMail>() : mails.findOwn(environmentId, [...given])
}

/** @returns A plan for each mail and status; the acceptance alone is left out where it is recorded already. */
function toMailPlans(environmentId: number, matched: MatchedReport[], now: number): MailPlan[] {
  const plans = new Map<string, MailPlan>()
  for (const { report, mail } of matched) {
    const status = STATUS[report.kind]
    if (status === null || (status === 'accepted' && mail.isAccepted)) continue
    const key = `${mail.messageId} ${status}`
    if (plans.has(key)) continue
    const { at, providerMessageId, reason } = report
    const error = status === 'bounced' ? reason : null
    const change = { does: 'report', status, at, providerMessageId, error } as const
    plans.set(key, { kind: 'mail', environmentId, messageId: mail.messageId, fence: null, now, change })
  }
  return [...plans.values()]
}

function toDeliveryPlans(
  environmentId: number,
  provider: MailIntegration['provider'],
  matched: MatchedReport[],
  now: number,
): DeliveryPlan[] {
  const items = matched.flatMap(({ report, mail }): DeliveryPlan['items'] => {
    const eventType = ENGAGEMENT[report.kind]
    if (eventType === undefined) return []
    const { at: occurredAt, automated, link } = report
    const { messageId } = mail
    const followed = eventType === 'clicked' ? safeLink(link, true) : null
    const item = { messageId, eventType, occurredAt, automated, source: provider, link: followed }
    // Providers name addresses of callers each in its own way, or not at all. What is read was fetched by a proxy.
    return [eventType === 'read' ? item : { ...item, fetchedFrom: null }]
  })
  const plans: DeliveryPlan[] = []
  for (let from = 0; from < items.length; from += PLANS_AT_ONCE) {
    const part = items.slice(from, from + PLANS_AT_ONCE)
    plans.push({ kind: 'deliver', environmentId, userNo: null, now, items: part })
  }
  return plans
}

/** Suppresses the address that the mail was sent to; an address in a report may differ by forwarding. */
async function suppressAll(deps: Taken, environmentId: number, matched: MatchedReport[], now: number): Promise<void> {
  const reasons = new Map<string, SuppressionReason>()
  for (const { report, mail } of matched) {
    const reason = SUPPRESSION[report.kind]
    if (reason === undefined) continue
    // A provider's refusal also holds for critical categories, which a recipient's request does not.
    const address = findCopy({ report, mail }) ?? mail.address
    const former = reasons.get(address) ?? 'unsubscribe'
    if (former === 'unsubscribe') reasons.set(address, reason)
  }
  await inParts([...reasons], async ([address, reason]) => {
    await suppressAddress(deps, { environmentId, address, reason }, now)
  })
}

/** Commits parts one after another, and the plans of a part together. */
async function inParts<T>(plans: readonly T[], commit: (plan: T) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < plans.length; from += PLANS_AT_ONCE) {
    await Promise.all(plans.slice(from, from + PLANS_AT_ONCE).map(commit))
  }
}
