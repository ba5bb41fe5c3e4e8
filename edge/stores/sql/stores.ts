// Creates all ports over one engine: reads use `sql`, writes are sent to the writer by name.

import type { Commit } from '../../domain/plan.ts'
import type { Stores } from '../../domain/stores.ts'
import { createArrivals } from './arrival.ts'
import { auditWrites, createAuditLog } from './audit.ts'
import { campaignWrites, createCampaigns } from './campaign.ts'
import { createCatchUps } from './catch-up.ts'
import { createLeases, leaseWrites } from './claims/renew-leases.ts'
import { createDeliveryBodies, deliveryBodyWrites } from './delivery-body.ts'
import { createDeliveryHistory } from './delivery-record.ts'
import { createDeliveryRuns, deliveryRunWrites } from './delivery-run.ts'
import { createDigests, digestWrites } from './digest.ts'
import { createDoubts, doubtWrites } from './doubt.ts'
import { createEndingSecrets, endingSecretWrites } from './ending-secret.ts'
import { createEnricherRegistry, enricherWrites } from './enricher.ts'
import { createEnvironments, environmentWrites } from './environment.ts'
import { environmentErasureWrites } from './environment-erasure.ts'
import { createFunnels, funnelWrites } from './funnel.ts'
import { createGivenUps, givenUpWrites } from './given-up.ts'
import { createHeldMails, heldMailWrites } from './held-mail.ts'
import { createInboxes } from './inbox.ts'
import { createInstallations, installationWrites } from './installation.ts'
import { createJobs, jobWrites } from './job.ts'
import { createMails, mailWrites } from './mail.ts'
import { createMailIntegrations, mailIntegrationWrites } from './mail-integration.ts'
import { createMailLayouts, mailLayoutWrites } from './mail-layout.ts'
import { createMailbox, mailboxWrites } from './mailbox.ts'
import { createNotices, noticeWrites, recordNotices } from './notice.ts'
import { createNotificationConfigs, notificationConfigWrites } from './notification-config.ts'
import { createOrganisations, organisationWrites } from './organisation.ts'
import { challengeWrites, createChallenges } from './people/challenge.ts'
import { createDashboardSessions, dashboardSessionWrites } from './people/dashboard-session.ts'
import { createOneTimeLinks, oneTimeLinkWrites } from './people/one-time-link.ts'
import { createPasskeys, passkeyWrites } from './people/passkey.ts'
import { createPeople, peopleWrites } from './people/person.ts'
import { provedDomainWrites } from './people/proved-domain.ts'
import { createSecondFactors, secondFactorWrites } from './people/second-factor.ts'
import { createSetUps, setUpWrites } from './people/set-up.ts'
import { createSingleSignOns, singleSignOnWrites } from './people/single-sign-on.ts'
import { createRetention, retentionWrites } from './retention.ts'
import { createRunWaits, runWaitWrites } from './run-wait.ts'
import { createSecrets, secretWrites } from './secret.ts'
import { createSecretRotations, rotationWrites } from './secret-rotation.ts'
import { createSendRules, sendRulesWrites } from './send-rules.ts'
import { createSessions, sessionWrites } from './session.ts'
import { createSources, sourceWrites } from './source.ts'
import type { Sql } from './sql.ts'
import { createTextFiles, textFileWrites } from './text-file.ts'
import { createTopics, topicWrites } from './topic.ts'
import { createTrackedEvents } from './tracked-event.ts'
import { createUsers, userWrites } from './user.ts'
import { createWaitings } from './waiting.ts'
import { healthWrites, type WriteContext, type Writes } from './write.ts'

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
  ...doubtWrites,
  ...sendRulesWrites,
  ...healthWrites,
}
export type WriteName = keyof typeof WRITES
export type AllWrites = Writes<typeof WRITES>

/**
 * Writes that lock users, inboxes or mails. Each has its own transaction, because a batch locks these once, in the same
 * order on all nodes.
 */
const LOCKS_INBOXES: ReadonlySet<WriteName> = new Set([
  'beginErasure',
  'eraseStep',
  'eraseEnvironmentStep',
  'purgeStep',
  'claimMails',
  'renewMails',
  'issueMailPermits',
  'releaseResumedMails',
  'recordCrashes',
  'runAgain',
  'dropGivenUp',
  'addDoubts',
])
/** Returns whether the write needs its own transaction. */
export const locksInboxes = ({ name }: NamedWrite): boolean => LOCKS_INBOXES.has(name)

/** A write as plain data. */
export interface NamedWrite {
  name: WriteName
  args: unknown[]
}

/** Runs a named write in the writer's transaction and records its notices. `bindWrites` has checked the types. */
export async function runWrite(context: WriteContext, { name, args }: NamedWrite): Promise<unknown> {
  const write = WRITES[name] as (context: WriteContext, ...args: unknown[]) => Promise<unknown>
  const result = await write(context, ...args)
  await recordNotices(context, name, args, result)
  return result
}

/** @returns The operations as functions that pass name and arguments to the writer. */
export function bindWrites(perform: (write: NamedWrite) => Promise<unknown>): AllWrites {
  const names = Object.keys(WRITES) as WriteName[]
  const bound = names.map((name) => [name, (...args: unknown[]) => perform({ name, args })] as const)
  return Object.fromEntries(bound) as AllWrites
}

/** Creates the ports. `readNow` reads the clock for claims where several nodes share a store (epoch ms). */
export function createPorts(
  sql: Sql,
  writes: AllWrites,
  commit: Commit,
  storeEpoch: string,
  readNow?: WriteContext['readNow'],
): Omit<Stores, 'engine' | 'idFloor' | 'ping' | 'close'> {
  return {
    commit,
    installations: createInstallations(sql, writes),
    organisations: createOrganisations(sql, writes),
    environments: createEnvironments(sql, writes),
    configs: createNotificationConfigs(sql, writes),
    enrichers: createEnricherRegistry(sql, writes),
    textFiles: createTextFiles(sql, writes),
    mailbox: createMailbox(sql, writes),
    mailIntegrations: createMailIntegrations(sql, writes),
    mailLayouts: createMailLayouts(sql, writes),
    sources: createSources(sql, writes),
    deliveryBodies: createDeliveryBodies(sql, writes),
    deliveryRuns: createDeliveryRuns(sql, writes),
    secrets: createSecrets(sql, writes),
    rotations: createSecretRotations(sql, writes),
    endingSecrets: createEndingSecrets(sql, writes),
    audit: createAuditLog(sql, writes),
    people: createPeople(sql, writes),
    dashboardSessions: createDashboardSessions(sql, writes),
    oneTimeLinks: createOneTimeLinks(sql, writes),
    setUps: createSetUps(sql, writes),
    challenges: createChallenges(sql, writes),
    secondFactors: createSecondFactors(sql, writes),
    passkeys: createPasskeys(sql, writes),
    singleSignOns: createSingleSignOns(sql, writes),
    notices: createNotices(sql, writes),
    users: createUsers(sql, writes),
    topics: createTopics(sql, writes),
    sessions: createSessions(sql, writes),
    jobs: createJobs(sql, writes, readNow),
    waits: createRunWaits(sql, writes, readNow),
    leases: createLeases(writes),
    givenUps: createGivenUps(sql, writes),
    waitings: createWaitings(sql),
    mails: createMails(sql, writes, readNow),
    heldMails: createHeldMails(sql, writes, readNow),
    arrivals: createArrivals(sql),
    digests: createDigests(sql, writes),
    events: createTrackedEvents(sql),
    inboxes: createInboxes(sql, storeEpoch),
    catchUps: createCatchUps(sql, storeEpoch),
    deliveries: createDeliveryHistory(sql),
    campaigns: createCampaigns(sql, writes),
    funnels: createFunnels(sql, writes),
    retention: createRetention(sql, writes),
    doubts: createDoubts(sql, writes),
    sendRules: createSendRules(sql, writes),
    epoch: storeEpoch,
  }
}
