// Copies campaigns between environments: reads them, compares them with the target, and writes them there.

import type { CopiedCampaign, CopiedCampaigns } from '../../../contract/resources/campaign-copy.ts'
import type { StoredDefinition } from '../../domain/campaign.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import type { NotificationConfig } from '../../domain/tenant/notification-config.ts'
import { ApiError } from '../../lib/api-error.ts'
import { differenceOf } from '../../lib/difference.ts'
import { formatId, parseId } from '../../lib/id.ts'
import type { FindMissingTexts } from '../texts/choose-texts.ts'
import { byStep } from './by-step.ts'
import type { ChangeCampaign } from './change-campaign.ts'
import type { FindMissingEnrichers } from './find-missing-enrichers.ts'
import type { PublishCampaigns } from './publish-campaigns.ts'
import type { Publisher, PublishRight } from './publish-right.ts'
import type { CampaignWithDraft } from './read-campaigns.ts'

const PAGE = 100

/** A campaign as it travels: its published version, or the draft of one that was never published. */
export interface Portable {
  key: string
  status: string
  definition: StoredDefinition
  /** The name of the config that the definition names: ids mean nothing in another organisation. */
  notificationConfig: string | null
}

export interface CopyOptions {
  /** Writes; without it, the campaigns are only compared. */
  apply: boolean
  publish: boolean
}

type Taken = Pick<Core, 'campaigns' | 'configs'> & {
  changeCampaign: Pick<ChangeCampaign, 'list' | 'create' | 'putDraft'>
  publishCampaigns: Pick<PublishCampaigns, 'publish' | 'getRight'>
  findMissingTexts: FindMissingTexts
  findMissingEnrichers: FindMissingEnrichers
}

export type CopyCampaigns = ReturnType<typeof createCopyCampaigns>

/** @returns Whether a campaign is among the keys; without keys all are. */
export const isWanted =
  (keys: readonly string[]) =>
  ({ key }: { key: string }) =>
    keys.length === 0 || keys.includes(key)

export function createCopyCampaigns(deps: Taken) {
  return {
    /**
     * Returns the campaigns that are not archived, oldest first. Throws `campaign/not-found` for a key that none has, and
     * `request/conflict` when their definitions have more than `mostChars` together.
     */
    read: (environment: Environment, keys: readonly string[], mostChars?: number) =>
      readPortable(deps, environment, keys, mostChars),
    /** Compares, and with `apply` writes. Throws `authorization/not-allowed` for whoever may not publish, `request/conflict` for a config or snippet that the target lacks, and texts that are too long, before any write. */
    transfer: (to: Environment, portables: readonly Portable[], options: CopyOptions, publisher: Publisher) =>
      transfer(deps, to, portables, options, publisher),
  }
}

/** Calls `see` with every campaign of an environment, newest first: all drafts together may be too large for the memory. */
async function eachCampaign(
  { changeCampaign }: Taken,
  environmentId: number,
  see: (campaign: CampaignWithDraft) => void,
): Promise<void> {
  let cursor: string | undefined
  do {
    const { data, nextCursor } = await changeCampaign.list(environmentId, { limit: PAGE, cursor })
    for (const campaign of data) see(campaign)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}

async function readPortable(
  deps: Taken,
  { id }: Environment,
  keys: readonly string[],
  mostChars = Number.POSITIVE_INFINITY,
): Promise<Portable[]> {
  const published = await publishedByKey(deps, id)
  const known = new Set<string>()
  const portables: Omit<Portable, 'notificationConfig'>[] = []
  let chars = 0
  await eachCampaign(deps, id, (campaign) => {
    const { key, status, draft } = campaign
    if (status === 'archived') return
    known.add(key)
    if (!isWanted(keys)(campaign)) return
    const definition = published.get(key) ?? draft
    chars += JSON.stringify(definition).length
    if (chars > mostChars) throw tooLarge(mostChars)
    portables.unshift({ key, status, definition })
  })
  const unknown = keys.find((key) => !known.has(key))
  if (unknown !== undefined) throw new ApiError('campaign/not-found', { message: `There is no campaign "${unknown}".` })
  const configs = await configsOf(deps, portables)
  return portables.map((portable) => {
    const config = configs.get(portable.definition.notificationConfigId)
    return { ...portable, notificationConfig: config?.name ?? null }
  })
}

function tooLarge(mostChars: number): ApiError {
  const message = `These campaigns have more than ${mostChars / 1024 / 1024} MiB together. Copy them in several parts: name the keys of some.`
  return new ApiError('request/conflict', { message, reason: 'too-large' })
}

/** Returns the published definitions of the campaigns that are not archived. */
async function publishedByKey({ campaigns }: Taken, environmentId: number): Promise<Map<string, StoredDefinition>> {
  const live = await campaigns.listLive(environmentId)
  return new Map(live.map(({ campaign, definition }) => [campaign.key, definition]))
}

/** Returns the configs that the definitions name, by their wire ids. */
async function configsOf(
  { configs }: Taken,
  portables: readonly Pick<Portable, 'definition'>[],
): Promise<Map<string | null, NotificationConfig>> {
  const named = portables.map(({ definition }) => definition.notificationConfigId ?? '')
  const ids = [...new Set(named)].flatMap((id) => parseId('notificationConfig', id) ?? [])
  const found = await configs.findMany(ids)
  return new Map(found.map((config) => [formatId('notificationConfig', config.id), config]))
}

async function transfer(
  deps: Taken,
  to: Environment,
  portables: readonly Portable[],
  options: CopyOptions,
  publisher: Publisher,
): Promise<CopiedCampaigns> {
  const [published, definitions] = await Promise.all([publishedByKey(deps, to.id), withOwnConfigs(deps, to, portables)])
  const existingByKey = await findExisting(deps, to.id, definitions)
  const missing = await deps.findMissingTexts(to.id, definitions)
  const enrichers = await deps.findMissingEnrichers(to.id, definitions)
  const asks = to.requirePublishApproval && publisher.by.actor === 'dashboard'
  const copies = definitions.map((definition, at) => {
    const existing = existingByKey.get(definition.key)
    const running = options.publish ? published.get(definition.key) : definition
    const { snippets = [], translations = [], ...tooLong } = missing[at] ?? {}
    const ofEnrichers = new Set((enrichers[at] ?? []).map(({ message }) => message))
    const lacking = [...snippets, ...translations, ...ofEnrichers]
    const compared = compare(definition, existing, running)
    const isEnding = compared.action === 'change' || (compared.action === 'publish' && options.publish && !asks)
    const change = { ...compared, missing: lacking, ...(isEnding && endedRequest(existing)), ...tooLong }
    return { to, existing, definition, change, snippets }
  })
  if (options.apply) {
    requireTexts(copies)
    const right = options.publish ? await deps.publishCampaigns.getRight(to.id, publisher) : undefined
    for (const one of copies) await write(deps, one, right, publisher)
  }
  return { applied: options.apply, changes: copies.map(({ change }) => change) }
}

const isWritten = ({ action }: Pick<CopiedCampaign, 'action'>) => action !== 'same' && action !== 'archived'

/** @throws ApiError `request/conflict` */
function requireTexts(copies: readonly { change: CopiedCampaign; snippets: string[] }[]): void {
  const words = copies.flatMap(({ change, snippets }) => {
    const { key, tooLong } = change
    if (!isWritten(change)) return []
    return [
      ...(snippets.length === 0 ? [] : [`"${key}": ${snippets.join(' ')} Create it there first.`]),
      ...(tooLong === undefined ? [] : [`"${key}": ${tooLong} Those there have more: shorten them first.`]),
    ]
  })
  if (words.length === 0) return
  throw new ApiError('request/conflict', { message: `Nothing was written. ${words.join(' ')}` })
}

/** Returns the definitions with the configs of the same names in the target's own organisation. */
async function withOwnConfigs(
  deps: Taken,
  { organisationId }: Environment,
  portables: readonly Portable[],
): Promise<StoredDefinition[]> {
  const named = await configsOf(deps, portables)
  const isForeign = ({ definition: { notificationConfigId } }: Portable): boolean =>
    notificationConfigId !== null && named.get(notificationConfigId)?.organisationId !== organisationId
  const names = new Set(portables.filter(isForeign).map(({ notificationConfig }) => notificationConfig ?? ''))
  const own = await deps.configs.findByNames(organisationId, [...names])
  return portables.map((portable) => {
    const { key, definition, notificationConfig } = portable
    if (!isForeign(portable)) return definition
    const name = notificationConfig ?? ''
    const config = own.find((each) => each.name === name)
    if (config === undefined) {
      const message = `"${key}" names the notification config "${name}", which this organisation lacks. Create it first.`
      throw new ApiError('request/conflict', { message })
    }
    return { ...definition, notificationConfigId: formatId('notificationConfig', config.id) }
  })
}

/** A campaign of the target; `difference`: of its draft. */
type Existing = Pick<CampaignWithDraft, 'id' | 'status' | 'pendingPublish'> & { difference: string[] }

/** @returns those that have the keys of these definitions */
async function findExisting(
  deps: Taken,
  environmentId: number,
  definitions: readonly StoredDefinition[],
): Promise<Map<string, Existing>> {
  const byKey = new Map(definitions.map((definition) => [definition.key, definition]))
  const found = new Map<string, Existing>()
  await eachCampaign(deps, environmentId, ({ key, id, status, pendingPublish, draft }) => {
    const definition = byKey.get(key)
    if (definition === undefined) return
    const difference = status === 'archived' ? [] : differenceOf(byStep(draft), byStep(definition))
    found.set(key, { id, status, pendingPublish, difference })
  })
  return found
}

/** `running`: the published version of the target. */
function compare(
  definition: StoredDefinition,
  existing: Existing | undefined,
  running: StoredDefinition | undefined,
): Pick<CopiedCampaign, 'key' | 'action' | 'difference'> {
  const { key } = definition
  if (existing === undefined) return { key, action: 'create', difference: [] }
  if (existing.status === 'archived') return { key, action: 'archived', difference: [] }
  const { difference } = existing
  if (difference.length > 0) return { key, action: 'change', difference }
  const unpublished = running === undefined ? [] : differenceOf(byStep(running), byStep(definition))
  return { key, action: running === undefined || unpublished.length > 0 ? 'publish' : 'same', difference: unpublished }
}

const endedRequest = (existing: Existing | undefined) =>
  existing?.pendingPublish?.state === 'waiting' ? { endsRequestOf: existing.pendingPublish.askedBy } : {}

async function write(
  { changeCampaign, publishCampaigns }: Taken,
  one: {
    to: Environment
    existing: Existing | undefined
    definition: StoredDefinition
    change: CopiedCampaign
  },
  right: PublishRight | undefined,
  publisher: Publisher,
): Promise<void> {
  const { to, existing, definition, change } = one
  const { action } = change
  if (!isWritten(change)) return
  // It asks for this draft already.
  if (action === 'publish' && right === 'ask' && existing?.pendingPublish?.state === 'waiting') return
  const { by } = publisher
  const { id } =
    existing === undefined
      ? await changeCampaign.create(to.id, definition, by)
      : action === 'publish'
        ? existing
        : await changeCampaign.putDraft(to.id, existing.id, definition, by)
  if (right !== undefined) await publishCampaigns.publish(to.id, id, publisher)
}
