// Reads what decides about a campaign's messages to a user: profile, rules, windows, categories, enrichers, the way of mails.

import type { CompiledCampaign, RunStart } from '../../../campaign/compiled.ts'
import { userScopeOf } from '../../../campaign/run-state.ts'
import { createSendPolicy } from '../../../campaign/send-policy.ts'
import type { StoredDefinition, StoredStep } from '../../../domain/campaign.ts'
import type { Core } from '../../../domain/core.ts'
import type { Environment } from '../../../domain/environment.ts'
import { type Categories, categoriesOf } from '../../../domain/sending/category.ts'
import { isTimeZone } from '../../../domain/sending/quiet-hours.ts'
import { EMPTY_PROFILE, type HoldingUsers, withDefaults } from '../../../domain/user.ts'
import { isSameJson } from '../../../lib/difference.ts'
import { parseId } from '../../../lib/id.ts'
import type { FindMailWay } from '../../mail/find-mail-way.ts'
import type { LiveCampaigns } from '../../track/live-campaigns.ts'
import type { KnownSends } from './sends.ts'

export type KnownDeps = Pick<Core, 'campaigns' | 'users' | 'sendRules' | 'gateWindows' | 'enrichers' | 'configs'> & {
  live: Pick<LiveCampaigns, 'load'>
  findMailWay: FindMailWay
}

export interface KnownCampaign {
  start: Pick<RunStart, 'environment' | 'campaign' | 'user' | 'policy'>
  sends: Omit<KnownSends, 'titleOf' | 'startedAt'>
  isUserKnown: boolean
  /** Whether the campaign's category is one of its notification config, or it has none. */
  isCategoryKnown: boolean
}

export async function readKnown(
  deps: Omit<KnownDeps, 'users'> & { users: HoldingUsers },
  environment: Environment,
  campaign: CompiledCampaign,
  userId: string,
): Promise<KnownCampaign> {
  const { definition } = campaign
  const [live, user, mailWay] = await Promise.all([
    deps.live.load(environment.id),
    deps.users.find(environment.id, userId),
    deps.findMailWay(environment),
  ])
  const profile = withDefaults(user ?? EMPTY_PROFILE, live.defaults)
  const steps = listSteps(definition.steps)
  const [found, ofUser, windows, enrichers, own, version] = await Promise.all([
    deps.sendRules.findMany(environment.id, [{ userId, email: profile.email }]),
    deps.sendRules.listOf({ environmentId: environment.id, userId }),
    user === undefined
      ? { throttles: [], digests: [] }
      : deps.gateWindows.listOf(environment.id, user.userNo, campaign.campaign.id),
    findEnrichers(deps, environment.id, steps),
    findConfig(deps, environment, definition),
    findVersion(deps, environment.id, campaign),
  ])
  const [rules] = found
  const categories = withCategory(live.categories, definition, own)
  const policy = createSendPolicy(categories, rules, profile.timeZone)
  const { email } = profile
  const timeZone = profile.timeZone !== null && isTimeZone(profile.timeZone) ? profile.timeZone : null
  const { category } = definition
  return {
    start: { environment, campaign, user: userScopeOf(userId, profile), policy },
    sends: {
      ...{
        who: profile.name?.trim() || userId,
        userId,
        email,
        timeZone,
        category,
        categories,
        rules,
        windows,
        mailWay,
      },
      steps: new Map(steps.map((step) => [step.id, step])),
      suppressed: new Set(ofUser.map(({ channel }) => channel)),
      ...{ version, enrichers, sandbox: live.sandbox },
    },
    isUserKnown: user !== undefined,
    isCategoryKnown: category === null || own?.categories.some(({ key }) => key === category) === true,
  }
}

/** The config that the definition names, else that of the environment. */
async function findConfig(
  { configs }: Pick<KnownDeps, 'configs'>,
  environment: Environment,
  definition: StoredDefinition,
) {
  const id = parseId('notificationConfig', definition.notificationConfigId ?? '') ?? environment.notificationConfigId
  return id === null ? undefined : configs.find(id)
}

/** A draft without changes runs as the version that it is. */
async function findVersion(
  { campaigns }: Pick<KnownDeps, 'campaigns'>,
  environmentId: number,
  campaign: CompiledCampaign,
) {
  const current = await campaigns.findVersion(environmentId, campaign.campaign.id, campaign.version - 1)
  const isCurrent = current !== undefined && isSameJson(current.definition, campaign.definition)
  return isCurrent ? current.version : campaign.version
}

/** The categories as they would be with this definition published. */
function withCategory(
  categories: Categories,
  definition: StoredDefinition,
  own: Parameters<typeof categoriesOf>[2],
): Categories {
  const { category } = definition
  if (category === null || categories.has(category)) return categories
  const draft = { campaign: { id: 0 }, definition: { ...definition, notificationConfigId: null } }
  const added = categoriesOf([draft], new Map(), own).get(category)
  return added === undefined ? categories : new Map([...categories, [category, added]])
}

async function findEnrichers(
  { enrichers }: Pick<KnownDeps, 'enrichers'>,
  environmentId: number,
  steps: readonly StoredStep[],
) {
  const names = [...new Set(steps.flatMap(({ type, enricher }) => (type === 'enrich' ? String(enricher) : [])))]
  return new Set(names.length === 0 ? [] : await enrichers.findNames(environmentId, names))
}

/** Lists the steps of all lists. */
function listSteps(value: unknown): StoredStep[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'id' in value && 'type' in value ? [value as StoredStep] : []
  return [...own, ...Object.values(value).flatMap(listSteps)]
}
