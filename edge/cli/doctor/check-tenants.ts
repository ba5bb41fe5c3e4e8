// Checks the set-up of customers for `nc doctor`: campaigns, origins, user authentication, overlapping secrets, retention.

import type { Page } from '../../../contract/api.ts'
import type { DomainFinding } from '../../../contract/resources/email-domain.ts'
import type { SecretRotation, SecretValueAnswer } from '../../../contract/resources/secret.ts'
import { isOriginAllowed } from '../../auth/origins.ts'
import { secretKindOf } from '../../domain/connector/source.ts'
import type { Environment } from '../../domain/environment.ts'
import { isClosed } from '../../domain/tenant/closed.ts'
import { MISSING_MS } from '../../flow/people/prove-domains.ts'
import { rotationOf } from '../../flow/tenant/rotate-secret.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import { isLoopback } from '../../lib/loopback.ts'
import type { Tools } from '../command-context.ts'
import { createTryIntegration, type TryIntegration } from './check-mail-server.ts'
import { type Finding, finding } from './finding.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000
/** The server purges every ten minutes, so a delay of two days is more than a busy night. */
const LATE_MS = 2 * DAY_MS
const LOOPBACK = /^[a-z]+:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?\/?$/i

export async function checkTenants(opened: Tools): Promise<Finding[]> {
  const tools: DoctorTools = { ...opened, tryIntegration: createTryIntegration(opened) }
  const found: Finding[] = []
  const organisations = await tools.stores.organisations.list()
  if (organisations.length === 0) return [finding('Environments', 'note', 'There is no organisation yet: org create.')]
  for (const { id, retentionDays, region } of organisations) {
    if (region !== null && region !== tools.regions.own) {
      const words = `${formatId('organisation', id)} is in ${region}, and REGION is ${tools.regions.own}: its keys are refused.`
      found.push(finding('Region', 'wrong', `${words} Set REGION to what it was.`))
    }
    found.push(...(await checkDomains(tools, id)))
    const environments = await tools.stores.environments.list(id)
    if (environments.length === 0) {
      found.push(finding('Environments', 'note', `${formatId('organisation', id)} has no environment yet: env create.`))
    }
    for (const environment of environments) found.push(...(await checkEnvironment(tools, environment, retentionDays)))
  }
  return found
}

/** Warns of domains whose addresses the single sign-on does not sign in, or soon not any more. */
async function checkDomains({ stores }: Tools, organisationId: number): Promise<Finding[]> {
  const settings = await stores.singleSignOns.find(organisationId)
  if (settings === undefined) return []
  const proved = await stores.singleSignOns.listProved(organisationId)
  const check = `Single sign-on ${formatId('organisation', organisationId)}`
  return settings.domains.flatMap((domain) => {
    const proof = proved.find((one) => one.domain === domain)
    if (proof === undefined)
      return [finding(check, 'note', `The domain ${domain} is not proved: members accept first.`)]
    if (proof.missingSince === null) return []
    const endsAt = toIso(proof.missingSince + MISSING_MS)
    return [finding(check, 'wrong', `The record of ${domain} is missing: its proof ends at ${endsAt}.`)]
  })
}

/** What the checks of one run have in common. */
type DoctorTools = Tools & { tryIntegration: TryIntegration }

async function checkEnvironment(
  tools: DoctorTools,
  environment: Environment,
  retentionDays: number,
): Promise<Finding[]> {
  const check = `${environment.name} ${formatId('environment', environment.id)}`
  if (isClosed(environment)) {
    return [finding(check, 'note', 'Closed: its calls are answered 503 until env open.')]
  }
  if (environment.disabledAt !== null) {
    return [finding(check, 'note', 'Disabled: its keys and sessions are refused until env enable.')]
  }
  const faults = [
    ...(await campaignFaults(tools, environment)),
    ...originFaults(environment),
    ...authenticationFaults(environment),
    ...(await mailFaults(tools, environment)),
    ...(await overlapFaults(tools, environment)),
    ...(await retentionFaults(tools, environment, retentionDays)),
    ...(await domainFaults(tools, environment)),
  ]
  if (faults.length === 0) return [finding(check, 'ok', 'Nothing stands out.')]
  return faults.map(([verdict, words]) => finding(check, verdict, words))
}

type Fault = [Finding['verdict'], string]

async function campaignFaults({ stores }: Tools, { id }: Environment): Promise<Fault[]> {
  const live = await stores.campaigns.listLive(id)
  const active = live.filter(({ campaign }) => campaign.status === 'active').length
  if (active > 0) return []
  const words = live.length === 0 ? 'No campaign is published' : 'All campaigns are paused'
  return [['note', `${words}: events are accepted, and no message is sent. See: campaign list.`]]
}

function originFaults({ isProduction, allowedOrigins }: Environment): Fault[] {
  if (allowedOrigins.length === 0) {
    return isProduction ? [['note', 'Any page may use it: name your origins with env set-origins.']] : []
  }
  const faults: Fault[] = []
  for (const origin of allowedOrigins) {
    // An origin that does not match itself has a path or a form that no browser sends.
    const sample = origin.replace('*.', 'any.').replace(/^(?![a-z][a-z0-9+.-]*:)/i, 'https://')
    if (!isOriginAllowed([origin], sample))
      faults.push(['wrong', `The origin ${origin} matches no page: write it as https://shop.example.`])
  }
  if (isProduction && allowedOrigins.every((origin) => LOOPBACK.test(origin))) {
    faults.push([
      'wrong',
      `Only pages of a developer's own machine may use it (${allowedOrigins.join(' ')}): widgets elsewhere are refused.`,
    ])
  }
  if (isProduction && allowedOrigins.some((origin) => /^http:/i.test(origin) && !LOOPBACK.test(origin))) {
    faults.push(['note', 'It allows pages without TLS (http:): anybody on the network path can read the traffic.'])
  }
  return faults
}

function authenticationFaults(environment: Environment): Fault[] {
  const { isProduction, identityProvider, publicKey, requireExpiringTokens, sdkKeyMayManage } = environment
  const faults: Fault[] = []
  if (identityProvider === null && publicKey === null && isProduction && !requireExpiringTokens) {
    faults.push([
      'note',
      'No identity provider and no public key: users sign in by tokens of your backend only, also by such as never expire (requireExpiringTokens is off).',
    ])
  }
  const keysAt = identityProvider === null ? null : new URL(identityProvider.jwksUrl)
  if (keysAt?.protocol === 'http:' && !isLoopback(keysAt.hostname)) {
    faults.push([
      'wrong',
      'The keys of its identity provider come over http: anybody on the network path can sign in as any user. Name an https address.',
    ])
  }
  if (isProduction && sdkKeyMayManage) {
    faults.push(['note', 'Production, and its sdkSecretKey may manage as in development (sdkKeyMayManage is on).'])
  }
  return faults
}

async function mailFaults(
  { findMailWay, stores, tryIntegration }: DoctorTools,
  environment: Environment,
): Promise<Fault[]> {
  const integrations = await stores.mailIntegrations.listOf(environment.id)
  const faults = await Promise.all(
    integrations.map(async (integration): Promise<Fault[]> => {
      const { name, provider, lastErrorAt, lastSentAt, lastError } = integration
      const words = `The integration ${name} (${provider})`
      const fault = await tryIntegration(integration)
      const ofTests = environment.isProduction ? 'wrong' : 'note'
      const verdict = fault?.verdict === 'tests' ? ofTests : fault?.verdict
      const tried: Fault[] = verdict === undefined ? [] : [[verdict, `${words} ${fault?.words}`]]
      if (verdict === 'wrong' || lastErrorAt === null || lastErrorAt <= (lastSentAt ?? 0)) return tried
      return [...tried, ['wrong', `${words} has failed since its last mail, at ${toIso(lastErrorAt)}: ${lastError}`]]
    }),
  )
  if (faults.flat().length > 0) return faults.flat()
  if ((await findMailWay(environment)) !== 'none') return []
  return [
    [
      'wrong',
      'Production without a mail server: mails are skipped (no-provider). Add an integration, or set SMTP_URL.',
    ],
  ]
}

/** The old value of an overlap, and how its end is put off or brought on. */
interface Old {
  name: string
  value: SecretValueAnswer | null
  extend: string
  retire: string
}

async function overlapFaults(tools: Tools, { id }: Environment): Promise<Fault[]> {
  const olds = [...(await oldKeys(tools, id)), ...(await oldSourceSecrets(tools, id))]
  return olds.flatMap(({ name, value, extend, retire }): Fault[] => {
    if (value === null) return []
    const [endsAt, usedAt] = [value.retiresAt, value.lastUsedAt]
    if (usedAt === null) {
      return [['note', `The old ${name} ends at ${endsAt}; nobody has used it lately. ${retire} ends it now.`]]
    }
    const isSoon = endsAt !== null && Date.parse(endsAt) - tools.clock.now() < HOUR_MS
    const words = `The old ${name} was last used at ${usedAt} and ends at ${endsAt}: callers that still use it are refused then. ${extend} gives more time.`
    return [[isSoon ? 'wrong' : 'note', words]]
  })
}

async function oldKeys({ operator }: Tools, environmentId: number): Promise<Old[]> {
  const routes = operator.inEnvironment(formatId('environment', environmentId))
  const { data } = await routes.call<Page<SecretRotation>>('get', '/secrets')
  return data.flatMap(({ kind, state, previous }) =>
    state === 'overlap' ? [{ name: kind, value: previous, extend: 'secret extend', retire: 'secret retire' }] : [],
  )
}

async function oldSourceSecrets({ stores, clock }: Tools, environmentId: number): Promise<Old[]> {
  const [sources, values] = await Promise.all([
    stores.sources.listOf(environmentId),
    stores.secrets.listOfSources(environmentId),
  ])
  return sources.flatMap((source) => {
    const kind = secretKindOf(source)
    const own = values.filter((value) => value.kind === kind)
    const rotation = rotationOf(own, clock.now())
    if (rotation?.state !== 'overlap') return []
    const name = `verificationSecret of the source ${source.name} (${source.publicId})`
    return [{ name, value: rotation.previous, extend: 'Extend on its page', retire: 'Retire on its page' }]
  })
}

async function retentionFaults({ stores, clock }: Tools, { id }: Environment, days: number): Promise<Fault[]> {
  const oldestAt = await stores.retention.findOldestAt(id)
  const lateMs = oldestAt === null ? 0 : clock.now() - oldestAt - days * DAY_MS
  if (lateMs <= LATE_MS) return []
  const words = `Details are kept ${days} days, and the oldest are ${Math.floor(lateMs / DAY_MS)} days beyond.`
  return [['wrong', `${words} Does a server run? retention run removes them now.`]]
}

/** Receivers distrust mails of domains without these records, and large ones refuse them. */
async function domainFaults({ operator }: Tools, environment: Environment): Promise<Fault[]> {
  const routes = operator.inEnvironment(formatId('environment', environment.id))
  const { data } = await routes.call<Page<DomainFinding>>('get', '/email/domains')
  return data
    .filter(({ verdict }) => verdict === 'missing' || verdict === 'wrong')
    .map(({ domain, integration, kind, verdict, words, record }) => {
      const by = integration === null ? '' : ` by ${integration}`
      const remedy = record === null ? '' : ` TXT record at ${record.name}: ${record.value}`
      const isFault = verdict === 'wrong' && environment.isProduction
      return [isFault ? 'wrong' : 'note', `${kind.toUpperCase()} of ${domain}${by} is ${verdict}: ${words}${remedy}`]
    })
}
