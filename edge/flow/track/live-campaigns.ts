// Caches the campaigns that events are matched against, compiled once per environment until they change.

import { CHANNELS } from '../../../contract/delivery.ts'
import type { EmailSandbox } from '../../../contract/resources/environment.ts'
import type { WidgetLook } from '../../../contract/resources/notification-config.ts'
import { compileCampaign } from '../../campaign/compile.ts'
import type { CompiledCampaign } from '../../campaign/compiled.ts'
import { createSendPolicy, SEND_ALL, type SendPolicy } from '../../campaign/send-policy.ts'
import { listAwaited } from '../../campaign/walk.ts'
import type { Bus } from '../../domain/bus.ts'
import type { Campaigns, LiveCampaign } from '../../domain/campaign.ts'
import type { Core } from '../../domain/core.ts'
import type { Environments } from '../../domain/environment.ts'
import { sandboxOf } from '../../domain/mail/email-sandbox.ts'
import { frameOf, type MailFrame } from '../../domain/mail/mail-frame.ts'
import type { Organisations } from '../../domain/organisation.ts'
import type { Arrivals } from '../../domain/run/arrival.ts'
import { type Categories, categoriesOf } from '../../domain/sending/category.ts'
import type { SendRules } from '../../domain/sending/send-rules.ts'
import { type LinkRules, NO_LINK_RULES } from '../../domain/tenant/link-rules.ts'
import type { NotificationConfig, NotificationConfigs } from '../../domain/tenant/notification-config.ts'
import { NO_DEFAULTS, type UserDefaults } from '../../domain/user.ts'
import { createCache } from '../../lib/cache.ts'
import { formatId, parseId } from '../../lib/id.ts'

/** A campaign on an event's name. `compiled` is null while it is paused, or when a stored definition cannot be compiled. */
export interface LiveEntry {
  campaign: LiveCampaign['campaign']
  version: number
  compiled: CompiledCampaign | null
  fault: string | null
}

export interface LiveSet {
  byEvent: ReadonlyMap<string, readonly LiveEntry[]>
  byId: ReadonlyMap<number, LiveEntry>
  categories: Categories
  /** For users whose profile has no locale or time zone. */
  defaults: UserDefaults
  /** The look of the element by the environment's notification config; null without one. */
  look: WidgetLook | null
  /** The id on the wire of the environment's notification config; null without one. */
  ownConfigId: string | null
  /** The frame of mails of a campaign that names this config (id on the wire), or none. */
  mailFrameOf(notificationConfigId: string | null): MailFrame
  /** Those of the environment. */
  links: LinkRules
  /** The policy of users without rules of their own. */
  policyOfAll: SendPolicy
  /** Whether any user of the environment has preferences or is suppressed: then the rules of each user are read. */
  hasSendRules: boolean
  isProduction: boolean
  /** Which mails leave the environment. */
  sandbox: EmailSandbox
  /** Names of events that runs may wait for. */
  awaited: ReadonlySet<string>
  /** Names of events that steps of the live campaigns wait for. */
  listened: ReadonlySet<string>
}

export interface LiveCampaigns {
  /** Returns the cached set, so that the hot path need not wait; undefined without one. */
  find(environmentId: number): LiveSet | undefined
  load(environmentId: number): Promise<LiveSet>
  close(): void
}

type Taken = Pick<Core, 'clock'> & {
  campaigns: Pick<Campaigns, 'listLive'>
  configs: Pick<NotificationConfigs, 'findMany' | 'find'>
  environments: Pick<Environments, 'find'>
  organisations: Pick<Organisations, 'findSettings'>
  sendRules: Pick<SendRules, 'isUsed'>
  arrivals: Pick<Arrivals, 'listNames'>
  bus: Pick<Bus, 'subscribe'>
}

/** Limits how long a lost signal of the bus leaves an old set in use. */
const MAX_AGE_MS = 30_000
/** Characters of the definitions in memory, and how many of them an environment with few counts for: a thousand fit. */
const MAX_CHARS = 64 * 1024 * 1024
const LEAST_CHARS = 65_536

export function createLiveCampaigns(deps: Taken): LiveCampaigns {
  // No lifetime, because the next set takes over compiled campaigns of an old one.
  const sets = createCache<number, { set: LiveSet; loadedAt: number }>({
    maxSize: MAX_CHARS,
    sizeOf: ({ set }) => Math.max(LEAST_CHARS, charsOf(set)),
  })
  const loads = new Map<number, { promise: Promise<LiveSet> }>()

  function drop(environmentId: number): void {
    // No more in use; the next set takes over what is compiled: a change of one campaign must not compile all again.
    const kept = sets.get(environmentId)
    if (kept !== undefined) sets.set(environmentId, { ...kept, loadedAt: Number.NEGATIVE_INFINITY })
    // A load in progress may have read the former state: its callers get the result, but it is not cached.
    loads.delete(environmentId)
  }
  const unsubscribes = [
    deps.bus.subscribe('campaigns-changed', ({ environmentId }) => drop(environmentId)),
    // The environment may have another notification config now.
    deps.bus.subscribe('environment-changed', ({ environmentId }) => drop(environmentId)),
    deps.bus.subscribe('send-rules-changed', ({ environmentId }) => {
      for (const id of environmentId === null ? [...sets.keys(), ...loads.keys()] : [environmentId]) drop(id)
    }),
  ]

  function find(environmentId: number): LiveSet | undefined {
    const kept = sets.get(environmentId)
    return kept !== undefined && deps.clock.now() - kept.loadedAt < MAX_AGE_MS ? kept.set : undefined
  }

  function startLoad(environmentId: number): Promise<LiveSet> {
    const loadedAt = deps.clock.now()
    const former = sets.get(environmentId)?.set
    const load = {
      promise: readSet(deps, environmentId, former)
        .then((set) => {
          if (loads.get(environmentId) === load) sets.set(environmentId, { set, loadedAt })
          return set
        })
        .finally(() => {
          if (loads.get(environmentId) === load) loads.delete(environmentId)
        }),
    }
    loads.set(environmentId, load)
    return load.promise
  }

  return {
    find,
    load: async (environmentId) => find(environmentId) ?? loads.get(environmentId)?.promise ?? startLoad(environmentId),
    close: () => {
      for (const unsubscribe of unsubscribes) unsubscribe()
    },
  }
}

async function readSet(deps: Taken, environmentId: number, former: LiveSet | undefined): Promise<LiveSet> {
  const [live, hasSendRules, names, { own, defaults, links, isProduction, sandbox }] = await Promise.all([
    deps.campaigns.listLive(environmentId, (campaignId, version) => {
      const kept = former?.byId.get(campaignId)
      if (kept?.version !== version || kept.compiled === null) return undefined
      const { definition, texts } = kept.compiled
      return { definition, ...(texts && { texts }) }
    }),
    deps.sendRules.isUsed(environmentId),
    deps.arrivals.listNames(environmentId),
    readTenant(deps, environmentId),
  ])
  const configs = await readConfigs(deps, live)
  const categories = categoriesOf(live, configs, own)
  const isOff = [...categories.values()].some(({ channels }) => CHANNELS.some((channel) => !channels[channel]))
  const policyOfAll = isOff ? createSendPolicy(categories, undefined, null) : SEND_ALL
  const awaited = new Set(names)
  const campaigns = toSet(live, former)
  return {
    ...campaigns,
    listened: new Set([...campaigns.byId.values()].flatMap(({ compiled }) => listAwaited(compiled?.steps ?? []))),
    categories,
    defaults,
    isProduction,
    sandbox,
    look: own?.widget ?? null,
    ownConfigId: own === undefined ? null : formatId('notificationConfig', own.id),
    mailFrameOf: framesOf(own, configs, links),
    links,
    policyOfAll,
    hasSendRules,
    awaited,
  }
}

/** Apart from `readSet`: a function made there keeps its `former` set, and with it the ones before, for as long as it is kept itself. */
function framesOf(
  own: NotificationConfig | undefined,
  configs: ReadonlyMap<string, NotificationConfig>,
  links: LinkRules,
): LiveSet['mailFrameOf'] {
  return (id) => frameOf(id === null ? own : configs.get(id), links)
}

const charsOf = ({ byId }: LiveSet): number =>
  [...byId.values()].reduce((sum, { compiled }) => sum + (compiled?.chars ?? 0), 0)

/** Reads the environment's own config, and its organisation's defaults for users. */
async function readTenant(
  { environments, organisations, configs }: Taken,
  environmentId: number,
): Promise<
  { own: NotificationConfig | undefined; links: LinkRules } & Pick<LiveSet, 'defaults' | 'isProduction' | 'sandbox'>
> {
  const environment = await environments.find(environmentId)
  if (environment === undefined) {
    const isProduction = false
    const sandbox = sandboxOf({ isProduction })
    return { own: undefined, defaults: NO_DEFAULTS, links: NO_LINK_RULES, isProduction, sandbox }
  }
  const { organisationId, notificationConfigId: configId, siteUrl = null, appSchemes = [], isProduction } = environment
  const [settings, own] = await Promise.all([
    organisations.findSettings(organisationId),
    configId === null ? undefined : configs.find(configId),
  ])
  const defaults = settings === undefined ? NO_DEFAULTS : { locale: settings.locale, timeZone: settings.timeZone }
  return { own, defaults, links: { siteUrl, appSchemes }, isProduction, sandbox: sandboxOf(environment) }
}

/** Reads the configs that campaigns refer to, by their ids on the wire. */
async function readConfigs(deps: Taken, live: LiveCampaign[]): Promise<Map<string, NotificationConfig>> {
  const named = new Set(live.flatMap(({ definition }) => definition.notificationConfigId ?? []))
  const ids = [...named].flatMap((id) => parseId('notificationConfig', id) ?? [])
  const configs = ids.length === 0 ? [] : await deps.configs.findMany(ids)
  return new Map(configs.map((config) => [formatId('notificationConfig', config.id), config]))
}

/** Takes over campaigns that the former set has compiled in the same version. */
function toSet(live: LiveCampaign[], former: LiveSet | undefined): Pick<LiveSet, 'byEvent' | 'byId'> {
  const byEvent = new Map<string, LiveEntry[]>()
  const byId = new Map<number, LiveEntry>()
  for (const one of live) {
    const entry = toEntry(one, former?.byId.get(one.campaign.id))
    byId.set(one.campaign.id, entry)
    const name = one.definition.trigger.event
    const others = byEvent.get(name)
    if (others === undefined) byEvent.set(name, [entry])
    else others.push(entry)
  }
  return { byEvent, byId }
}

function toEntry(live: LiveCampaign, former: LiveEntry | undefined): LiveEntry {
  const { campaign, version } = live
  if (campaign.status !== 'active') return { campaign, version, compiled: null, fault: null }
  const compiled = former?.compiled
  if (compiled != null && former?.version === version) {
    return { campaign, version, compiled: { ...compiled, campaign }, fault: null }
  }
  try {
    return { campaign, version, compiled: compileCampaign(live), fault: null }
  } catch (error) {
    return { campaign, version, compiled: null, fault: error instanceof Error ? error.message : 'cannot be compiled' }
  }
}
