// Wires integrations with providers of mail: their settings, their senders, and the calls of their webhooks.

import type { MailAddress } from '../domain/mail/mail-provider.ts'
import { ownAccountOf } from '../email/providers/smtp-credentials.ts'
import type { FindSendingChannels } from '../flow/inbox/manage-preferences.ts'
import { type CheckDomains, createCheckDomains } from '../flow/mail/check-domains.ts'
import { createFindMailWay, type FindMailWay } from '../flow/mail/find-mail-way.ts'
import { createFindSenders, type FindSenders } from '../flow/mail/find-senders.ts'
import { createReceiveReports, type ReceiveReports } from '../flow/mail/receive-reports.ts'
import { createRecordReports } from '../flow/mail/record-reports.ts'
import { createManageIntegrations, type ManageIntegrations } from '../flow/tenant/manage-integrations.ts'
import { createTestIntegration, type TestIntegration } from '../flow/tenant/test-integration.ts'
import type { AppCore } from './core.ts'
import type { Auth } from './wire-auth.ts'

/** The way of mails out of this server. */
export interface MailPorts {
  /** The sender where an integration names none; null: there is none. */
  defaultFrom: MailAddress | null
  /** Whether the server itself sends mails of environments without an integration. */
  hasOwnSender: boolean
  /** Whether the environment belongs to the demo. */
  isOfDemo(environmentId: string): Promise<boolean>
}

export interface MailIntegrationParts {
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
  core: AppCore,
  ports: MailPorts & Pick<Auth, 'requireOpen'>,
): MailIntegrationParts {
  const { commitPlan, mailOutbound } = core
  const senders = createFindSenders({ ...core, ...ports })
  return {
    senders,
    findMailWay: createFindMailWay({ ...core, ...ports }),
    findChannels: async (environmentId) =>
      (await senders.canSendMail(environmentId)) ? ['inbox', 'email'] : ['inbox'],
    manageIntegrations: createManageIntegrations(core),
    testIntegration: createTestIntegration({ ...core, ...ports }),
    checkDomains: createCheckDomains({ ...core, ...ports, ownAccount: ownAccountOf(core.settings.smtpUrl) }),
    receiveReports: createReceiveReports({
      ...core,
      requireOpen: ports.requireOpen,
      record: createRecordReports({ ...core, commitMail: commitPlan, commitDelivery: commitPlan }),
      confirm: (url) => mailOutbound.fetch(url),
    }),
  }
}
