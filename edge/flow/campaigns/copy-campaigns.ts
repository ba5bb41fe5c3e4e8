// Copies campaigns between environments: reads them, compares them with the target, and writes them there.

import type { ChangedBy } from '../../domain/audit.ts'
import type { StoredDefinition } from '../../domain/campaign.ts'
import type { Environment } from '../../domain/environment.ts'
import type { NotificationConfigs } from '../../domain/tenant/notification-config.ts'
import { ApiError } from '../../lib/api-error.ts'
import { differenceOf } from '../../lib/difference.ts'
import { formatId, parseId } from '../../lib/id.ts'
import { byStep } from './by-step.ts'
import type { ChangeCampaign } from './change-campaign.ts'
import type { CampaignAnswer } from './read-campaigns.ts'

const PAGE = 100

/** A campaign as it travels: its published version, or the draft of one that was never published. */
export interface Portable {
  key: string
  status: string
  definition: StoredDefinition
  /** The name of the config that the definition names: ids mean nothing in another organisation. */
  notificationConfig: string | null
}

export interface CopiedCampaign {
  key: string
  /** `publish`: the drafts are equal, but another version is published. `archived`: the target cannot be restored. */
  action: 'create' | 'change' | 'publish' | 'same' | 'archived'
  difference: string[]
}

export interface CopyResult {
  applied: boolean
  changes: CopiedCampaign[]
}

export interface CopyOptions {
  /** Writes; without it, the campaigns are only compared. */
  apply: boolean
  publish: boolean
}

export interface CopyCampaignsDeps {
  changeCampaign: ChangeCampaign
  configs: Pick<NotificationConfigs, 'find' | 'findByName'>
}

export type CopyCampaigns = ReturnType<typeof createCopyCampaigns>

/** @returns Whether a campaign is among the keys; without keys all are. */
export const isWanted =
  (keys: readonly string[]) =>
  ({ key }: { key: string }) =>
    keys.length === 0 || keys.includes(key)

export function createCopyCampaigns(deps: CopyCampaignsDeps) {
  return {
    /** Returns every campaign of an environment, newest first. */
    listAll: (environmentId: number) => listAll(deps, environmentId),
    /** Returns the campaigns that are not archived, oldest first. Throws `campaign/not-found` for a key that none has. */
    read: (environment: Environment, keys: readonly string[]) => readPortable(deps, environment, keys),
    /** Compares, and with `apply` writes. Throws `request/conflict` for a config that the target lacks, before any write. */
    transfer: (to: Environment, portables: readonly Portable[], options: CopyOptions, by: ChangedBy) =>
      transfer(deps, to, portables, options, by),
  }
}

async function listAll({ changeCampaign }: CopyCampaignsDeps, environmentId: number): Promise<CampaignAnswer[]> {
  const all: CampaignAnswer[] = []
  let cursor: string | undefined
  do {
    const { data, nextCursor } = await changeCampaign.list(environmentId, { limit: PAGE, cursor })
    all.push(...data)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
  return all
}

async function readPortable(
  deps: CopyCampaignsDeps,
  { id }: Environment,
  keys: readonly string[],
): Promise<Portable[]> {
  const campaigns = (await listAll(deps, id)).filter(({ status }) => status !== 'archived')
  const unknown = keys.find((key) => !campaigns.some((campaign) => campaign.key === key))
  if (unknown !== undefined) throw new ApiError('campaign/not-found', { message: `There is no campaign "${unknown}".` })
  return Promise.all(
    campaigns
      .filter(isWanted(keys))
      .reverse()
      .map(async (campaign) => {
        const { key, status, draft } = campaign
        const definition = (await findPublished(deps, id, campaign)) ?? draft
        const config = await findConfig(deps, definition.notificationConfigId)
        return { key, status, definition, notificationConfig: config?.name ?? null }
      }),
  )
}

async function findPublished(
  { changeCampaign }: CopyCampaignsDeps,
  environmentId: number,
  { id, currentVersion }: CampaignAnswer,
): Promise<StoredDefinition | undefined> {
  if (currentVersion === null) return undefined
  return (await changeCampaign.getVersion(environmentId, id, currentVersion)).definition
}

async function findConfig({ configs }: CopyCampaignsDeps, configId: string | null) {
  const id = configId === null ? undefined : parseId('notificationConfig', configId)
  return id === undefined ? undefined : configs.find(id)
}

async function transfer(
  deps: CopyCampaignsDeps,
  to: Environment,
  portables: readonly Portable[],
  options: CopyOptions,
  by: ChangedBy,
): Promise<CopyResult> {
  const existingByKey = new Map((await listAll(deps, to.id)).map((campaign) => [campaign.key, campaign]))
  const definitions = await Promise.all(portables.map((portable) => withOwnConfig(deps, to, portable)))
  const changes: CopiedCampaign[] = []
  for (const definition of definitions) {
    const existing = existingByKey.get(definition.key)
    const running = existing && (await findPublished(deps, to.id, existing))
    const change = compare(definition, existing, options.publish ? running : definition)
    changes.push(change)
    if (options.apply) await write(deps, { to, existing, definition, change }, options.publish, by)
  }
  return { applied: options.apply, changes }
}

/** Returns the definition with the config of that name in the target's own organisation. */
async function withOwnConfig(
  deps: CopyCampaignsDeps,
  { organisationId }: Environment,
  { key, definition, notificationConfig }: Portable,
): Promise<StoredDefinition> {
  if (definition.notificationConfigId === null) return definition
  const config = await findConfig(deps, definition.notificationConfigId)
  if (config?.organisationId === organisationId) return definition
  const name = notificationConfig ?? ''
  const own = await deps.configs.findByName(organisationId, name)
  if (own === undefined) {
    const message = `"${key}" names the notification config "${name}", which this organisation lacks. Create it first.`
    throw new ApiError('request/conflict', { message })
  }
  return { ...definition, notificationConfigId: formatId('notificationConfig', own.id) }
}

/** `running`: the published version of the target. */
function compare(
  definition: StoredDefinition,
  existing: CampaignAnswer | undefined,
  running: StoredDefinition | undefined,
): CopiedCampaign {
  const { key } = definition
  if (existing === undefined) return { key, action: 'create', difference: [] }
  if (existing.status === 'archived') return { key, action: 'archived', difference: [] }
  const difference = differenceOf(byStep(existing.draft), byStep(definition))
  if (difference.length > 0) return { key, action: 'change', difference }
  const unpublished = running === undefined ? [] : differenceOf(byStep(running), byStep(definition))
  return { key, action: running === undefined || unpublished.length > 0 ? 'publish' : 'same', difference: unpublished }
}

async function write(
  { changeCampaign }: CopyCampaignsDeps,
  one: { to: Environment; existing: CampaignAnswer | undefined; definition: StoredDefinition; change: CopiedCampaign },
  publish: boolean,
  by: ChangedBy,
): Promise<void> {
  const { to, existing, definition, change } = one
  const { action } = change
  if (action === 'same' || action === 'archived') return
  const { id } =
    existing === undefined
      ? await changeCampaign.create(to.id, definition, by)
      : action === 'publish'
        ? existing
        : await changeCampaign.putDraft(to.id, existing.id, definition, by)
  if (publish) await changeCampaign.publish(to.id, id, by)
}
