// The routes with what each area needs, wired.

import { isOriginAllowed } from '../auth/origins.ts'
import { createResolveKey } from '../auth/tracking-key.ts'
import type { CallCounter } from '../domain/limits/call-limits.ts'
import type { EnricherCalls } from '../enrichers/enrichers.ts'
import { createChangeInbox } from '../flow/inbox/change-inbox.ts'
import { createManagePreferences } from '../flow/inbox/manage-preferences.ts'
import { createMarkRead } from '../flow/inbox/mark-read.ts'
import { createReadInbox } from '../flow/inbox/read-inbox.ts'
import { createRecordDelivery } from '../flow/inbox/record-delivery.ts'
import { createManageTopics } from '../flow/manage-topics.ts'
import { createManageUsers } from '../flow/manage-users.ts'
import { createReadEvents } from '../flow/read-events.ts'
import { createReadFunnel } from '../flow/read-funnel.ts'
import { createReadHistory } from '../flow/read-history.ts'
import { createManageEnrichers, createTryEnricher } from '../flow/tenant/manage-enrichers.ts'
import { createCallers } from '../http/callers.ts'
import type { Http } from '../http/http.ts'
import type { Admission } from '../http/limits/admission.ts'
import { createServer } from '../http/server.ts'
import type { HealthDeps } from '../http/site/health.ts'
import { createShedLog } from '../http/site/shed-log.ts'
import type { WidgetFiles } from '../http/site/widget-files.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'
import type { Flows } from './wire-flows.ts'
import { wireRateLimits } from './wire-limits.ts'

export interface HttpState {
  enrichers: EnricherCalls
  isLeaving(): boolean
  isDraining(): boolean
  isDiskLow(): boolean
  diskFreeBytes(): number
  sockets(): number
  widgetFiles: WidgetFiles
  admission: Admission
  counter: CallCounter
}

export function wireHttp(core: Core, auth: Auth, flows: Flows, state: HttpState): Http {
  const { settings, stores, clock, log, bus, metrics } = core
  const { commit, inboxes, users } = stores
  const tellShed = createShedLog(log)
  const { verify: verifySession } = auth.sessions
  const resolveKey = createResolveKey({ findBySdkKey: auth.keyRing.findBySdkKey, region: settings.region })
  return createServer({
    http: {
      callers: createCallers({ resolveKey, verifySession }),
      isDraining: state.isDraining,
      isDiskLow: state.isDiskLow,
      onRefused(code) {
        metrics.onRefused(code)
        tellShed(code)
      },
      onAnswered: createAnswered(core),
      onDefect: (error, correlationId) => log.error('a request failed', { error, correlationId }),
      site: core.site,
    },
    track: {
      acceptEvents: flows.acceptEvents,
      resolveKey,
      hold: state.admission.hold,
      turn: state.admission.turn,
      clock,
      onAccepted: metrics.onAccepted,
    },
    auth: {
      signIn: auth.signIn,
      endSession: auth.sessions.end,
      verifySession,
      findEnvironment: auth.keyRing.findEnvironment,
      isOriginAllowed,
    },
    inbox: {
      readInbox: createReadInbox({ inboxes, clock }),
      changeInbox: createChangeInbox({ commit, inboxes, bus, clock }),
      recordDelivery: createRecordDelivery({ commit, inboxes, bus, clock }),
      managePreferences: createManagePreferences({ ...stores, live: flows.live, bus, clock }),
      clock,
    },
    management: {
      readEvents: createReadEvents({ events: stores.events }),
      ...flows,
      readHistory: createReadHistory({ deliveries: stores.deliveries, clock }),
      manageUsers: createManageUsers({ users, endSessionsOfUser: auth.sessions.endAllOfUser, clock }),
      markRead: createMarkRead({ commit, inboxes, users, bus, clock }),
      manageTopics: createManageTopics({ topics: stores.topics, clock }),
      manageEnrichers: createManageEnrichers({ registry: stores.enrichers, bus, clock }),
      tryEnricher: createTryEnricher({ registry: stores.enrichers, enrichers: state.enrichers, clock }),
      readFunnel: createReadFunnel({ campaigns: stores.campaigns, funnels: stores.funnels, clock }),
    },
    site: {
      ...healthSources(core, state),
      version: core.version,
      publicUrl: core.publicUrl,
      widgetFiles: state.widgetFiles,
      widgetVersion: core.version,
    },
    rateLimits: wireRateLimits(core, auth, state.counter),
  })
}

/** What probes and metrics ask. */
function healthSources({ stores, bus, settings, metrics, clock, log }: Core, state: HttpState): HealthDeps {
  return {
    isLeaving: state.isLeaving,
    ping: stores.ping,
    isBusUp: bus.isUp,
    metrics,
    metricsToken: settings.metricsToken,
    log,
    backlog: stores.commit.backlog,
    sockets: state.sockets,
    async jobs() {
      const [nextInMs, dead] = await Promise.all([stores.jobs.nextDueInMs(clock.now()), stores.jobs.countDead()])
      return { lagMs: Math.max(0, -(nextInMs ?? 0)), dead }
    },
    enrichers: state.enrichers.state,
    disk: () => ({ freeBytes: state.diskFreeBytes(), isLow: state.isDiskLow() }),
  }
}

/** A line for each request only where it is wanted: it costs more than the rest of a short one. */
function createAnswered({ settings, metrics, log }: Core): Http['onAnswered'] {
  if (settings.logLevel !== 'debug') return ({ tag }, _status, tookMs) => metrics.onAnswered(tag, tookMs)
  return ({ method, path, tag }, status, tookMs, correlationId) => {
    metrics.onAnswered(tag, tookMs)
    log.debug('answered', {
      method: method.toUpperCase(),
      route: path,
      status,
      durationMs: Math.round(tookMs * 10) / 10,
      correlationId,
    })
  }
}
