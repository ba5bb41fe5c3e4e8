// Where the command line works: the store of DATA_DIR beside a running server, with the flows wired on it (contract section 11).

import { userInfo } from 'node:os'
import { checkPublicKey, JWT_ALGORITHMS, providerCredential, publicKeyCredential } from '../auth/jwt.ts'
import { loadMasterKeys } from '../auth/master-key.ts'
import { newSecretValue } from '../auth/new-secret.ts'
import { createMemoryBus } from '../bus/memory.ts'
import { parseSettings, type Settings } from '../config.ts'
import type { ChangedBy } from '../domain/audit.ts'
import { createChangeCampaign } from '../flow/change-campaign.ts'
import { createChangeEnvironment } from '../flow/change-environment.ts'
import { createCreateEnvironment } from '../flow/create-environment.ts'
import { createManageUsers } from '../flow/manage-users.ts'
import { createRotateSecret } from '../flow/rotate-secret.ts'
import { createSettleRetired } from '../flow/settle-retired.ts'
import { createChangeOrganisation } from '../flow/tenant/change-organisation.ts'
import { createManageEnrichers } from '../flow/tenant/manage-enrichers.ts'
import { createCheckConfig, createManageConfigs } from '../flow/tenant/notification-configs.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hmac.ts'
import { createIdSource, ID_PREFIXES, type IdKind, type IdSource } from '../lib/id.ts'
import { createSealer, type Sealer } from '../lib/seal.ts'
import type { BareStore } from '../stores/portable/bare-store.ts'
import { openBare, openBeside } from './open-store.ts'
import { createTryDrafts } from './try-drafts.ts'

/** Ids of this process never meet those of the server, which counts as node 0. */
const NODE = 31

export type Tools = Awaited<ReturnType<typeof openTools>>

export interface Workplace {
  /** The settings as the server would read them. Throws when they are wrong. */
  settings(): Settings
  env: Record<string, string | undefined>
  /** Opens the store at the first call. */
  tools(): Promise<Tools>
  /** The store without ports, for what moves all of it; `alone` keeps servers away meanwhile. The caller closes it. */
  openBare(options: { alone: boolean }): Promise<BareStore>
  sealer(): Promise<Sealer>
  clock: Clock
  /** Tells whoever waits how far it is, beside the answer. */
  progress(text: string): void
  /** From here on servers on this machine go first. */
  stepBack(): void
  /** For the audit log. */
  by: ChangedBy
  close(): Promise<void>
}

/** What the process gives to whoever works in it. */
export type Surroundings = Pick<Workplace, 'progress' | 'stepBack'>

/** `progress` gets a line at a time, without its end. */
export function createWorkplace(
  env: Record<string, string | undefined>,
  { progress, stepBack }: Surroundings = { progress() {}, stepBack() {} },
): Workplace {
  let opened: Promise<Tools> | undefined
  return {
    env,
    settings: () => parseSettings(env),
    tools() {
      opened ??= openTools(parseSettings(env))
      return opened
    },
    openBare: async (options) => openBare(parseSettings(env), options),
    async sealer() {
      const { masterKeys, dataDir } = parseSettings(env)
      return createSealer(await loadMasterKeys(masterKeys, dataDir))
    },
    clock: systemClock,
    progress,
    stepBack,
    by: { actor: 'cli', who: accountName() },
    async close() {
      const tools = await opened?.catch(() => undefined)
      await tools?.stores.close()
    },
  }
}

async function openTools(settings: Settings) {
  const clock = systemClock
  const stores = await openBeside(settings, clock)
  const ids = createIds(stores.idFloor)
  // Nobody listens in this process: the server hears of each change through the store.
  const bus = createMemoryBus()
  const sealer = createSealer(await loadMasterKeys(settings.masterKeys, settings.dataDir))
  const values = { newSecretValue, hash: sha256Hex, seal: sealer.seal, region: settings.region }
  const { secrets, rotations, environments, campaigns, users } = stores
  const endSessions = (environmentId: number, by: { credential?: string; frontKeyId?: number }) =>
    stores.sessions.endAllOfCredential(environmentId, by, clock.now()).then((ended) => ended.length)
  return {
    stores,
    ids,
    clock,
    sealer,
    region: settings.region,
    createEnvironment: createCreateEnvironment({ environments, ids, clock, ...values }),
    changeEnvironment: createChangeEnvironment({
      environments,
      bus,
      clock,
      checkPublicKey,
      algorithms: JWT_ALGORITHMS,
      providerCredential,
      publicKeyCredential,
      endSessions,
    }),
    rotateSecret: createRotateSecret({ secrets, rotations, bus, clock, ids, ...values }),
    settleRetired: createSettleRetired({ rotations, endSessions, bus, clock }),
    changeCampaign: createChangeCampaign({
      campaigns,
      checkConfig: createCheckConfig(stores),
      bus,
      clock,
      ids,
      // A server on the store looks for jobs by itself.
      wakeJobs() {},
    }),
    tryCampaign: createTryDrafts({ stores, ids, bus, clock }),
    changeOrganisation: createChangeOrganisation({
      organisations: stores.organisations,
      clock,
      ids,
      regions: [settings.region],
    }),
    manageEnrichers: createManageEnrichers({ registry: stores.enrichers, bus, clock }),
    manageConfigs: createManageConfigs({ configs: stores.configs, clock, ids }),
    manageUsers: createManageUsers({
      users,
      clock,
      endSessionsOfUser: async (userNo) => (await stores.sessions.endAllOfUser(userNo, clock.now())).length,
    }),
  }
}

function createIds(floor: number): Record<IdKind, IdSource> {
  const kinds = Object.keys(ID_PREFIXES) as IdKind[]
  const sources = kinds.map((kind) => {
    const source = createIdSource(systemClock, NODE)
    source.raise(floor)
    return [kind, source] as const
  })
  return Object.fromEntries(sources) as Record<IdKind, IdSource>
}

/** Some containers run under a number that has no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
