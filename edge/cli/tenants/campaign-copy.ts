// Copies campaigns between environments: exports them, compares them with the target, and writes them there.

import { parseDefinition } from '../../campaign/definition.ts'
import type { StoredDefinition } from '../../domain/campaign.ts'
import type { Environment } from '../../domain/environment.ts'
import type { CampaignAnswer } from '../../flow/campaigns/read-campaigns.ts'
import { ApiError } from '../../lib/api-error.ts'
import { differenceOf } from '../../lib/difference.ts'
import { formatId, parseId } from '../../lib/id.ts'
import type { Outcome } from '../command.ts'
import type { CommandContext, Tools } from '../command-context.ts'
import { readJson } from '../read-json.ts'
import { byStep } from './campaign-steps.ts'

const PAGE = 100

/** An exported campaign: its published version, or the draft of one that was never published. */
export interface Portable {
  key: string
  status: string
  definition: StoredDefinition
  /** The name of the config that the definition names: ids mean nothing in another organisation. */
  notificationConfig: string | null
}

interface Change {
  key: string
  /** `publish`: the drafts are equal, but another version is published. `archived`: the target cannot be restored. */
  action: 'create' | 'change' | 'publish' | 'same' | 'archived'
  difference: string[]
}

/** Every campaign of an environment, newest first. */
export async function listAll({ changeCampaign }: Tools, environmentId: number): Promise<CampaignAnswer[]> {
  const all: CampaignAnswer[] = []
  let cursor: string | undefined
  do {
    const { data, nextCursor } = await changeCampaign.list(environmentId, { limit: PAGE, cursor })
    all.push(...data)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
  return all
}

/** Whether a campaign is among the keys; without keys all are. */
export const isWanted =
  (keys: string[]) =>
  ({ key }: { key: string }) =>
    keys.length === 0 || keys.includes(key)

/** The campaigns that are not archived, oldest first. Throws for a key that none of them has. */
export async function readPortable(tools: Tools, { id }: Environment, keys: string[]): Promise<Portable[]> {
  const campaigns = (await listAll(tools, id)).filter(({ status }) => status !== 'archived')
  const unknown = keys.find((key) => !campaigns.some((campaign) => campaign.key === key))
  if (unknown !== undefined) throw new Error(`There is no campaign "${unknown}".`)
  return Promise.all(
    campaigns
      .filter(isWanted(keys))
      .reverse()
      .map(async (campaign) => {
        const { key, status, draft } = campaign
        const definition = (await findPublished(tools, id, campaign)) ?? draft
        const config = await findConfig(tools, definition.notificationConfigId)
        return { key, status, definition, notificationConfig: config?.name ?? null }
      }),
  )
}

async function findPublished(
  { changeCampaign }: Tools,
  environmentId: number,
  { id, currentVersion }: CampaignAnswer,
): Promise<StoredDefinition | undefined> {
  if (currentVersion === null) return undefined
  return (await changeCampaign.getVersion(environmentId, id, currentVersion)).definition
}

async function findConfig({ stores }: Tools, configId: string | null) {
  const id = configId === null ? undefined : parseId('notificationConfig', configId)
  return id === undefined ? undefined : stores.configs.find(id)
}

/** Every definition is checked before the first one is written. Throws `campaign/invalid-definition`. */
export function parseFile(path: string): Portable[] {
  const content: unknown = readJson(path)
  const campaigns = typeof content === 'object' && content !== null && 'campaigns' in content ? content.campaigns : null
  if (!Array.isArray(campaigns)) throw new Error(`${path} is no export: it has no list "campaigns".`)
  return campaigns.map((one: unknown, at) => {
    const given = typeof one === 'object' && one !== null && 'definition' in one ? one.definition : undefined
    const definition = parseAt(`campaigns[${at}].definition`, given)
    const config =
      typeof one === 'object' && one !== null && 'notificationConfig' in one ? one.notificationConfig : null
    const notificationConfig = typeof config === 'string' ? config : null
    return { key: definition.key, status: '', definition, notificationConfig }
  })
}

/** Errors have their path in the file. */
function parseAt(place: string, given: unknown): StoredDefinition {
  try {
    return parseDefinition(given)
  } catch (error) {
    if (!(error instanceof ApiError) || error.extra.details === undefined) throw error
    const details = error.extra.details.map((fault) => ({
      ...fault,
      path: [place, fault.path].filter(Boolean).join('.'),
    }))
    throw new ApiError(error.code, { ...error.extra, details }, { cause: error })
  }
}

/** Compares, and with `apply` writes. Nothing is written before each config was found. */
export async function transferCampaigns(
  context: CommandContext,
  environment: Environment,
  portables: Portable[],
  options: { apply: boolean; publish: boolean },
): Promise<Outcome> {
  const tools = await context.tools()
  const existingByKey = new Map((await listAll(tools, environment.id)).map((campaign) => [campaign.key, campaign]))
  const definitions = await Promise.all(portables.map((portable) => withOwnConfig(tools, environment, portable)))
  const changes: Change[] = []
  for (const definition of definitions) {
    const existing = existingByKey.get(definition.key)
    const running = existing && (await findPublished(tools, environment.id, existing))
    const change = compare(definition, existing, options.publish ? running : definition)
    changes.push(change)
    if (options.apply) await write(context, environment.id, existing, definition, change, options.publish)
  }
  const lines = changes.flatMap(({ key, action, difference }) => [
    `${key}: ${action}`,
    ...difference.map((line) => `  ${line}`),
  ])
  const differs = changes.some(({ action }) => action !== 'same' && action !== 'archived')
  const last = options.apply ? 'Written.' : 'Nothing was written. Call it again with --apply.'
  return { data: { applied: options.apply, changes }, lines: [...lines, ...(differs ? [last] : ['No difference.'])] }
}

/** The definition with the config of that name in the environment's own organisation. Throws when it has none. */
async function withOwnConfig(
  tools: Tools,
  { organisationId }: Environment,
  { key, definition, notificationConfig }: Portable,
): Promise<StoredDefinition> {
  if (definition.notificationConfigId === null) return definition
  const config = await findConfig(tools, definition.notificationConfigId)
  if (config?.organisationId === organisationId) return definition
  const name = notificationConfig ?? ''
  const own = await tools.stores.configs.findByName(organisationId, name)
  if (own === undefined) {
    throw new Error(`"${key}" names the notification config "${name}", which this organisation lacks. Create it first.`)
  }
  return { ...definition, notificationConfigId: formatId('notificationConfig', own.id) }
}

/** `running`: the published version of the target. */
function compare(
  definition: StoredDefinition,
  existing: CampaignAnswer | undefined,
  running: StoredDefinition | undefined,
): Change {
  const { key } = definition
  if (existing === undefined) return { key, action: 'create', difference: [] }
  if (existing.status === 'archived') return { key, action: 'archived', difference: [] }
  const difference = differenceOf(byStep(existing.draft), byStep(definition))
  if (difference.length > 0) return { key, action: 'change', difference }
  const unpublished = running === undefined ? [] : differenceOf(byStep(running), byStep(definition))
  return { key, action: running === undefined || unpublished.length > 0 ? 'publish' : 'same', difference: unpublished }
}

async function write(
  context: CommandContext,
  environmentId: number,
  existing: CampaignAnswer | undefined,
  definition: StoredDefinition,
  { action }: Change,
  publish: boolean,
): Promise<void> {
  if (action === 'same' || action === 'archived') return
  const { changeCampaign } = await context.tools()
  const { id } =
    existing === undefined
      ? await changeCampaign.create(environmentId, definition, context.by)
      : action === 'publish'
        ? existing
        : await changeCampaign.putDraft(environmentId, existing.id, definition, context.by)
  if (publish) await changeCampaign.publish(environmentId, id, context.by)
}
