// The one file that knows everybody (its parts in app/): ports, flows, keys, routes, sockets and jobs become an app (house section 1).

import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type AppDeps, type Core, createIds } from './app/core.ts'
import { wireAuth } from './app/wire-auth.ts'
import { wireBus } from './app/wire-bus.ts'
import { wireEnrichers } from './app/wire-enrichers.ts'
import { wireFlows } from './app/wire-flows.ts'
import { wireHttp } from './app/wire-http.ts'
import { wireJobs } from './app/wire-jobs.ts'
import { wireCounting } from './app/wire-limits.ts'
import { wireSchedule } from './app/wire-schedule.ts'
import { wireSeed } from './app/wire-seed.ts'
import { confirmMasterKeys } from './auth/confirm-master-keys.ts'
import type { DemoFile } from './flow/seed-demo.ts'
import type { Http } from './http/http.ts'
import { createAdmission } from './http/limits/admission.ts'
import { createFarewell } from './http/node/farewell.ts'
import { createNodeServer } from './http/node/node-server.ts'
import { readWidgetFiles } from './http/site/widget-files.ts'
import { createGateway, REALTIME_PATH } from './realtime/gateway.ts'
import { createDiskGuard } from './stores/disk/disk-guard.ts'

export interface App {
  server: Server
  http: Http
  /** Creates or refreshes the demo organisation; `address` is where this process itself is reached. */
  seedDemo(address: string, campaigns: readonly unknown[]): Promise<DemoFile>
  /** Begins the work that nobody asks for: jobs and schedules. */
  start(): void
  /**
   * Readiness says no, and for `noticeMs` all is served still: a balancer looks away meanwhile. Then it refuses new work
   * with 503, lets sockets go elsewhere and finishes what it began, at most `lingerMs`. It listens until then, and for
   * `announceMs` at least: whoever asks for readiness must hear the answer.
   */
  drain(patience: DrainPatience): Promise<void>
}

export interface DrainPatience {
  noticeMs: number
  announceMs: number
  lingerMs: number
}

/** Everything but listening. Throws when the store cannot be read. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { stores, clock, log, settings, metrics } = deps
  const core: Core = { ...deps, bus: wireBus(deps), ids: createIds(clock, stores) }
  const auth = wireAuth(core)
  await confirmMasterKeys(stores.rotations, auth.sealer)
  const schedule = await wireSchedule(core, auth)

  const enrichers = wireEnrichers(core, auth)
  const flows = wireFlows(core, enrichers, {
    wakeJobs: () => jobs.wakeJobs(),
    wakeTimers: (dueAt) => jobs.wakeTimers(dueAt),
  })
  const disk = createDiskGuard({
    dataDir: settings.dataDir,
    reusableBytes: deps.reusableBytes,
    log,
    probe: deps.probeDisk,
  })
  await disk.start()
  const jobs = wireJobs(core, flows, disk.isLow)

  let stage: 'serving' | 'leaving' | 'refusing' = 'serving'
  const admission = createAdmission({ backlog: stores.commit.backlog, limits: deps.admission })
  const counting = wireCounting(deps)
  const http = wireHttp(core, auth, flows, {
    enrichers,
    admission,
    counter: counting.counter,
    isLeaving: () => stage !== 'serving',
    isDraining: () => stage === 'refusing',
    isDiskLow: disk.isLow,
    diskFreeBytes: disk.freeBytes,
    sockets: () => gateway.size(),
    widgetFiles: await readWidgetFiles(deps.widgetDist),
  })
  const server = createNodeServer(http.app, http, { admission, short: http, webSocketPath: REALTIME_PATH })
  const beginFarewell = createFarewell(server)
  const gateway = createGateway({
    server,
    inboxes: stores.inboxes,
    catchUps: stores.catchUps,
    bus: core.bus,
    clock,
    log,
    verifySession: auth.sessions.verify,
    isVouched: auth.isVouched,
    isOriginAllowed: auth.isOriginAllowed,
    metrics: { ...metrics, onSockets() {}, onRefused: metrics.onHandshakeRefused },
  })

  return {
    server,
    http,
    seedDemo: (address, campaigns) => wireSeed(core, auth, flows, address)(campaigns),
    start() {
      admission.start()
      jobs.start()
      schedule.start()
    },
    async drain({ noticeMs, announceMs, lingerMs }) {
      stage = 'leaving'
      beginFarewell()
      if (noticeMs > 0) await delay(noticeMs)
      stage = 'refusing'
      disk.stop()
      admission.stop()
      await Promise.all([schedule.stop(), jobs.stop(), enrichers.stop(), gateway.close(), delay(announceMs)])
      await closeServer(server, lingerMs)
      await auth.outbound.close()
      flows.live.close()
      counting.close()
      await core.bus.close()
    },
  }
}

const BUSY_CHECK_MS = 50

/** Lets answers that are under way go out, and refuses others meanwhile; what then still holds a connection is cut. */
async function closeServer(server: Server, lingerMs: number): Promise<void> {
  if (!server.listening) return
  for (let waitedMs = 0; waitedMs < lingerMs && (await isBusy(server)); waitedMs += BUSY_CHECK_MS) {
    await delay(BUSY_CHECK_MS)
  }
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

/** Whether a connection is in use; those that are not are closed. */
async function isBusy(server: Server): Promise<boolean> {
  server.closeIdleConnections()
  // Their sockets are gone with the next turn of the loop.
  await delay(1)
  return new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error === null && count > 0))
  })
}
