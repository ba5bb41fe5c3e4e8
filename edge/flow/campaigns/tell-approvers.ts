// Mails the people who can approve what another person asks to publish.

import { includesRole, ROLES } from '../../../contract/role.ts'
import type { Core } from '../../domain/core.ts'
import type { CallCounter } from '../../domain/limits/call-limits.ts'
import type { ApprovalMail } from '../../domain/mail/approval-mail.ts'
import { sha256Hex } from '../../lib/hmac.ts'
import { formatId } from '../../lib/id.ts'
import type { Asked } from './publish-campaigns.ts'

/** People of a larger organisation see it in the dashboard. */
const MOST_MAILED = 100
/** Whoever asks, withdraws and asks again within this time sends no further mails. */
const MAILED_ONCE_MS = 60 * 60_000

type Taken = Pick<Core, 'people' | 'organisations' | 'log'> & {
  /** Counts the requests of a person for a campaign. */
  counter: CallCounter
  /** Sends without waiting for the mail server; null without one: the dashboard says it alone. */
  mail: ((mail: ApprovalMail) => void) | null
  linkOf(organisationId: string, environmentId: string, campaignId: string): string
}

/** @returns Resolves once the mails are on their way. Never rejects: the request is stored already. */
export function createTellApprovers(deps: Taken): (asked: Asked) => Promise<void> {
  return async ({ environment, campaign, askedBy, note = null }) => {
    const { mail, people, organisations, log } = deps
    if (mail === null) return
    const { id, organisationId, name, publishRole } = environment
    try {
      const key = `dashboard approval ${campaign.id} by ${sha256Hex(askedBy)}`
      const { used } = await deps.counter.add(key, 1, MAILED_ONCE_MS)
      if (used > 1) return
      const roles = ROLES.filter((role) => includesRole(role, publishRole))
      const members = await people.listByRole(organisationId, roles, MOST_MAILED)
      const { locale } = (await organisations.findSettings(organisationId)) ?? {}
      const link = deps.linkOf(formatId('organisation', organisationId), formatId('environment', id), campaign.id)
      const words = { by: askedBy, campaign: campaign.name, environment: name, note, link, locale }
      for (const { email } of members) if (email !== askedBy) mail({ to: email, ...words })
    } catch (error) {
      log.error('mails to approvers not sent', { error, campaignId: campaign.id })
    }
  }
}
