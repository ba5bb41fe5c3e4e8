// Changes the settings of an environment: origins, public key, identity provider, limits, on and off.

import { namesInBraces } from '../../../contract/identity-providers.ts'
import { findSiteFault } from '../../../contract/site.ts'
import type { EmailSandbox, EnvironmentLimits, IdentityProvider, PublicKey } from '../../../contract/tenant.ts'
import type { AuditLog, ChangedBy } from '../../domain/audit.ts'
import type { Bus } from '../../domain/bus.ts'
import type { Environment, Environments } from '../../domain/environment.ts'
import { sandboxOf } from '../../domain/mail/email-sandbox.ts'
import { findSchemeFault, type LinkRules } from '../../domain/tenant/link-rules.ts'
import { nameTaken, parseName } from '../../domain/tenant/parse-name.ts'
import type { Revised, TakesRevision } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { differenceOf, isSameJson } from '../../lib/difference.ts'
import { given } from '../../lib/given.ts'
import { formatId } from '../../lib/id.ts'
import { changeStored } from './change-stored.ts'
import { checkSandbox } from './check-sandbox.ts'
import { requireRevision } from './require-revision.ts'

export interface ChangeEnvironmentDeps {
  environments: Pick<Environments, 'find' | 'update'>
  bus: Pick<Bus, 'publish'>
  audit: Pick<AuditLog, 'search'>
  clock: Clock
  /** @throws Error with a text for people when the key cannot verify tokens */
  checkPublicKey(publicKey: PublicKey): Promise<void>
  algorithms: readonly string[]
  /** Returns the identifier of a provider in sessions. */
  providerCredential(provider: IdentityProvider): string
  publicKeyCredential(publicKey: PublicKey): string
  /** Returns the config's number. @throws the 404s of a config that the environment may not name */
  checkConfig(environmentId: number, configId: string): Promise<number>
  endSessions(environmentId: number, by: { credential: string }): Promise<number>
}

/** In the answer that refuses a name. */
export const ENVIRONMENT_NOUN = 'environment of this organisation'

/** Characters of a difference that the audit log keeps. */
const DIFFERENCE_CHARS = 4000

export type ChangeEnvironment = ReturnType<typeof createChangeEnvironment>

/** Names and permissions of an environment. */
export interface EnvironmentBasics {
  name?: string
  isProduction?: boolean
  requireExpiringTokens?: boolean
  sdkKeyMayManage?: boolean
  /** In its wire form; null: none. */
  notificationConfigId?: string | null
  /** Null: PUBLIC_URL. */
  siteUrl?: string | null
  appSchemes?: readonly string[]
  /** Null: the usual one. */
  emailSandbox?: EmailSandbox | null
}

/** All settings that a person may change at once. Absent fields stay. */
export interface EnvironmentChange extends EnvironmentBasics {
  allowedOrigins?: string[]
  /** Null removes it. */
  publicKey?: PublicKey | null
  identityProvider?: IdentityProvider | null
  rateLimits?: EnvironmentLimits | null
  disabled?: boolean
}

/** With its scheme, as browsers send it, or `*.` and any scheme. */
export const ORIGIN = /^(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:\*\.)?|\*\.)[^\s/?#@\\*]+\/?$/

/** Checks exact origins, or those with one leading `*.`. @throws for one that no page could match */
export function checkOrigins(origins: readonly string[]): void {
  const wrong = origins.find((origin) => !ORIGIN.test(origin))
  if (wrong === undefined) return
  throw invalid('origin', `"${wrong}" is no origin such as https://shop.example or https://*.shop.example.`)
}

/** @throws `request/invalid-body` for a site that is no address, and schemes that no link may have */
export function checkLinkRules({ siteUrl, appSchemes = [] }: Partial<LinkRules>): void {
  const fault = siteUrl == null ? undefined : findSiteFault(siteUrl)
  if (fault !== undefined) throw invalid('siteUrl', fault)
  for (const [place, scheme] of appSchemes.entries()) {
    const wrong = findSchemeFault(scheme)
    if (wrong !== undefined) throw invalid(`appSchemes[${place}]`, wrong)
  }
}

export function createChangeEnvironment(deps: ChangeEnvironmentDeps) {
  type Change = [
    id: number,
    by: ChangedBy,
    action: string,
    fields: Partial<Environment>,
    detail?: Record<string, string | number | boolean | null>,
  ]
  /** Fields that are not named keep their value; nothing is written when none differs. Throws `request/not-found`. */
  const change = (...given: Change) => changeStored('environment', () => changeOnce(...given))

  async function find(id: number): Promise<Revised<Environment>> {
    const found = await deps.environments.find(id)
    if (found === undefined) throw new ApiError('request/not-found', { message: 'There is no such environment.' })
    return found
  }

  async function changeOnce(...[id, ...given]: Change): Promise<Revised<Environment> | undefined> {
    return saveChange(await find(id), ...given)
  }

  /** @returns Undefined when the environment was changed since `former` was read. */
  async function saveChange(
    former: Revised<Environment>,
    ...[by, action, fields, detail = {}]: Tail<Change>
  ): Promise<Revised<Environment> | undefined> {
    const { id } = former
    const changed = withoutDefault({ ...former, ...fields }, former)
    const difference = differenceOf(shownOf(former), shownOf(changed)).join('\n').slice(0, DIFFERENCE_CHARS)
    if (isSameJson(shownOf(former), shownOf(changed))) return former
    const facts = { ...detail, difference }
    const entry = { at: deps.clock.now(), ...by, action, environmentId: id, subject: former.name, detail: facts }
    const saved = await deps.environments.update(changed, entry)
    if (saved === 'taken') throw nameTaken(ENVIRONMENT_NOUN)
    if (saved === 'changed') return undefined
    deps.bus.publish('environment-changed', { environmentId: id })
    for (const credential of lostCredentials(deps, former, changed)) await deps.endSessions(id, { credential })
    return { ...changed, revision: former.revision + 1 }
  }

  async function basicFields(id: number, basics: EnvironmentBasics): Promise<Partial<Environment>> {
    if (basics.name !== undefined) parseName(basics.name)
    checkLinkRules(basics)
    if (basics.emailSandbox) checkSandbox(basics.emailSandbox)
    const { notificationConfigId: named, ...given } = basics
    const config = named == null ? named : await deps.checkConfig(id, named)
    return { ...given, ...(config === undefined ? {} : { notificationConfigId: config }) }
  }

  async function keyFields({
    publicKey,
    identityProvider,
  }: Pick<EnvironmentChange, 'publicKey' | 'identityProvider'>): Promise<Partial<Environment>> {
    if (publicKey) {
      await deps.checkPublicKey(publicKey).catch((error: Error) => Promise.reject(invalid('key', error.message)))
    }
    if (identityProvider) checkProvider(identityProvider, deps.algorithms)
    return given({ publicKey, identityProvider })
  }

  return {
    /** Throws `request/invalid-body` for a public key or provider that cannot verify tokens. */
    checkKeys: keyFields,
    /** Changes several settings at once, or none of them. Throws `request/conflict` where `takes` does not take the revision. */
    async set(
      id: number,
      by: ChangedBy,
      asked: EnvironmentChange,
      takes?: TakesRevision,
    ): Promise<Revised<Environment>> {
      const { allowedOrigins, publicKey, identityProvider, rateLimits, disabled, ...basics } = asked
      if (allowedOrigins !== undefined) checkOrigins(allowedOrigins)
      const fields = {
        ...(await basicFields(id, given(basics))),
        ...(await keyFields(asked)),
        ...given({ allowedOrigins, rateLimits }),
      }
      return changeStored('environment', async () => {
        const former = await find(id)
        await requireRevision(deps.audit, takes, former, { noun: 'environment', environmentId: id, action: 'env' })
        const disabledAt =
          disabled === undefined ? former.disabledAt : disabled ? (former.disabledAt ?? deps.clock.now()) : null
        return saveChange(former, by, 'env.change', { ...fields, disabledAt })
      })
    },
    /** Absent fields stay. A key that may no longer manage is refused from the next call on. */
    async setBasics(id: number, by: ChangedBy, basics: EnvironmentBasics) {
      const named = given(basics)
      return change(id, by, 'env.change', await basicFields(id, named), detailOfBasics(named))
    },
    /** Exact origins, or with one leading `*.`; an empty list allows any. */
    async setOrigins(id: number, by: ChangedBy, allowedOrigins: string[]) {
      checkOrigins(allowedOrigins)
      return change(id, by, 'env.set-origins', { allowedOrigins }, { origins: allowedOrigins.join(' ') })
    },
    /** Null removes it. Sessions that the former one granted end. */
    async setPublicKey(id: number, by: ChangedBy, publicKey: PublicKey | null) {
      const fields = await keyFields({ publicKey })
      return change(id, by, 'env.set-public-key', fields, { algorithm: publicKey?.algorithm ?? null })
    },
    /** Null removes it. Sessions that the former one granted end. */
    async setIdentityProvider(id: number, by: ChangedBy, provider: IdentityProvider | null) {
      const fields = await keyFields({ identityProvider: provider })
      const detail = { issuer: provider?.issuer ?? null, jwksUrl: provider?.jwksUrl ?? null }
      return change(id, by, 'env.set-identity-provider', fields, detail)
    },
    /** Sets calls per minute by class; null or an empty object: the deployment's only. In effect within a second. */
    setLimits: (id: number, by: ChangedBy, rateLimits: EnvironmentLimits | null) =>
      change(id, by, 'env.set-limits', { rateLimits }, detailOf(rateLimits)),
    enable: (id: number, by: ChangedBy) => change(id, by, 'env.enable', { disabledAt: null }),
    /** Refuses its keys and suspends its sessions until it is enabled again. */
    disable: (id: number, by: ChangedBy) => change(id, by, 'env.disable', { disabledAt: deps.clock.now() }),
  }
}

type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never

/** Returns the settings as the audit log compares them. */
function shownOf(environment: Environment & { revision?: number }) {
  const {
    id: _,
    organisationId: _o,
    createdAt: _c,
    revision: _r,
    notificationConfigId,
    disabledAt,
    ...settings
  } = environment
  return {
    ...settings,
    rateLimits: environment.rateLimits ?? null,
    siteUrl: environment.siteUrl ?? null,
    appSchemes: environment.appSchemes ?? [],
    emailSandbox: environment.emailSandbox ?? null,
    notificationConfigId: notificationConfigId === null ? null : formatId('notificationConfig', notificationConfigId),
    disabled: disabledAt !== null,
  }
}

/** The answer shows the sandbox that counts: sent back, the default must not become a setting. */
function withoutDefault(changed: Revised<Environment>, former: Environment): Revised<Environment> {
  if (former.emailSandbox != null || changed.emailSandbox == null) return changed
  const byDefault = { ...changed, emailSandbox: null }
  return isSameJson(changed.emailSandbox, sandboxOf(byDefault)) ? byDefault : changed
}

/** Formats a list as one text. The difference shows a sandbox. */
function detailOfBasics({ appSchemes, emailSandbox: _, ...named }: EnvironmentBasics) {
  return { ...named, ...(appSchemes !== undefined && { appSchemes: appSchemes.join(' ') }) }
}

/** Formats a missing limit as text, because an absent field would look as if it had not been set. */
function detailOf(limits: EnvironmentLimits | null): Record<string, string | number> {
  return Object.fromEntries(Object.entries(limits ?? {}).map(([name, limit]) => [name, limit ?? 'off']))
}

function lostCredentials(deps: ChangeEnvironmentDeps, former: Environment, changed: Environment): string[] {
  const named = ({ identityProvider, publicKey }: Environment) => [
    ...(identityProvider === null ? [] : [deps.providerCredential(identityProvider)]),
    ...(publicKey === null ? [] : [deps.publicKeyCredential(publicKey)]),
  ]
  const kept = new Set(named(changed))
  return named(former).filter((credential) => !kept.has(credential))
}

function checkProvider({ issuer, audience, jwksUrl, algorithms }: IdentityProvider, known: readonly string[]): void {
  for (const [path, text] of Object.entries({ issuer, audience, jwksUrl })) {
    const [name] = namesInBraces(text)
    if (name !== undefined) throw invalid(path, `Put a value in place of {${name}}.`)
  }
  if (issuer === '') throw invalid('issuer', 'The issuer is empty.')
  if (audience === '') throw invalid('audience', 'The audience is empty.')
  if (!URL.canParse(jwksUrl) || !/^https?:$/.test(new URL(jwksUrl).protocol)) {
    throw invalid('jwksUrl', 'The JWKS address must be an https (or http) address.')
  }
  const wrong = algorithms.find((algorithm) => !known.includes(algorithm))
  if (algorithms.length === 0 || wrong !== undefined) {
    throw invalid('algorithms', `Algorithms must be some of ${known.join(', ')}.`)
  }
}

function invalid(path: string, message: string): ApiError {
  return new ApiError('request/invalid-body', { message, details: [{ path, message }] })
}
