// Starts and stops one edge: settings, store, app, port. Used by the process, the demo and tests.

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { confirmMemory } from './app/check-memory.ts'
import type { AppDeps } from './app/core.ts'
import { closeToOthers, confirmFolder } from './app/data-folder.ts'
import { createApp } from './app.ts'
import { loadMasterKeys } from './auth/master-key.ts'
import type { DefinitionInput } from './campaign/definition.ts'
import { logFindings } from './cli/doctor/check-start.ts'
import { explainStoreFault } from './cli/doctor/explain-fault.ts'
import { findIgnoredParameters, findUnknownVariables, hostInUrl, parseSettings, type Settings } from './config.ts'
import { REST_AFTER_START_MS } from './domain/given-up.ts'
import { formatMark } from './domain/in-hand.ts'
import type { MailProviders } from './domain/mail/mail-provider.ts'
import type { Stores } from './domain/stores.ts'
import { explainStart } from './explain-start.ts'
import type { Site } from './http/kernel/http.ts'
import type { LoadLimits } from './http/limits/load-shedding.ts'
import { openMetricsPort } from './http/node/metrics-server.ts'
import { createStartupServer } from './http/node/startup-server.ts'
import { createMetrics } from './http/site/metrics.ts'
import type { Clock } from './lib/clock.ts'
import { DASHBOARD_DIST } from './lib/dashboard-dist.ts'
import { createLog, type Log } from './lib/log.ts'
import { RELEASE } from './lib/release.ts'
import { WIDGET_DIST } from './lib/widget-dist.ts'
import { DEMO_CAMPAIGNS } from './seed/campaigns.ts'
import type { DemoFile } from './seed/demo-file.ts'
import { answerKeySet } from './seed/key-set.ts'
import type { DemoSeed } from './seed/seed-demo.ts'
import type { Space } from './stores/disk/disk-guard.ts'
import { type InHandFile, openInHandFile } from './stores/disk/in-hand-file.ts'
import { openStores } from './stores/open.ts'
import type { QueueLimits } from './stores/write-queue.ts'
import { loadTraces } from './traces/load-traces.ts'

export interface ServeOptions {
  /** Answers paths that the edge does not have (the demo's pages). */
  site?: Site
  /** Replaces the campaign definitions of the demo organisation. For tests. */
  seedCampaigns?: readonly DefinitionInput[] | undefined
  /** Enrichers of the demo's prod environment, where keys may register none: paths of the site by name. */
  seedEnrichers?: Readonly<Record<string, string>>
  /** Folder of the built widget. */
  widgetDist?: string
  /** Receives log lines, in place of standard output. */
  writeLog?: (line: string) => void
  /** Replaces the file system's report of its free space. */
  probeDisk?: () => Promise<Space>
  /** Replaces name resolution and dialling of the system, for calls to enrichers. For tests. */
  outbound?: AppDeps['outbound']
  /** Replaces the name servers of the system, for the records that prove domains. For tests. */
  findTexts?: AppDeps['findTexts']
  /** Replaces the providers of mail. For tests. */
  mailProviders?: MailProviders
  /** Replaces the limits of load shedding. For tests. */
  loadLimits?: Partial<LoadLimits>
  /** Milliseconds that the rate limits wait for Redis. For tests: a busy machine must not change their counts. */
  countTimeoutMs?: number
  /** Replaces the pauses between attempts to send a mail. For tests. */
  mailPausesMs?: AppDeps['mailPausesMs']
  /** Replaces the cost of password hashes, a third of a second of processor time each. For tests. */
  passwordCost?: AppDeps['passwordCost']
  /** Replaces the clock of the service, and that of the database. For tests, which move it between two starts. */
  clock?: Clock
  /** Replaces the limits of the commit queue. For tests. */
  queue?: Partial<QueueLimits>
  /** Milliseconds without an answer of PostgreSQL until calls are refused. For tests on busy machines. */
  storeSilenceMs?: number
  /** Aborts a start that waits for its database; the start then throws. */
  signal?: AbortSignal
}

export interface RunningEdge {
  /** The address of the port, without a trailing slash. */
  url: string
  /** The address for browsers (`PUBLIC_URL`). */
  publicUrl: string
  /** Database engine and driver. */
  engine: string
  /** The content of `DATA_DIR/demo.json`; null without `SEED_DEMO`. */
  demo: DemoFile | null
  log: Log
  /**
   * Drains and stops, after `DRAIN_NOTICE`. Listens for at least `announceMs` (milliseconds, default 0).
   * Repeated calls wait for the first one.
   */
  close(options?: { announceMs?: number }): Promise<void>
}

/** Time for the notice and for answers in progress together, as the process must end within 15 s. */
const CLOSE_TIMEOUT_MS = 10_000

/**
 * Starts an edge. While PostgreSQL is unreachable, its address answers "alive, not ready", and the start keeps trying.
 * @throws Error with a message for the operator: an invalid setting, or a port or data folder in use.
 */
export async function startEdge(
  env: Record<string, string | undefined>,
  options: ServeOptions = {},
): Promise<RunningEdge> {
  const settings = parseSettings(env)
  confirmMemory(process.constrainedMemory())
  return start(settings, [...findUnknownVariables(env), ...findIgnoredParameters(env)], options).catch(
    (error: unknown) => {
      throw explainStart(error, settings)
    },
  )
}

async function start(settings: Settings, warnings: string[], options: ServeOptions): Promise<RunningEdge> {
  const metrics = createMetrics({ withProcess: true })
  const log = createLog(settings.logLevel, options.writeLog, metrics.onErrorLogged)
  for (const reason of warnings) log.warn('unknown environment variable ignored', { reason })
  const masterKeys = await prepareFolder(settings, log)
  const traces = await loadTraces({ url: settings.tracesUrl ?? settings.collectorUrl, version: RELEASE, log })
  const { port, release } = await reservePort(settings)
  const address = `http://${hostInUrl(settings)}:${port}`
  const startupServer = createStartupServer({ host: settings.host, port })
  let demo: DemoFile | null = null
  const { stores, clock, ...disk } = await openStores(settings, {
    log,
    watch: metrics,
    ...storeOptionsOf(options),
    async onWaiting(error) {
      release()
      await startupServer.open()
      log.warn('waiting for PostgreSQL', { address, reason: explainStoreFault(error, settings.databaseUrl), error })
    },
  }).catch(closeAndRethrow(startupServer.close, release))
  const inHand = await confirmRegion(stores, settings.region)
    .then(() => openInHand(settings, stores, clock, log))
    .catch(closeAndRethrow(startupServer.close, release, stores.close))
  const app = await createApp({
    settings,
    stores,
    inHand,
    traces,
    masterKeys,
    clock,
    log,
    metrics,
    publicUrl: () => settings.publicUrl ?? address,
    version: RELEASE,
    site: async (request) => (await options.site?.(request)) ?? answerKeySet(demo, request),
    reusableBytes: disk.reusableBytes,
    probeDisk: options.probeDisk ?? disk.probeDisk,
    ...appOptionsOf(options),
    widgetDist: options.widgetDist ?? WIDGET_DIST,
    dashboardDist: DASHBOARD_DIST,
  }).catch(closeAndRethrow(startupServer.close, release, stores.close))
  try {
    // Before the port opens: a client that gets an answer must also find demo.json.
    if (settings.seedDemo) demo = await app.seedDemo(address, seedOf(settings, options))
    await startupServer.close()
    release()
    app.server.listen(port, settings.host)
    await once(app.server, 'listening')
    app.start()
    const closeMetricsPort = await openMetricsPort(app.http.app, settings)
    await tellCommands({ stores, settings, address, log })
    log.info('listening', { address, engine: stores.engine })
    const stopChecks = logFindings({ settings, stores, clock, log })
    return {
      ...{ url: address, publicUrl: settings.publicUrl ?? address, engine: stores.engine },
      demo,
      log,
      close: runOnce(async ({ announceMs = 0 } = {}) => {
        await app.drain(drainOptionsOf(settings.drainNoticeMs, announceMs))
        stopChecks()
        closeMetricsPort()
        await stores.close()
        inHand.close()
        await traces?.close()
        log.info('stopped')
      }),
    }
  } catch (error) {
    await app.drain({ noticeMs: 0, announceMs: 0, closeTimeoutMs: 0 })
    return closeAndRethrow(startupServer.close, release, stores.close)(error)
  }
}

/** @returns The master keys. */
async function prepareFolder({ databaseUrl, dataDir, masterKeys }: Settings, log: Log): Promise<Uint8Array[]> {
  if (databaseUrl === null) await confirmFolder(dataDir)
  await closeToOthers(dataDir, log)
  return loadMasterKeys(masterKeys, dataDir)
}

/**
 * Counts the end of former processes for what they evaluated, which waits for a moment: what ends two of them is given up.
 * Call it after the store has locked the folder, and before anything is claimed.
 */
async function openInHand(
  { dataDir, databaseUrl }: Settings,
  { givenUps }: Stores,
  clock: Clock,
  log: Log,
): Promise<InHandFile> {
  const file = openInHandFile({ dataDir, isShared: databaseUrl !== null, log })
  if (file.former.length > 0) await givenUps.recordCrashes(file.former, clock.now() + REST_AFTER_START_MS)
  const fields = { run: 'runId', job: 'jobId', mail: 'messageId' } as const
  for (const mark of file.former) {
    log.warn('process ended while it handled a claim', { kind: mark.kind, [fields[mark.kind]]: formatMark(mark) })
  }
  return file
}

const storeOptionsOf = ({ clock, queue, storeSilenceMs: silenceMs, signal }: ServeOptions) => ({
  clock,
  queue,
  silenceMs,
  signal,
})

const appOptionsOf = (options: ServeOptions) => ({
  loadLimits: options.loadLimits,
  countTimeoutMs: options.countTimeoutMs,
  mailPausesMs: options.mailPausesMs,
  passwordCost: options.passwordCost,
  outbound: options.outbound,
  findTexts: options.findTexts,
  mailProviders: options.mailProviders,
})

const seedOf = ({ seedDemo }: Settings, { seedCampaigns, seedEnrichers = {} }: ServeOptions): DemoSeed => ({
  campaigns: seedCampaigns ?? DEMO_CAMPAIGNS,
  enrichers: seedEnrichers,
  hasLife: seedDemo === 'life' && seedCampaigns === undefined,
})

const drainOptionsOf = (noticeMs: number, announceMs: number) => ({
  noticeMs,
  announceMs: Math.max(0, announceMs - noticeMs),
  closeTimeoutMs: CLOSE_TIMEOUT_MS - noticeMs,
})

/** @returns A handler of a failed start, which closes everything and throws the error again. */
function closeAndRethrow(...closings: (() => Promise<void> | void)[]): (error: unknown) => Promise<never> {
  return async (error) => {
    for (const close of closings) await close()
    throw error
  }
}

/**
 * Reserves a free port when PORT is 0. The seeded data contain the address, so the port must be known before the server
 * listens. Until `release` is called no other process can take the port.
 */
async function reservePort({ host, port }: Settings): Promise<{ port: number; release(): void }> {
  if (port !== 0) return { port, release() {} }
  const holder = createServer((socket) => socket.destroy()).listen(0, host)
  await once(holder, 'listening')
  // `close` releases the port synchronously; only its event comes later.
  return { port: (holder.address() as AddressInfo).port, release: () => void holder.close() }
}

function runOnce(work: RunningEdge['close']): RunningEdge['close'] {
  let running: Promise<void> | undefined
  return (options) => {
    running ??= work(options)
    return running
  }
}

/**
 * Keys contain the region, so under another one every key of the store would be unknown.
 * @throws Error for the operator when the store was made with another REGION.
 */
async function confirmRegion({ installations, organisations }: Stores, region: string): Promise<void> {
  const told = (await installations.find())?.region
  const known = told === undefined ? (await organisations.list()).flatMap((one) => one.region ?? []) : [told]
  if (known.length === 0 || known.includes(region)) return
  throw new Error(
    `REGION is ${region}, and the keys of this store are of ${known[0]}: all would be refused. Set REGION=${known[0]}.`,
  )
}

/** Writes settings into the store, because the shells of commands may have others. A full disk keeps no server from starting. */
async function tellCommands(to: { stores: Stores; settings: Settings; address: string; log: Log }): Promise<void> {
  const { publicUrl, emailFrom, outboundAllow, region, seedDemo, smtpUrl } = to.settings
  const told = {
    publicUrl: publicUrl ?? to.address,
    emailFrom,
    outboundAllow: [...outboundAllow],
    region,
    hasDemo: seedDemo !== false,
    hasOwnSender: smtpUrl !== null,
  }
  await to.stores.installations
    .save(told)
    .catch((error: unknown) => to.log.warn('settings not written for commands', { error }))
}
