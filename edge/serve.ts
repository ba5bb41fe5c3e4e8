// Starts one edge: settings, store, app, listening; and stops it again. Used by the process, by the demo and by tests.

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { AppDeps } from './app/core.ts'
import { confirmFolder } from './app/data-folder.ts'
import { explainStart } from './app/explain-start.ts'
import { createApp } from './app.ts'
import { loadMasterKeys } from './auth/master-key.ts'
import { findUnheard, parseSettings, type Settings } from './config.ts'
import type { DemoFile } from './flow/seed-demo.ts'
import type { Site } from './http/http.ts'
import type { AdmissionLimits } from './http/limits/admission.ts'
import { createWaitingRoom } from './http/node/waiting-room.ts'
import { createMetrics } from './http/site/metrics.ts'
import { createLog, type Log } from './lib/log.ts'
import { WIDGET_DIST } from './lib/widget-dist.ts'
import about from './package.json' with { type: 'json' }
import type { Space } from './stores/disk/disk-guard.ts'
import { openStores } from './stores/open.ts'
import type { QueueLimits } from './stores/write-queue.ts'

export interface ServeOptions {
  /** Answers requests that are no path of the edge (the demo's pages). */
  site?: Site
  /** Campaign definitions that the demo organisation begins with. */
  seedCampaigns?: readonly unknown[]
  /** Folder of the built widget. */
  widgetDist?: string
  /** Takes the lines of the log, in place of standard output. */
  writeLog?: (line: string) => void
  /** In place of the file system's own word on its free space. */
  probeDisk?: () => Promise<Space>
  /** Resolves and dials in place of the system, for calls to enrichers. For tests. */
  outbound?: AppDeps['outbound']
  /** In place of what the edge takes on at once. For tests. */
  admission?: Partial<AdmissionLimits>
  /** How long Redis is waited for when calls are counted: a busy machine must not change a test's counts. */
  countPatienceMs?: number
  /** In place of what the commit queue takes. For tests. */
  queue?: Partial<QueueLimits>
  /** How long PostgreSQL may be silent before callers are refused: a busy machine must not change a test's answers. */
  storeSilenceMs?: number
  /** Ends a start that waits for its database; it throws then. */
  signal?: AbortSignal
}

export interface RunningEdge {
  /** Where it listens, without a trailing slash. */
  url: string
  /** How browsers reach it (`PUBLIC_URL`). */
  publicUrl: string
  /** Which engine and driver serve. */
  engine: string
  /** What `DATA_DIR/demo.json` holds, when `SEED_DEMO` is on. */
  demo: DemoFile | null
  log: Log
  /**
   * Drains and stops (contract section 12, SIGTERM), after `DRAIN_NOTICE`. It goes on listening for `announceMs` (default
   * 0) at least. Repeated calls wait for the first.
   */
  close(options?: { announceMs?: number }): Promise<void>
}

/** For all answers under way, and what of the notice went before: the process must be gone within 15 s. */
const LINGER_MS = 10_000

/**
 * Throws a text for the operator when a setting is wrong, the port is taken or the data folder is in use. While PostgreSQL
 * cannot be reached it says so at its address (alive, not ready), and goes on trying.
 */
export async function startEdge(
  env: Record<string, string | undefined>,
  options: ServeOptions = {},
): Promise<RunningEdge> {
  return start(parseSettings(env), findUnheard(env), options).catch((error: unknown) => {
    throw explainStart(error)
  })
}

async function start(settings: Settings, unheard: string[], options: ServeOptions): Promise<RunningEdge> {
  const log = createLog(settings.logLevel, options.writeLog)
  for (const reason of unheard) log.warn('a variable was not heard', { reason })
  if (settings.databaseUrl === null) await confirmFolder(settings.dataDir)
  const masterKeys = await loadMasterKeys(settings.masterKeys, settings.dataDir)
  const metrics = createMetrics({ withProcess: true })
  const { port, free } = await takePort(settings)
  const address = `http://${hostInUrl(settings)}:${port}`
  const waiting = createWaitingRoom({ host: settings.host, port })
  const { stores, clock, ...disk } = await openStores(settings, {
    log,
    watch: metrics,
    queue: options.queue,
    silenceMs: options.storeSilenceMs,
    signal: options.signal,
    async onWaiting(error) {
      free()
      await waiting.open()
      log.warn('waiting for PostgreSQL', { address, error })
    },
  }).catch(endWaiting(waiting.close, free))
  const app = await createApp({
    settings,
    stores,
    masterKeys,
    clock,
    log,
    metrics,
    publicUrl: () => settings.publicUrl ?? address,
    version: about.version,
    site: options.site,
    reusableBytes: disk.reusableBytes,
    probeDisk: options.probeDisk ?? disk.probeDisk,
    admission: options.admission,
    countPatienceMs: options.countPatienceMs,
    outbound: options.outbound,
    widgetDist: options.widgetDist ?? WIDGET_DIST,
  }).catch(endWaiting(waiting.close, free, stores.close))
  try {
    // Before it listens: whoever gets an answer also finds demo.json.
    const demo = settings.seedDemo ? await app.seedDemo(address, options.seedCampaigns ?? []) : null
    await waiting.close()
    free()
    app.server.listen(port, settings.host)
    await once(app.server, 'listening')
    app.start()
    log.info('listening', { address, engine: stores.engine })
    return {
      url: address,
      publicUrl: settings.publicUrl ?? address,
      engine: stores.engine,
      demo,
      log,
      close: runOnce(async ({ announceMs = 0 } = {}) => {
        const { drainNoticeMs: noticeMs } = settings
        await app.drain({ noticeMs, announceMs: Math.max(0, announceMs - noticeMs), lingerMs: LINGER_MS - noticeMs })
        await stores.close()
        log.info('stopped')
      }),
    }
  } catch (error) {
    await app.drain({ noticeMs: 0, announceMs: 0, lingerMs: 0 })
    return endWaiting(waiting.close, free, stores.close)(error)
  }
}

/** After a start that failed. */
function endWaiting(...closings: (() => Promise<void> | void)[]): (error: unknown) => Promise<never> {
  return async (error) => {
    for (const close of closings) await close()
    throw error
  }
}

/** Every interface is reached through this machine's own. */
function hostInUrl({ host }: Settings): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * The address of the server is part of what is seeded, so its port is found before it listens; and held meanwhile, or another
 * process might have it by then. `free` gives it back, to be listened on at once.
 */
async function takePort({ host, port }: Settings): Promise<{ port: number; free(): void }> {
  if (port !== 0) return { port, free() {} }
  const holder = createServer((socket) => socket.destroy()).listen(0, host)
  await once(holder, 'listening')
  // The system's own is given back in this very call; only the event comes later.
  return { port: (holder.address() as AddressInfo).port, free: () => void holder.close() }
}

function runOnce(work: RunningEdge['close']): RunningEdge['close'] {
  let running: Promise<void> | undefined
  return (options) => {
    running ??= work(options)
    return running
  }
}
