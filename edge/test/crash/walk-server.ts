// Opens the store of walkers, and starts a server's flows on it repeatedly, each time without cached state.

import { type AppCore, createIds } from '../../app/core.ts'
import { type Auth, wireAuth } from '../../app/wire-auth.ts'
import { createCore } from '../../app/wire-core.ts'
import { wireEnrichers } from '../../app/wire-enrichers.ts'
import { type Flows, wireFlows } from '../../app/wire-flows.ts'
import { parseSettings } from '../../config.ts'
import type { Environment } from '../../domain/environment.ts'
import { NO_MARKS } from '../../domain/in-hand.ts'
import type { Stores } from '../../domain/stores.ts'
import { createCreateEnvironment } from '../../flow/tenant/create-environment.ts'
import { createMetrics } from '../../http/site/metrics.ts'
import { createLog } from '../../lib/log.ts'
import { openPostgresStores } from '../../stores/postgres.ts'
import { openSqliteStores } from '../../stores/sqlite/stores.ts'
import { DRAFT } from '../support/draft-environment.ts'
import { oneSandbox } from '../support/one-sandbox.ts'
import { NEVER_SILENT_MS } from '../support/open-stores.ts'
import { type CrashPoints, createCrashPoints } from './crash-points.ts'
import { WALK_CAMPAIGN } from './walk-campaign.ts'

/** The flows of a server for waiting runs, from start to end. */
export interface WalkServer {
  core: AppCore
  flows: Flows
  auth: Auth
  /** Ports of the server, with crash points. */
  stores: Stores
  stop(): Promise<void>
}

export interface WalkStore {
  stores: Stores
  clock: { at: number; now(): number }
  startServer(points: CrashPoints): WalkServer
  /** Creates environment, campaign and enricher for walkers. @returns their environment */
  createFixtures(endpointUrl: string): Promise<Environment>
  close(): Promise<void>
}

/** Opens the store. The given clock decides on PostgreSQL as well. */
export async function openWalkStore(env: Record<string, string | undefined>): Promise<WalkStore> {
  const settings = parseSettings({ ...env, OUTBOUND_ALLOW: '127.0.0.0/8' })
  const clock = { at: Date.UTC(2032, 0, 1), now: () => clock.at }
  const { databaseUrl: url, dataDir } = settings
  const stores = await (url === null
    ? openSqliteStores({ dataDir, clock })
    : openPostgresStores({ url, clock, readNow: async () => clock.at, silenceMs: NEVER_SILENT_MS }))
  const shared = {
    settings,
    masterKeys: settings.masterKeys ?? [],
    clock,
    log: createLog('silent'),
    metrics: createMetrics(),
    publicUrl: () => 'http://127.0.0.1',
    version: '0',
    reusableBytes: async () => 0,
    widgetDist: '',
    dashboardDist: '',
    inHand: NO_MARKS,
  }
  // Shared by the whole process, as in a server.
  const ids = createIds(clock, stores)

  function startServer(points: CrashPoints): WalkServer {
    const signals = { pollJobs() {}, scheduleTimers() {}, scheduleMails() {} }
    const made = createCore({ ...shared, stores: points.wrapAll(stores) }, oneSandbox(), signals)
    // Doubts are written by time, which a walk does not have.
    const core = { ...made, ids, recordDoubt() {} }
    const auth = wireAuth(core)
    const enrichers = wireEnrichers(core, auth)
    const { call } = points.wrapEffect('enrichers', enrichers)
    const flows = wireFlows(core, { ...enrichers, call }, signals)
    return {
      core,
      flows,
      auth,
      stores: core.stores,
      async stop() {
        await enrichers.stop()
        await auth.outbound.close()
        await core.mailOutbound.close()
        flows.live.close()
      },
    }
  }

  return {
    stores,
    clock,
    startServer,
    createFixtures: (endpointUrl) =>
      createFixtures(stores, startServer(createCrashPoints(Number.POSITIVE_INFINITY)), endpointUrl),
    close: () => stores.close(),
  }
}

async function createFixtures(stores: Stores, { core, flows, stop }: WalkServer, url: string): Promise<Environment> {
  const at = core.clock.now()
  const by = { actor: 'api', who: 'test' } as const
  const organisation = { id: 1, name: 'Walkers', region: 'eu', onboardedAt: at, retentionDays: 90, createdAt: at }
  await stores.organisations.create(organisation)
  const { environment } = await createCreateEnvironment(core)(DRAFT, by)
  const { id } = await flows.changeCampaign.create(environment.id, WALK_CAMPAIGN, by)
  await flows.changeCampaign.publish(environment.id, id, by)
  const times = { createdAt: at, updatedAt: at }
  const enricher = { environmentId: environment.id, name: 'details', url, timeoutMs: 5000, cacheSeconds: 0, ...times }
  const entry = { at, ...by, action: 'enricher.put', environmentId: environment.id, subject: 'details', detail: {} }
  await stores.enrichers.save(enricher, entry)
  await stop()
  return environment
}
