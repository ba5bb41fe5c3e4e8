// Wires the app from ports, flows, keys, routes, sockets and jobs; the parts are in app/.

import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { AppDeps } from './app/core.ts'
import { wireHttp } from './app/wire-http.ts'
import { wireJobs } from './app/wire-jobs.ts'
import { wireSchedule } from './app/wire-schedule.ts'
import { wireSeed } from './app/wire-seed.ts'
import { wireServices } from './app/wire-services.ts'
import type { WorkSignals } from './app/work-signals.ts'
import { confirmMasterKeys } from './auth/confirm-master-keys.ts'
import type { Http } from './http/kernel/http.ts'
import { createNodeServer } from './http/node/node-server.ts'
import { basePathOf } from './http/node/path-prefix.ts'
import { createShutdown } from './http/node/shutdown.ts'
import { readServedFolder } from './http/site/served-folder.ts'
import { createGateway, REALTIME_PATH } from './realtime/gateway.ts'
import type { DemoFile } from './seed/demo-file.ts'
import type { DemoSeed } from './seed/seed-demo.ts'
import { createDiskGuard } from './stores/disk/disk-guard.ts'

export interface App {
  server: Server
  http: Http
  /** Creates or refreshes the demo organisation; `address` is the address of this process itself. */
  seedDemo(address: string, seed: DemoSeed): Promise<DemoFile>
  /** Starts the background work: jobs and schedules. */
  start(): void
  /**
   * Stops serving. `/readyz` fails at once; for `noticeMs` all requests are still served, until load balancers stop sending.
   * Then new work is refused with 503, sockets move to other nodes, and work in progress is finished.
   */
  drain(options: DrainOptions): Promise<void>
}

/** All times in milliseconds. */
export interface DrainOptions {
  /** Time for which all requests are still served. */
  noticeMs: number
  /** Least time for which the server still listens and `/readyz` answers 503, after `noticeMs`. */
  announceMs: number
  /** Longest wait for answers in progress. */
  closeTimeoutMs: number
}

async function readFiles({ widgetDist, dashboardDist }: AppDeps) {
  return { widgetFiles: await readServedFolder(widgetDist), dashboardFiles: await readServedFolder(dashboardDist) }
}

async function startDiskGuard({ settings: { dataDir }, reusableBytes, log, probeDisk: probe }: AppDeps) {
  const disk = createDiskGuard({ dataDir, reusableBytes, log, probe })
  await disk.start()
  return disk
}

function signalsOf(find: () => WorkSignals): WorkSignals {
  return {
    pollJobs: () => find().pollJobs(),
    scheduleTimers: (at) => find().scheduleTimers(at),
    scheduleMails: (at) => find().scheduleMails(at),
  }
}

/** Creates the app; the caller calls `listen` on its server. @throws When the store cannot be read. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { stores, log, metrics } = deps
  // What they signal is made last.
  const services = wireServices(
    deps,
    signalsOf(() => jobs),
  )
  const { core, auth, enrichers, flows, mail, loadShedding, connectors, people } = services
  await confirmMasterKeys(stores.rotations, core.sealer)
  const schedule = await wireSchedule(
    core,
    auth,
    signalsOf(() => jobs),
    people.warnEndings,
  )
  const disk = await startDiskGuard(deps)

  let stage: 'serving' | 'stopping' | 'draining' = 'serving'
  const { sendMails } = mail
  const jobs = wireJobs(core, flows, { sendMails, runDeliveries: connectors.runDeliveries }, disk.isLow)
  const http = wireHttp(services, {
    isStopping: () => stage !== 'serving',
    isDraining: () => stage === 'draining',
    isDiskLow: disk.isLow,
    diskFreeBytes: disk.freeBytes,
    sockets: () => gateway.size(),
    ...(await readFiles(deps)),
  })
  const server = createNodeServer(http.app, http, {
    ...{ loadShedding, fastRoutes: http, webSocketPath: REALTIME_PATH },
    keepAliveMs: deps.settings.keepAliveMs,
    basePath: basePathOf(deps.settings.publicUrl),
  })
  const beginShutdown = createShutdown(server)
  const gateway = createGateway({
    server,
    ...core,
    verifySession: auth.sessions.verify,
    isSessionValid: auth.isSessionValid,
    isOriginAllowed: auth.isOriginAllowed,
    metrics: { ...metrics, onSockets() {}, onRefused: metrics.onHandshakeRefused },
  })

  return {
    server,
    http,
    seedDemo: (address, seed) => wireSeed(core, auth, { ...connectors, flows }, address)(seed),
    start() {
      loadShedding.start()
      jobs.start()
      schedule.start()
      people.announceSetUp().catch((error: unknown) => log.error('set-up not announced', { error }))
    },
    async drain({ noticeMs, announceMs, closeTimeoutMs }) {
      stage = 'stopping'
      beginShutdown()
      if (noticeMs > 0) await delay(noticeMs)
      stage = 'draining'
      disk.stop()
      loadShedding.stop()
      await Promise.all([schedule.stop(), jobs.stop(), enrichers.stop(), gateway.close(), delay(announceMs)])
      await closeServer(server, closeTimeoutMs)
      await services.close()
    },
  }
}

const BUSY_CHECK_MS = 50

/** Waits for answers in progress, then closes all connections. */
async function closeServer(server: Server, closeTimeoutMs: number): Promise<void> {
  if (!server.listening) return
  for (let waitedMs = 0; waitedMs < closeTimeoutMs && (await isBusy(server)); waitedMs += BUSY_CHECK_MS) {
    await delay(BUSY_CHECK_MS)
  }
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

/** Closes idle connections. @returns Whether another connection is in use. */
async function isBusy(server: Server): Promise<boolean> {
  server.closeIdleConnections()
  // The sockets are removed in the next turn of the event loop.
  await delay(1)
  return new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error === null && count > 0))
  })
}
