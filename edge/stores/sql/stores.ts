// Creates all ports over one engine: reads use `sql`, writes are sent to the writer by name.

import type { Commit } from '../../domain/plan.ts'
import type { Reports } from '../../domain/reports.ts'
import type { Stores } from '../../domain/stores.ts'
import { leadOf } from '../../lib/id.ts'
import { createAgainJobs } from './again-job.ts'
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
import { createEventNames } from './event-name.ts'
import { createFunnels } from './funnel.ts'
import { createGateWindows } from './gate-window.ts'
import { createGivenUps } from './given-up.ts'
import { createHeldMails } from './held-mail.ts'
import { createInboxes } from './inbox.ts'
import { createInstallations } from './installation.ts'
import { createJobs } from './job.ts'
import { createMails } from './mail.ts'
import { createMailIntegrations } from './mail-integration.ts'
import { createMailLayouts } from './mail-layout.ts'
import { createMailbox } from './mailbox.ts'
import { createNames } from './names.ts'
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

/** Reads of a replica. */
export interface Lagging {
  sql: Sql
  /** Greatest age (ms) of an answer that begins now. */
  ageMs(): number
  /** The clock of ids (epoch ms). */
  now(): number
}

/** Creates the ports. `readNow` reads the clock for claims where several nodes share a store (epoch ms). */
export function createPorts(
  sql: Sql,
  writes: AllWrites,
  commit: Commit,
  storeEpoch: string,
  readNow?: WriteContext['readNow'],
  lagging?: Lagging,
): Omit<Stores, 'engine' | 'idFloor' | 'ping' | 'close'> {
  return {
    reports: createReports(sql, writes, lagging),
    commit,
    installations: createInstallations(sql, writes),
    organisations: createOrganisations(sql, writes),
    environments: createEnvironments(sql, writes),
    configs: createNotificationConfigs(sql, writes),
    enrichers: createEnricherRegistry(sql, writes),
    textFiles: createTextFiles(sql, writes),
    ...createMailPorts(sql, writes, readNow),
    sources: createSources(sql, writes),
    deliveryBodies: createDeliveryBodies(sql, writes),
    ...{ deliveryRuns: createDeliveryRuns(sql, writes), againJobs: createAgainJobs(sql, writes) },
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
    arrivals: createArrivals(sql),
    ...createGatePorts(sql, writes),
    events: createTrackedEvents(sql),
    inboxes: createInboxes(sql, storeEpoch),
    catchUps: createCatchUps(sql, storeEpoch),
    deliveries: createDeliveryHistory(sql),
    campaigns: createCampaigns(sql, writes),
    names: createNames(sql),
    funnels: createFunnels(sql, writes),
    retention: createRetention(sql, writes),
    ...createCounts(sql, writes),
    sendRules: createSendRules(sql, writes),
    epoch: storeEpoch,
  }
}

const createGatePorts = (sql: Sql, writes: AllWrites) => ({
  digests: createDigests(sql, writes),
  gateWindows: createGateWindows(sql),
})

/** What nodes count in memory and write now and then. */
const createCounts = (sql: Sql, writes: AllWrites) => ({
  eventNames: createEventNames(sql, writes),
  doubts: createDoubts(sql, writes),
})

function createMailPorts(sql: Sql, writes: AllWrites, readNow: WriteContext['readNow']) {
  return {
    mailbox: createMailbox(sql, writes),
    mailIntegrations: createMailIntegrations(sql, writes),
    mailLayouts: createMailLayouts(sql, writes),
    mails: createMails(sql, writes, readNow),
    heldMails: createHeldMails(sql, writes, readNow),
  }
}

/** An id is older than its row in the database: a commit waits no longer for its locks. */
const COMMITTED_WITHIN_MS = 10_000

function createReports(sql: Sql, writes: AllWrites, lagging: Lagging | undefined): Reports {
  const portsOn = (on: Sql) => ({
    events: createTrackedEvents(on),
    deliveries: createDeliveryHistory(on),
    users: createUsers(on, writes),
  })
  const { rebuild: _, ...funnels } = createFunnels(lagging?.sql ?? sql, writes)
  const fresh = portsOn(sql)
  if (lagging === undefined) return { ...fresh, funnels, ageMs: () => null }
  const old = portsOn(lagging.sql)
  // A page of the database itself may end at a row that the replica lacks, and the next one would leave out what lies between.
  const mayLack = (before: number | null) =>
    before !== null && leadOf(before, lagging.now() - lagging.ageMs() - COMMITTED_WITHIN_MS) > 0
  const after = (before: number | null) => (mayLack(before) ? fresh : old)
  return {
    events: { list: (...asked) => after(asked[2]).events.list(...asked) },
    deliveries: { step: (...asked) => after(asked[2]).deliveries.step(...asked) },
    // The numbers of users tell no time.
    users: {
      listNewest: (...asked) => (asked[1] === null ? old : fresh).users.listNewest(...asked),
      search: (...asked) => (asked[1] === null ? old : fresh).users.search(...asked),
    },
    funnels,
    ageMs: lagging.ageMs,
  }
}
