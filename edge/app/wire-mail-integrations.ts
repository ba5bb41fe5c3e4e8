// Wires integrations with providers of mail: their settings, their senders, and the calls of their webhooks.

import { createFindTexts } from '../auth/find-texts.ts'
import type { MailAddress, MailProviders } from '../domain/mail/mail-provider.ts'
import { ownAccountOf } from '../email/providers/smtp-credentials.ts'
import type { FindSendingChannels } from '../flow/inbox/manage-preferences.ts'
import { type CheckDomains, createCheckDomains } from '../flow/mail/check-domains.ts'
import { createFindMailWay, type FindMailWay } from '../flow/mail/find-mail-way.ts'
import { createFindSenders, type FindSenders } from '../flow/mail/find-senders.ts'
import { createReceiveReports, type ReceiveReports } from '../flow/mail/receive-reports.ts'
import { createRecordReports } from '../flow/mail/record-reports.ts'
import { createManageIntegrations, type ManageIntegrations } from '../flow/tenant/manage-integrations.ts'
import { createTestIntegration, type TestIntegration } from '../flow/tenant/test-integration.ts'
import type { GuardedFetch } from '../lib/outbound/guarded-fetch.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'

/** The way of mails out of this server. */
export interface MailPorts {
  providers: MailProviders
  fetch: GuardedFetch['fetch']
  /** The sender where an integration names none; null: there is none. */
  defaultFrom: MailAddress | null
  /** Whether the server itself sends mails of environments without an integration. */
  hasOwnSender: boolean
  /** Whether the environment belongs to the demo. */
  isOfDemo(environmentId: string): Promise<boolean>
}

export interface MailIntegrationParts {
  mailProviders: MailProviders
  senders: FindSenders
  /** Users choose among these channels. */
  findChannels: FindSendingChannels
  manageIntegrations: ManageIntegrations
  testIntegration: TestIntegration
  checkDomains: CheckDomains
  receiveReports: ReceiveReports
  findMailWay: FindMailWay
}

export function wireMailIntegrations(
  core: Core,
  { sealer }: Pick<Auth, 'sealer'>,
  { providers, fetch, defaultFrom, hasOwnSender, isOfDemo }: MailPorts,
): MailIntegrationParts {
  const { stores, bus, clock, ids, log, publicUrl, commitPlan, findTexts = createFindTexts() } = core
  const { mailIntegrations: integrations, mails, sendRules } = stores
  const { seal, open } = sealer
  const senders = createFindSenders({ mailIntegrations: integrations, mailProviders: providers, open, hasOwnSender, bus, clock, log })
  return {
    mailProviders: providers,
    senders,
    findMailWay: createFindMailWay({ mailIntegrations: integrations, hasOwnSender, isOfDemo }),
    findChannels: async (environmentId) =>
      (await senders.canSendMail(environmentId)) ? ['inbox', 'email'] : ['inbox'],
    manageIntegrations: createManageIntegrations({
      mailIntegrations: integrations,
      mailProviders: providers,
      seal,
      open,
      publicUrl,
      bus,
      audit: stores.audit,
      clock,
      ids,
    }),
    testIntegration: createTestIntegration({ mailIntegrations: integrations, mailProviders: providers, open, defaultFrom, clock }),
    checkDomains: createCheckDomains({
      ...{ mailIntegrations: integrations, mailProviders: providers, open, defaultFrom, findTexts },
      configs: stores.configs,
      ownAccount: ownAccountOf(core.settings.smtpUrl),
    }),
    receiveReports: createReceiveReports({
      mailIntegrations: integrations,
      mailProviders: providers,
      open,
      record: createRecordReports({ mails, commitMail: commitPlan, commitDelivery: commitPlan, sendRules, bus }),
      confirm: (url) => fetch(url),
    }),
  }
}
