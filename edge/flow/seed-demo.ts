// Creates the demo organisation on the first start and keeps `DATA_DIR/demo.json` (contract section 12): the one file that
// lets a script drive a fresh server at once. It holds secrets, so it is readable by its owner alone.

import { randomBytes, scrypt } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { AuditEntry, ChangedBy } from '../domain/audit.ts'
import type { Environment, Environments } from '../domain/environment.ts'
import type { Organisations } from '../domain/organisation.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId, type IdSource, parseId } from '../lib/id.ts'
import type { EnvironmentDraft, SecretValues } from './create-environment.ts'

const IDENTITY_PROVIDER_ALGORITHM = 'RS256'
const SIGNED_JWT_ALGORITHM = 'ES256'
const AUDIENCE = 'notification-center'
const KEY_ID = 'demo-1'
const DEMO_EMAIL = 'demo@example.com'
/** For the audit log. */
const BY: ChangedBy = { actor: 'seed', who: 'SEED_DEMO' }

interface DemoEnvironment extends SecretValues {
  id: string
}

/** The content of `demo.json`. */
export interface DemoFile {
  organisation: { id: string; name: string }
  dashboard: { email: string; password: string }
  environments: {
    dev: DemoEnvironment & {
      identityProvider: { issuer: string; audience: string; algorithm: string; kid: string; privateKeyJwk: JWK }
      signedJwt: { algorithm: string; privateKeyJwk: JWK }
    }
    prod: DemoEnvironment
  }
  sources: Record<string, { id: string; verificationSecret: string }>
  campaigns: Record<string, string>
}

export interface SeedDemoDeps {
  organisations: Organisations
  environments: Environments
  createEnvironment(draft: EnvironmentDraft, by: ChangedBy): Promise<{ environment: Environment; values: SecretValues }>
  /** Creates and publishes a campaign; answers its id on the wire and its key. */
  publishCampaign(environment: Environment, definition: unknown, by: ChangedBy): Promise<{ id: string; key: string }>
  ids: { organisation: IdSource }
  clock: Clock
  region: string
  dataDir: string
  /** Where the demo serves its JWKS and what it calls itself. */
  identityProvider: { issuer: string; jwksUrl: string }
}

export function createSeedDemo(deps: SeedDemoDeps) {
  const path = join(deps.dataDir, 'demo.json')

  /** `campaigns` are definitions; each is published in dev and in prod. A later start only refreshes the addresses. */
  return async function seedDemo(campaigns: readonly unknown[]): Promise<DemoFile> {
    const existing = await readDemoFile(path)
    const demo = existing === undefined ? await create(deps, campaigns) : await refresh(deps, existing)
    await writeDemoFile(path, demo)
    return demo
  }
}

async function create(deps: SeedDemoDeps, campaigns: readonly unknown[]): Promise<DemoFile> {
  const provider = await generateKeyPair(IDENTITY_PROVIDER_ALGORITHM, { extractable: true })
  const signer = await generateKeyPair(SIGNED_JWT_ALGORITHM, { extractable: true })
  const organisation = await createOrganisation(deps)
  const draft: EnvironmentDraft = {
    organisationId: organisation.id,
    name: 'dev',
    isProduction: false,
    allowedOrigins: [],
    requireExpiringTokens: false,
    sdkKeyMayManage: true,
    identityProvider: registration(deps),
    publicKey: {
      algorithm: SIGNED_JWT_ALGORITHM,
      key: JSON.stringify(await exportJWK(signer.publicKey)),
      claims: { userId: 'sub', email: 'email', name: 'name', locale: 'locale' },
    },
    disabledAt: null,
  }
  const dev = await deps.createEnvironment(draft, BY)
  const prod = await deps.createEnvironment(
    {
      ...draft,
      name: 'prod',
      isProduction: true,
      sdkKeyMayManage: false,
      identityProvider: null,
      publicKey: null,
    },
    BY,
  )
  const ids: Record<string, string> = {}
  for (const definition of campaigns) {
    const published = await deps.publishCampaign(dev.environment, definition, BY)
    ids[published.key] = published.id
    await deps.publishCampaign(prod.environment, definition, BY)
  }
  return {
    organisation: { id: formatId('organisation', organisation.id), name: organisation.name },
    dashboard: { email: DEMO_EMAIL, password: organisation.password },
    environments: {
      dev: {
        id: formatId('environment', dev.environment.id),
        ...dev.values,
        identityProvider: {
          issuer: deps.identityProvider.issuer,
          audience: AUDIENCE,
          algorithm: IDENTITY_PROVIDER_ALGORITHM,
          kid: KEY_ID,
          privateKeyJwk: await exportJWK(provider.privateKey),
        },
        signedJwt: { algorithm: SIGNED_JWT_ALGORITHM, privateKeyJwk: await exportJWK(signer.privateKey) },
      },
      prod: { id: formatId('environment', prod.environment.id), ...prod.values },
    },
    sources: {},
    campaigns: ids,
  }
}

function registration(deps: SeedDemoDeps): NonNullable<Environment['identityProvider']> {
  return {
    issuer: deps.identityProvider.issuer,
    audience: AUDIENCE,
    jwksUrl: deps.identityProvider.jwksUrl,
    algorithms: [IDENTITY_PROVIDER_ALGORITHM],
    claims: { userId: 'sub', email: 'email', name: 'name', locale: 'locale' },
  }
}

async function createOrganisation(deps: SeedDemoDeps): Promise<{ id: number; name: string; password: string }> {
  const id = deps.ids.organisation.next()
  const createdAt = deps.clock.now()
  const name = 'Demo'
  const subject = formatId('organisation', id)
  const of = { environmentId: null, organisationId: id, subject }
  const entry: AuditEntry = { at: createdAt, ...BY, action: 'org.create', ...of, detail: { name, region: deps.region } }
  await deps.organisations.create(
    {
      id,
      name,
      region: deps.region,
      onboardedAt: createdAt,
      retentionDays: 90,
      createdAt,
    },
    entry,
  )
  const password = randomBytes(12).toString('base64url')
  await deps.organisations.addMember({
    organisationId: id,
    email: DEMO_EMAIL,
    name: 'Demo owner',
    role: 'owner',
    passwordHash: await hashPassword(password),
    createdAt,
  })
  return { id, name, password }
}

/** `scrypt$<salt>$<hash>`, both base64url. */
async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = (await promisify(scrypt)(password, salt, 32)) as Buffer
  return `scrypt$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

/** The server may have moved to another port: the identity provider moves with it. Nodes that share one find nothing to do. */
async function refresh(deps: SeedDemoDeps, demo: DemoFile): Promise<DemoFile> {
  const id = parseId('environment', demo.environments.dev.id)
  const environment = id === undefined ? undefined : await deps.environments.find(id)
  if (environment === undefined) {
    throw new Error(
      `${join(deps.dataDir, 'demo.json')} belongs to another store. Remove it (or the whole data folder) and start again.`,
    )
  }
  const identityProvider = registration(deps)
  if (!isDeepStrictEqual(environment.identityProvider, identityProvider)) {
    const { issuer, jwksUrl } = identityProvider
    const of = { environmentId: environment.id, subject: environment.name, detail: { issuer, jwksUrl } }
    const entry = { at: deps.clock.now(), ...BY, action: 'env.set-identity-provider', ...of }
    await deps.environments.update({ ...environment, identityProvider }, entry)
  }
  const { dev } = demo.environments
  return {
    ...demo,
    environments: {
      ...demo.environments,
      dev: { ...dev, identityProvider: { ...dev.identityProvider, issuer: deps.identityProvider.issuer } },
    },
  }
}

async function readDemoFile(path: string): Promise<DemoFile | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as DemoFile
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`${path} cannot be read as JSON`, { cause: error })
  }
}

async function writeDemoFile(path: string, demo: DemoFile): Promise<void> {
  // A name of its own: nodes that share the folder may write at the same time.
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, path)
}
