// Creates the demo organisation at the first start, with its month, updates its addresses at later ones, and writes
// `DATA_DIR/demo.json`.

import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { exportJWK, generateKeyPair } from 'jose'
import { enricherSettings } from '../../contract/resources/enricher.ts'
import { newSource } from '../../contract/resources/source.ts'
import { NAMED_PLATFORMS } from '../../contract/tenant.ts'
import type { DefinitionInput } from '../campaign/definition.ts'
import type { AuditEntry, ChangedBy } from '../domain/audit.ts'
import type { Core } from '../domain/core.ts'
import type { Environment } from '../domain/environment.ts'
import { changeStored } from '../flow/tenant/change-stored.ts'
import type { EnvironmentDraft, SecretValues } from '../flow/tenant/create-environment.ts'
import type { ManageEnrichers } from '../flow/tenant/manage-enrichers.ts'
import type { ManageSources } from '../flow/tenant/manage-sources.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId, type IdSource, parseId } from '../lib/id.ts'
import { type DemoFile, readDemoFile, writeDemoFile } from './demo-file.ts'
import { earlierVersionOf, SECOND_VERSION_DAY } from './life/earlier-versions.ts'
import { DAY_MS } from './life/events.ts'
import { LIFE_DAYS, type LifeChange, type WriteLife } from './life/write-life.ts'
import {
  BY,
  DEV,
  IDENTITY_PROVIDER,
  KEY_SET_PATH,
  ORGANISATION,
  OWNER,
  PROD,
  SIGNED_JWT,
  SOURCE_NAMES,
} from './organisation.ts'
import { PLATFORM_MAPPINGS } from './platform-campaigns.ts'

/** The campaigns and enrichers of the demo organisation. */
export interface DemoSeed {
  /** Definitions; the first start publishes each in dev and in prod. */
  campaigns: readonly DefinitionInput[]
  /** Enrichers to register in prod, where a key may register none: paths of the site by name. */
  enrichers: Readonly<Record<string, string>>
  /** Whether the first start writes a month of events in dev, if the store has no organisation yet. */
  hasLife: boolean
}

/** What creates the organisation. */
export interface DemoMaker {
  createEnvironment(draft: EnvironmentDraft, by: ChangedBy): Promise<{ environment: Environment; values: SecretValues }>
  /** Creates and publishes a campaign. @returns Its id as in the API, and its key. */
  publishCampaign(
    environment: Environment,
    definition: DefinitionInput,
    by: ChangedBy,
  ): Promise<{ id: string; key: string }>
  ids: { organisation: IdSource; person: IdSource }
  clock: Clock
}

/** The past of the demo, in which the organisation is created and its month written. */
export interface DemoLife {
  maker: DemoMaker
  /** Publishes the definition as the second version, unless there is one. */
  publishSecond(environment: Environment, campaignId: string, definition: DefinitionInput, at: number): Promise<void>
  write: WriteLife
}

type Taken = Pick<Core, 'organisations' | 'people' | 'environments' | 'enrichers' | 'clock'> & {
  /** @returns The scrypt hash that the sign-in of the dashboard verifies. */
  hashPassword(password: string): Promise<string>
  maker: DemoMaker
  /** Opens the past at this time (epoch ms). */
  openLife(at: number): DemoLife
  putEnricher: ManageEnrichers['put']
  createSource: ManageSources['create']
  /** The address at which this process reaches the demo's site and key set. */
  siteUrl: string
  region: string
  dataDir: string
  /** The issuer in tokens of the demo's identity provider. */
  issuer: string
}

/** @returns A function that seeds the organisation once per start and returns the content of `demo.json`. */
export function createSeedDemo(deps: Taken) {
  const path = join(deps.dataDir, 'demo.json')
  // What will be `demo.json` when the month is written: an interrupted start goes on with it.
  const unfinishedPath = join(deps.dataDir, 'demo.unfinished.json')

  return async function seedDemo({ campaigns, enrichers, hasLife }: DemoSeed): Promise<DemoFile> {
    const finished = await readDemoFile(path)
    const existing = finished ?? (await readDemoFile(unfinishedPath))
    let demo: DemoFile
    if (existing !== undefined) demo = await refresh(deps, existing)
    else if (hasLife && (await deps.organisations.list()).length === 0) {
      const { maker } = deps.openLife(deps.clock.now() - LIFE_DAYS * DAY_MS)
      demo = await create(
        { ...deps, ...maker },
        campaigns.map((one) => earlierVersionOf(one) ?? one),
      )
      await writeDemoFile(unfinishedPath, demo)
    } else demo = await create({ ...deps, ...deps.maker }, campaigns)
    if (hasLife && finished === undefined) await writeMonth(deps, demo, campaigns)
    await registerEnrichers(deps, demo, enrichers)
    const complete = { ...demo, sources: { ...(await createSources(deps, demo)), ...demo.sources } }
    await writeDemoFile(path, complete)
    await rm(unfinishedPath, { force: true })
    return complete
  }
}

/** Writes the month, or completes it; it begins with the environment. */
async function writeMonth(deps: Taken, demo: DemoFile, campaigns: readonly DefinitionInput[]): Promise<void> {
  const id = parseId('environment', demo.environments.dev.id)
  const environment = id === undefined ? undefined : await deps.environments.find(id)
  if (environment === undefined) return
  const life = deps.openLife(environment.createdAt)
  const changes = campaigns.flatMap((definition): LifeChange[] => {
    const campaignId = demo.campaigns[definition.key]
    if (earlierVersionOf(definition) === undefined || campaignId === undefined) return []
    return [{ day: SECOND_VERSION_DAY, apply: (of, at) => life.publishSecond(of, campaignId, definition, at) }]
  })
  await life.write(environment, environment.createdAt, changes)
}

type CreateDeps = Taken & DemoMaker

async function create(deps: CreateDeps, campaigns: readonly DefinitionInput[]): Promise<DemoFile> {
  const provider = await generateKeyPair(IDENTITY_PROVIDER.algorithm, { extractable: true })
  const signer = await generateKeyPair(SIGNED_JWT.algorithm, { extractable: true })
  const organisation = await createOrganisation(deps)
  const owner = { organisationId: organisation.id }
  const publicKey = { ...SIGNED_JWT, key: JSON.stringify(await exportJWK(signer.publicKey)) }
  const dev = await deps.createEnvironment({ ...DEV, ...owner, identityProvider: registration(deps), publicKey }, BY)
  const prod = await deps.createEnvironment({ ...PROD, ...owner }, BY)
  const ids: Record<string, string> = {}
  for (const definition of campaigns) {
    const published = await deps.publishCampaign(dev.environment, definition, BY)
    ids[published.key] = published.id
    await deps.publishCampaign(prod.environment, definition, BY)
  }
  const { audience, algorithm, kid } = IDENTITY_PROVIDER
  return {
    organisation: { id: formatId('organisation', organisation.id), name: ORGANISATION.name },
    dashboard: { email: OWNER.email, password: organisation.password },
    environments: {
      dev: {
        id: formatId('environment', dev.environment.id),
        ...dev.values,
        identityProvider: {
          issuer: deps.issuer,
          audience,
          algorithm,
          kid,
          privateKeyJwk: await exportJWK(provider.privateKey),
        },
        signedJwt: { algorithm: SIGNED_JWT.algorithm, privateKeyJwk: await exportJWK(signer.privateKey) },
      },
      prod: { id: formatId('environment', prod.environment.id), ...prod.values },
    },
    sources: {},
    campaigns: ids,
  }
}

function registration({ issuer, siteUrl }: Taken): NonNullable<Environment['identityProvider']> {
  const { audience, algorithm, claims } = IDENTITY_PROVIDER
  return { issuer, audience, clientClaim: 'aud', jwksUrl: siteUrl + KEY_SET_PATH, algorithms: [algorithm], claims }
}

async function createOrganisation(deps: CreateDeps): Promise<{ id: number; password: string }> {
  const { region } = deps
  const id = deps.ids.organisation.next()
  const createdAt = deps.clock.now()
  const subject = formatId('organisation', id)
  const target = { environmentId: null, organisationId: id, subject }
  const detail = { name: ORGANISATION.name, region }
  const entry: AuditEntry = { at: createdAt, ...BY, action: 'org.create', ...target, detail }
  await deps.organisations.create({ ...ORGANISATION, id, region, onboardedAt: createdAt, createdAt }, entry)
  const password = randomBytes(12).toString('base64url')
  const passwordHash = await deps.hashPassword(password)
  const { role, ...person } = OWNER
  const account = { ...person, id: deps.ids.person.next(), passwordHash, createdAt }
  const invited = { at: createdAt, ...BY, action: 'member.add', ...target, subject: OWNER.email, detail: { role } }
  await deps.people.addMember(id, account, role, invited)
  return { id, password }
}

/** Updates the identity provider to the address of this start; changes nothing when another node has done so. */
async function refresh(deps: Taken, demo: DemoFile): Promise<DemoFile> {
  await changeStored('environment', () => refreshProvider(deps, demo))
  const { dev } = demo.environments
  return {
    ...demo,
    environments: {
      ...demo.environments,
      dev: { ...dev, identityProvider: { ...dev.identityProvider, issuer: deps.issuer } },
    },
  }
}

/** Registers enrichers as an operator does; changes nothing when another node has done so. */
async function registerEnrichers(deps: Taken, demo: DemoFile, paths: DemoSeed['enrichers']): Promise<void> {
  const environmentId = (await findEnvironment(deps, demo.environments.prod.id))?.id
  if (environmentId === undefined) return
  const { enrichers, putEnricher, siteUrl } = deps
  for (const [name, path] of Object.entries(paths)) {
    const url = siteUrl + path
    const known = await enrichers.find(environmentId, name)
    if (known?.url !== url) await putEnricher(environmentId, name, enricherSettings.parse({ url }), BY)
  }
}

/** @returns A source of each platform that `demo.json` has none of, with the value of its secret. */
async function createSources(deps: Taken, demo: DemoFile): Promise<DemoFile['sources']> {
  const created: DemoFile['sources'] = {}
  const environmentId = (await findEnvironment(deps, demo.environments.dev.id))?.id
  if (environmentId === undefined) return created
  for (const provider of NAMED_PLATFORMS) {
    if (demo.sources[provider] !== undefined) continue
    const mappings = PLATFORM_MAPPINGS[provider]
    const settings = newSource.parse({ name: SOURCE_NAMES[provider], provider, mappings })
    const { id, verificationSecret } = await deps.createSource(environmentId, settings, BY)
    created[provider] = { id, verificationSecret }
  }
  return created
}

/** @returns Undefined once it was deleted. */
async function findEnvironment({ environments }: Taken, environmentId: string) {
  const id = parseId('environment', environmentId)
  return id === undefined ? undefined : environments.find(id)
}

/** @returns Undefined when the environment was changed since it was read. */
async function refreshProvider(deps: Taken, demo: DemoFile): Promise<true | undefined> {
  const environment = await findEnvironment(deps, demo.environments.dev.id)
  if (environment === undefined) {
    const organisationId = parseId('organisation', demo.organisation.id)
    // A person has deleted the environment.
    if (organisationId !== undefined && (await deps.organisations.find(organisationId)) !== undefined) return true
    throw new Error(
      `${join(deps.dataDir, 'demo.json')} belongs to another store. Remove it (or the whole data folder) and start again.`,
    )
  }
  const identityProvider = registration(deps)
  if (isDeepStrictEqual(environment.identityProvider, identityProvider)) return true
  const { issuer, jwksUrl } = identityProvider
  const target = { environmentId: environment.id, subject: environment.name, detail: { issuer, jwksUrl } }
  const entry = { at: deps.clock.now(), ...BY, action: 'env.set-identity-provider', ...target }
  return (await deps.environments.update({ ...environment, identityProvider }, entry)) === 'saved' || undefined
}
