// Creates the context of a command: settings, store, and the flows of the server over that store, next to a running server.

import { userInfo } from 'node:os'
import { openOperator } from '../app/operator.ts'
import { createFindTexts, type FindTexts } from '../auth/find-texts.ts'
import { loadMasterKeys } from '../auth/master-key.ts'
import { parseDefinition } from '../campaign/definition.ts'
import { findLinkFaults } from '../campaign/link-faults.ts'
import { hostInUrl, parseSettings, type Settings } from '../config.ts'
import type { ChangedBy } from '../domain/audit.ts'
import type { Core } from '../domain/core.ts'
import { createChangeCampaign } from '../flow/campaigns/change-campaign.ts'
import { createCheckDraft } from '../flow/campaigns/check-draft.ts'
import { createCopyCampaigns } from '../flow/campaigns/copy-campaigns.ts'
import { createFindMissingEnrichers } from '../flow/campaigns/find-missing-enrichers.ts'
import { createPublishCampaigns } from '../flow/campaigns/publish-campaigns.ts'
import { createWarnPaths } from '../flow/event-names/warn-paths.ts'
import { createCheckSenders } from '../flow/mail/check-senders.ts'
import { createFindMailWay } from '../flow/mail/find-mail-way.ts'
import { createManageGivenUp } from '../flow/resume/manage-given-up.ts'
import { createChangeOrganisation } from '../flow/tenant/change-organisation.ts'
import { createCloseEnvironment } from '../flow/tenant/close-environment.ts'
import { createCheckConfig } from '../flow/tenant/notification-configs.ts'
import { createChooseTexts, createFindMissingTexts } from '../flow/texts/choose-texts.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { createIsOfDemo } from '../lib/demo-environments.ts'
import { createSealer, type Sealer } from '../lib/seal.ts'
import type { MaintenanceStore } from '../stores/portable/maintenance-store.ts'
import { openExternalStore, openMaintenanceStore } from './open-store.ts'

/** Ids of this process never equal those of the server, which is node 0. */
const NODE = 31

export type Tools = Awaited<ReturnType<typeof openTools>>

export interface CommandContext {
  /** Parses the settings like the server. Throws when they are invalid. */
  settings(): Settings
  env: Record<string, string | undefined>
  /** Opens the store at the first call. */
  tools(): Promise<Tools>
  /** Opens the store without ports, to move all its data; `alone` excludes servers meanwhile. The caller closes it. */
  openMaintenanceStore(options: { exclusive: boolean }): Promise<MaintenanceStore>
  sealer(): Promise<Sealer>
  clock: Clock
  /** Reports progress, separate from the result. */
  progress(text: string): void
  /** Gives servers on this machine precedence from now on. */
  lowerPriority(): void
  /** For the audit log. */
  by: ChangedBy
  close(): Promise<void>
}

/** How commands report progress, yield to servers and read DNS; tests replace them. */
export interface ProcessControls extends Pick<CommandContext, 'progress' | 'lowerPriority'> {
  findTexts?: FindTexts
}

/** Creates the context without opening the store. `progress` gets one line at a time, without its line feed. */
export function createCommandContext(
  env: Record<string, string | undefined>,
  { progress, lowerPriority, findTexts = createFindTexts() }: ProcessControls = { progress() {}, lowerPriority() {} },
): CommandContext {
  let opened: Promise<Tools> | undefined
  const by = { actor: 'cli', who: accountName() } as const
  const open = () => {
    opened ??= openTools(parseSettings(env), findTexts, by)
    return opened
  }
  return {
    env,
    settings: () => parseSettings(env),
    tools: open,
    openMaintenanceStore: async (options) => openMaintenanceStore(parseSettings(env), options),
    async sealer() {
      const { masterKeys, dataDir } = parseSettings(env)
      return createSealer(await loadMasterKeys(masterKeys, dataDir))
    },
    clock: systemClock,
    progress,
    lowerPriority,
    by,
    async close() {
      const tools = await opened?.catch(() => undefined)
      // Idle connections would keep the process alive.
      await tools?.operator.close()
      await tools?.stores.close()
    },
  }
}

/** @param shell The settings of this process. Those that the server has told are taken from there. */
async function openTools(shell: Settings, findTexts: FindTexts, by: ChangedBy) {
  const clock = systemClock
  const stores = { ...(await openExternalStore(shell, clock)), nodeNumber: () => NODE }
  const installation = await stores.installations.find()
  const settings = { ...shell, ...installation }
  const masterKeys = await loadMasterKeys(settings.masterKeys, settings.dataDir)
  const operator = openOperator({
    settings,
    stores,
    masterKeys,
    clock,
    findTexts,
    publicUrl: publicUrlOf(settings),
    by,
  })
  // One source of ids for each kind: two of one process could make the same. Nobody listens to the bus of this process:
  // the server receives each change through the store.
  const { core } = operator
  const { changeCampaign, publishCampaigns } = openCampaigns(core)
  return {
    stores,
    operator,
    installation,
    ids: core.ids,
    clock,
    sealer: core.sealer,
    regions: core.regions,
    changeOrganisation: createChangeOrganisation({ ...core, servedRegions: [core.region] }),
    sweepMailFiles: core.sweepMailFiles,
    changeCampaign,
    copyCampaigns: createCopyCampaigns({
      ...core,
      changeCampaign,
      publishCampaigns,
      findMissingTexts: createFindMissingTexts(core),
      findMissingEnrichers: createFindMissingEnrichers(core),
    }),
    manageGivenUp: createManageGivenUp(core),
    closeEnvironment: createCloseEnvironment(core),
    mailProviders: core.mailProviders,
    outboundAllow: settings.outboundAllow,
    findMailWay: createFindMailWay({
      ...core,
      hasOwnSender: installation?.hasOwnSender ?? shell.smtpUrl !== null,
      isOfDemo: createIsOfDemo({ ...settings, seedDemo: installation?.hasDemo ?? shell.seedDemo }),
    }),
  }
}

function openCampaigns(core: Core) {
  const checkDraft = createCheckDraft({
    ...core,
    chooseTexts: createChooseTexts(core),
    findMissingEnrichers: createFindMissingEnrichers(core),
    warnPaths: createWarnPaths(core),
    // A command is a process of its own, and needs no sandbox.
    checkDefinition: (_environmentId, definition) => parseDefinition(definition),
    findLinkFaults: (_environmentId, definition, schemes) => findLinkFaults(definition, schemes),
    checkConfig: createCheckConfig(core),
    checkSenders: createCheckSenders(core),
  })
  return {
    // A running server polls for jobs itself.
    changeCampaign: createChangeCampaign({ ...core, checkDraft, pollJobs() {} }),
    // The operator asks nobody.
    publishCampaigns: createPublishCampaigns({ ...core, checkDraft, async endChanged() {}, onAsked() {} }),
  }
}

/** The address for browsers, as a server with these settings has it. */
const publicUrlOf = (settings: Settings) => () => settings.publicUrl ?? `http://${hostInUrl(settings)}:${settings.port}`

/** Some containers run as a user id without a name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
