// Lists all write operations by their names, by which they are sent to the writer.

import { againJobWrites } from './again-job.ts'
import { auditWrites } from './audit.ts'
import { campaignWrites } from './campaign.ts'
import { leaseWrites } from './claims/renew-leases.ts'
import { deliveryBodyWrites } from './delivery-body.ts'
import { deliveryRunWrites } from './delivery-run.ts'
import { digestWrites } from './digest.ts'
import { doubtWrites } from './doubt.ts'
import { endingSecretWrites } from './ending-secret.ts'
import { enricherWrites } from './enricher.ts'
import { environmentWrites } from './environment.ts'
import { environmentErasureWrites } from './environment-erasure.ts'
import { eventNameWrites } from './event-name.ts'
import { funnelWrites } from './funnel.ts'
import { givenUpWrites } from './given-up.ts'
import { heldMailWrites } from './held-mail.ts'
import { installationWrites } from './installation.ts'
import { jobWrites } from './job.ts'
import { mailWrites } from './mail.ts'
import { mailIntegrationWrites } from './mail-integration.ts'
import { mailLayoutWrites } from './mail-layout.ts'
import { mailboxWrites } from './mailbox.ts'
import { noticeWrites } from './notice.ts'
import { notificationConfigWrites } from './notification-config.ts'
import { organisationWrites } from './organisation.ts'
import { challengeWrites } from './people/challenge.ts'
import { dashboardSessionWrites } from './people/dashboard-session.ts'
import { oneTimeLinkWrites } from './people/one-time-link.ts'
import { passkeyWrites } from './people/passkey.ts'
import { peopleWrites } from './people/person.ts'
import { provedDomainWrites } from './people/proved-domain.ts'
import { secondFactorWrites } from './people/second-factor.ts'
import { setUpWrites } from './people/set-up.ts'
import { singleSignOnWrites } from './people/single-sign-on.ts'
import { retentionWrites } from './retention.ts'
import { runWaitWrites } from './run-wait.ts'
import { secretWrites } from './secret.ts'
import { rotationWrites } from './secret-rotation.ts'
import { sendRulesWrites } from './send-rules.ts'
import { sessionWrites } from './session.ts'
import { sourceWrites } from './source.ts'
import { textFileWrites } from './text-file.ts'
import { topicWrites } from './topic.ts'
import { userWrites } from './user.ts'
import { healthWrites, type Writes } from './write.ts'

/** All write operations by their unique names, except the commit of plans. */
export const WRITES = {
  ...installationWrites,
  ...organisationWrites,
  ...environmentWrites,
  ...environmentErasureWrites,
  ...notificationConfigWrites,
  ...enricherWrites,
  ...textFileWrites,
  ...mailboxWrites,
  ...mailIntegrationWrites,
  ...mailLayoutWrites,
  ...sourceWrites,
  ...deliveryBodyWrites,
  ...deliveryRunWrites,
  ...againJobWrites,
  ...secretWrites,
  ...rotationWrites,
  ...endingSecretWrites,
  ...auditWrites,
  ...peopleWrites,
  ...dashboardSessionWrites,
  ...oneTimeLinkWrites,
  ...setUpWrites,
  ...challengeWrites,
  ...secondFactorWrites,
  ...passkeyWrites,
  ...provedDomainWrites,
  ...singleSignOnWrites,
  ...userWrites,
  ...topicWrites,
  ...sessionWrites,
  ...noticeWrites,
  ...jobWrites,
  ...digestWrites,
  ...runWaitWrites,
  ...leaseWrites,
  ...givenUpWrites,
  ...mailWrites,
  ...heldMailWrites,
  ...campaignWrites,
  ...funnelWrites,
  ...retentionWrites,
  ...eventNameWrites,
  ...doubtWrites,
  ...sendRulesWrites,
  ...healthWrites,
}
export type WriteName = keyof typeof WRITES
export type AllWrites = Writes<typeof WRITES>

/** A write as plain data. */
export interface NamedWrite {
  name: WriteName
  args: unknown[]
}

/** @returns The operations as functions that pass name and arguments to the writer. */
export function bindWrites(perform: (write: NamedWrite) => Promise<unknown>): AllWrites {
  const names = Object.keys(WRITES) as WriteName[]
  const bound = names.map((name) => [name, (...args: unknown[]) => perform({ name, args })] as const)
  return Object.fromEntries(bound) as AllWrites
}
