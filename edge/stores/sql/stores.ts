// Creates all ports over one engine: reads use `sql`, writes are sent to the writer by name.

import type { Commit } from '../../domain/plan.ts'
import type { Reports } from '../../domain/reports.ts'
import type { Stores } from '../../domain/stores.ts'
import { createArrivals } from './arrival.ts'
import { createAuditLog } from './audit.ts'
import { createCampaigns } from './campaign.ts'
import { createCatchUps } from './catch-up.ts'
import { createLeases } from './claims/renew-leases.ts'
import { createDeliveryBodies } from './delivery-body.ts'
import { createDeliveryHistory } from './delivery-record.ts'
import { createDeliveryRuns } from './delivery-run.ts'
import { createDigests } from './digest.ts'
import { createDoubts } from './doubt.ts'
import { createEndingSecrets } from './ending-secret.ts'
import { createEnricherRegistry } from './enricher.ts'
import { createEnvironments } from './environment.ts'
import { createFunnels } from './funnel.ts'
import { createGivenUps } from './given-up.ts'
import { createHeldMails } from './held-mail.ts'
import { createInboxes } from './inbox.ts'
import { createInstallations } from './installation.ts'
import { createJobs } from './job.ts'
import { createMails } from './mail.ts'
import { createMailIntegrations } from './mail-integration.ts'
import { createMailLayouts } from './mail-layout.ts'
import { createMailbox } from './mailbox.ts'
import { createNotices } from './notice.ts'
import { createNotificationConfigs } from './notification-config.ts'
import { createOrganisations } from './organisation.ts'
import { createChallenges } from './people/challenge.ts'
import { createDashboardSessions } from './people/dashboard-session.ts'
import { createOneTimeLinks } from './people/one-time-link.ts'
import { createPasskeys } from './people/passkey.ts'
import { createPeople } from './people/person.ts'
import { createSecondFactors } from './people/second-factor.ts'
import { createSetUps } from './people/set-up.ts'
import { createSingleSignOns } from './people/single-sign-on.ts'
import { createRetention } from './retention.ts'
import { createRunWaits } from './run-wait.ts'
import { createSecrets } from './secret.ts'
import { createSecretRotations } from './secret-rotation.ts'
import { createSendRules } from './send-rules.ts'
import { createSessions } from './session.ts'
import { createSources } from './source.ts'
import type { Sql } from './sql.ts'
import { createTextFiles } from './text-file.ts'
import { createTopics } from './topic.ts'
import { createTrackedEvents } from './tracked-event.ts'
import { createUsers } from './user.ts'
import { createWaitings } from './waiting.ts'
import type { WriteContext } from './write.ts'
import type { AllWrites } from './writes.ts'

/**
 * Creates the ports. `readNow` reads the clock for claims where several nodes share a store (epoch ms). `lagging`: reads
 * of a replica, with the greatest age of an answer (ms).
 */
export function createPorts(
  sql: Sql,
  writes: AllWrites,
  commit: Commit,
  storeEpoch: string,
  readNow?: WriteContext['readNow'],
  lagging?: { sql: Sql; ageMs(): number },
): Omit<Stores, 'engine' | 'idFloor' | 'ping' | 'close'> {
  return {
    reports: createReports(lagging?.sql ?? sql, writes, lagging?.ageMs),
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

function createReports(sql: Sql, writes: AllWrites, ageMs: Reports['ageMs'] = () => null): Reports {
  const { list } = createTrackedEvents(sql)
  const { step } = createDeliveryHistory(sql)
  const { rebuild: _, ...funnels } = createFunnels(sql, writes)
  const { listNewest, search } = createUsers(sql, writes)
  return { events: { list }, deliveries: { step }, funnels, users: { listNewest, search }, ageMs }
}
