// Wires the routes with their services.

import { createResolveKey } from '../auth/key-ring.ts'
import { isOriginAllowed } from '../auth/origins.ts'
import { originForCaller } from '../config.ts'
import { createEndChanged } from '../flow/campaigns/end-changed.ts'
import { createExplainCampaign } from '../flow/campaigns/explain/explain-campaign.ts'
import { createFollowEditors } from '../flow/campaigns/follow-editors.ts'
import { type Asked, createPublishCampaigns } from '../flow/campaigns/publish-campaigns.ts'
import { createReadFunnel } from '../flow/campaigns/read-funnel.ts'
import { createReadStats } from '../flow/campaigns/read-stats.ts'
import { createReadTextChanges } from '../flow/campaigns/read-text-changes.ts'
import { createManageDoubts } from '../flow/doubts/manage-doubts.ts'
import { createReadEventNames } from '../flow/event-names/read-event-names.ts'
import { createReadEvents } from '../flow/history/read-events.ts'
import { createReadHistory } from '../flow/history/read-history.ts'
import { createChangeInbox } from '../flow/inbox/change-inbox.ts'
import { createManagePreferences } from '../flow/inbox/manage-preferences.ts'
import { createMarkRead } from '../flow/inbox/mark-read.ts'
import { createReadInbox } from '../flow/inbox/read-inbox.ts'
import { createRecordDelivery } from '../flow/inbox/record-delivery.ts'
import { createReadMailbox } from '../flow/mail/read-mailbox.ts'
import { createManageEnrichers, createTryEnricher } from '../flow/tenant/manage-enrichers.ts'
import { createManageTexts } from '../flow/texts/manage-texts.ts'
import { createCountOnline } from '../flow/users/count-online.ts'
import { createExportUser } from '../flow/users/export-user.ts'
import { createManageSuppressions } from '../flow/users/manage-suppressions.ts'
import { createManageTopics } from '../flow/users/manage-topics.ts'
import { createManageUsers } from '../flow/users/manage-users.ts'
import { createReadUserInbox } from '../flow/users/read-user-inbox.ts'
import { createSearchUsers } from '../flow/users/search-users.ts'
import { createCallers } from '../http/kernel/callers.ts'
import type { Http, HttpDeps } from '../http/kernel/http.ts'
import type { Services } from '../http/kernel/services.ts'
import { DELIVERY_PATH } from '../http/routes/connectors.ts'
import { createServer } from '../http/server.ts'
import { withBrowserPages } from '../http/site/browser-pages.ts'
import type { HealthDeps } from '../http/site/health.ts'
import { createRejectionLog } from '../http/site/rejection-log.ts'
import type { ServedFiles } from '../http/site/served-folder.ts'
import type { AppCore } from './core.ts'
import { wireRateLimits } from './wire-limits.ts'
import type { Wired } from './wire-services.ts'
import { wireSignIn } from './wire-sign-in.ts'
import { wireTenants } from './wire-tenants.ts'

/** The state of the process that routes, health checks and metrics read. */
export interface HttpState {
  /** True from the stop signal on. */
  isStopping(): boolean
  /** True once new work is refused. */
  isDraining(): boolean
  isDiskLow(): boolean
  diskFreeBytes(): number
  /** Number of open widget sockets. */
  sockets(): number
  widgetFiles: ServedFiles
  dashboardFiles: ServedFiles
  /** Replaces keys and sessions: who calls is known already. */
  callers?: Pick<HttpDeps, 'callers' | 'dashboard'>
  /** Replaces the log of defects. */
  onDefect?: HttpDeps['onDefect']
}

/** @returns The app with all routes, without a node server. */
export function wireHttp(wired: Wired, state: HttpState): Http {
  const { core, auth, people } = wired
  const { log, metrics } = core
  const logRejected = createRejectionLog(log)
  const services = toServices(wired)
  return createServer({
    http: {
      callers: createCallers(services),
      dashboard: people.callers,
      ...state.callers,
      isDraining: state.isDraining,
      isDiskLow: state.isDiskLow,
      reportAgeMs: core.stores.reports.ageMs,
      onRefused(code) {
        metrics.onRefused(code)
        logRejected(code)
      },
      traces: core.traces,
      onAnswered: createOnAnswered(core),
      onAdded: ({ tag }) => metrics.onArea(tag),
      onDefect: state.onDefect ?? ((error, correlationId) => log.error('request failed', { error, correlationId })),
      site: withBrowserPages(core.site, core.publicUrl),
    },
    services,
    rateLimits: wireRateLimits(core, auth, wired.counter),
    site: {
      ...wireHealth(wired, state),
      widgetFiles: state.widgetFiles,
      dashboardFiles: state.dashboardFiles,
    },
  })
}

/** @returns All that routes call. */
function toServices(wired: Wired): Services {
  const { core, auth, enrichers, flows, mail, connectors, people, loadShedding } = wired
  const { settings } = core
  const { checkDraft, chooseTexts } = flows.trials
  const endChanged = createEndChanged({ ...core, chooseTexts })
  const onAsked = (asked: Asked) => void people.tellApprovers(asked)
  const publishCampaigns = createPublishCampaigns({ ...core, checkDraft, endChanged, onAsked })
  const funnels = { ...core.funnels, ...core.reports.funnels }
  return {
    ...flows,
    ...mail,
    ...connectors,
    ...people.services,
    ...wireTenants(core, auth, { ...flows, publishCampaigns }),
    publishCampaigns,
    ...wireUserRecords(wired),
    clock: core.clock,
    publicUrl: core.publicUrl,
    trustedProxies: settings.trustedProxies,
    resolveKey: createResolveKey({ ...core, findBySdkKey: auth.keyRing.findBySdkKey }),
    reserveEvents: loadShedding.reserveEvents,
    waitTurn: loadShedding.waitTurn,
    onAccepted: core.metrics.onAccepted,
    signInUser: wireSignIn(core, auth, flows),
    endSession: auth.sessions.end,
    verifySession: auth.sessions.verify,
    originForCaller: (host) => originForCaller(settings, host),
    isOriginAllowed,
    findEnvironment: auth.keyRing.findEnvironment,
    changeInbox: createChangeInbox(core),
    recordDelivery: createRecordDelivery(core),
    mailProviders: core.mailProviders,
    tryCampaign: { ...flows.tryCampaign, preview: mail.previewMail },
    explainCampaign: createExplainCampaign({ ...core, ...flows.trials, ...mail, live: flows.live }),
    readTextChanges: createReadTextChanges({ ...core, ...flows.trials }),
    manageTexts: createManageTexts({ ...core, checkTexts: flows.checkTexts, endChanged }),
    readStats: createReadStats({ ...core, funnels }),
    countOnline: createCountOnline(core),
    followEditors: createFollowEditors(core),
    manageUsers: createManageUsers({ ...core, endSessionsOfUser: auth.sessions.endAllOfUser }),
    markRead: createMarkRead(core),
    manageTopics: createManageTopics(core),
    manageEnrichers: createManageEnrichers(core),
    tryEnricher: createTryEnricher({ ...core, enricherCalls: enrichers }),
    readMailbox: createReadMailbox(core.mailbox),
    manageDoubts: createManageDoubts(core),
    readEventNames: createReadEventNames(core),
    readFunnel: createReadFunnel({ ...core, funnels }),
  }
}

/** Wires the reads of events, deliveries, users and their inboxes, and suppressions. */
function wireUserRecords({ core, flows, mail }: Wired) {
  const { events, deliveries, users, reports } = core
  const readInbox = createReadInbox(core)
  const managePreferences = createManagePreferences({ ...core, live: flows.live, findChannels: mail.findChannels })
  return {
    readEvents: createReadEvents({ ...core, events: { ...events, ...reports.events } }),
    readHistory: createReadHistory({ ...core, deliveries: { ...deliveries, ...reports.deliveries } }),
    readInbox,
    managePreferences,
    searchUsers: createSearchUsers({ ...core, users: { ...users, ...reports.users } }),
    readUserInbox: createReadUserInbox({ ...core, readInbox, managePreferences }),
    manageSuppressions: createManageSuppressions(core),
    // A person's data are exported from the store itself.
    exportUser: createExportUser({ ...core, readEvents: createReadEvents(core), readHistory: createReadHistory(core) }),
  }
}

/** Wires the dependencies of health checks and metrics. */
function wireHealth({ core, enrichers }: Wired, state: HttpState): HealthDeps {
  const { stores, bus, settings, metrics, clock, log } = core
  return {
    retentionBehindMs: core.retentionWatch.behindMs,
    replicaAgeMs: core.reports.ageMs,
    build: { version: core.version, node: process.versions.node, engine: stores.engine },
    isStopping: state.isStopping,
    ping: stores.ping,
    isBusUp: bus.isUp,
    metrics,
    metricsToken: settings.metricsToken,
    log,
    backlog: stores.commit.backlog,
    sockets: state.sockets,
    async jobs() {
      const now = clock.now()
      const { jobs, givenUps, waitings } = stores
      const [nextInMs, givenUp, waiting, backupAt] = await Promise.all([
        jobs.nextDueInMs(now),
        givenUps.count(),
        waitings.read(now),
        stores.installations.findBackupAt(),
      ])
      return { lagMs: Math.max(0, -(nextInMs ?? 0)), givenUp, waiting, backupAt }
    },
    enrichers: enrichers.state,
    // PostgreSQL reports a full disk, and not how much room is left.
    disk: () => ({
      freeBytes: settings.databaseUrl === null ? state.diskFreeBytes() : null,
      isLow: state.isDiskLow(),
    }),
  }
}

/** The routes by which people sign in to the dashboard. */
const PERSON_SIGN_INS = new Set(['/sign-in', '/sign-in/second-factor', '/sign-in/passkey', '/oidc/:org/callback'])

/** Counts each request, and logs it at level `debug` only: a line costs more than the rest of a short request. */
function createOnAnswered({ settings, metrics, log }: AppCore): NonNullable<Http['onAnswered']> {
  const isLogged = settings.logLevel === 'debug'
  return ({ method, path, tag }, status, tookMs, correlationId) => {
    metrics.onAnswered(tag, status, tookMs)
    if (tag === 'Widget' && path === '/v1/users/auth') metrics.onSignIn('user', status)
    else if (tag.startsWith('Dashboard') && PERSON_SIGN_INS.has(path.replace('/v1/dashboard/auth', ''))) {
      metrics.onSignIn('person', status)
    } else if (tag === 'Connectors' && path === DELIVERY_PATH && method === 'post') metrics.onSourceDelivery(status)
    if (!isLogged) return
    log.debug('request answered', {
      method: method.toUpperCase(),
      route: path,
      status,
      durationMs: Math.round(tookMs * 10) / 10,
      correlationId,
    })
  }
}
