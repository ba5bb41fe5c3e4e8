// Changes the settings of an environment: origins, public key, identity provider, on and off.

import type { ChangedBy } from '../../domain/audit.ts'
import type { Bus } from '../../domain/bus.ts'
import type { Environment, Environments, IdentityProvider, PublicKey } from '../../domain/environment.ts'
import type { EnvironmentLimits } from '../../domain/limits/call-limits.ts'
import { parseName } from '../../domain/tenant/parse-name.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { changeStored } from './change-stored.ts'

export interface ChangeEnvironmentDeps {
  environments: Pick<Environments, 'find' | 'update'>
  bus: Pick<Bus, 'publish'>
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

export type ChangeEnvironment = ReturnType<typeof createChangeEnvironment>

/** Names and permissions of an environment. */
export interface EnvironmentBasics {
  name?: string
  isProduction?: boolean
  requireExpiringTokens?: boolean
  sdkKeyMayManage?: boolean
  /** In its wire form; null: none. */
  notificationConfigId?: string | null
}

/** With its scheme, as browsers send it, or `*.` and any scheme. */
const ORIGIN = /^(?:[a-z][a-z0-9+.-]*:\/\/(?:\*\.)?|\*\.)[^\s/?#@\\*]+\/?$/i

/** Checks exact origins, or those with one leading `*.`. @throws for one that no page could match */
export function checkOrigins(origins: readonly string[]): void {
  const wrong = origins.find((origin) => !ORIGIN.test(origin))
  if (wrong === undefined) return
  throw invalid('origin', `"${wrong}" is no origin such as https://shop.example or https://*.shop.example.`)
}

export function createChangeEnvironment(deps: ChangeEnvironmentDeps) {
  type Change = [
    id: number,
    by: ChangedBy,
    action: string,
    fields: Partial<Environment>,
    detail?: Record<string, string | number | boolean | null>,
  ]
  /** Fields that are not named keep their value at the moment of the change. Throws `request/not-found`. */
  const change = (...given: Change) => changeStored('environment', () => changeOnce(...given))

  async function changeOnce(...[id, by, action, fields, detail = {}]: Change): Promise<Environment | undefined> {
    const former = await deps.environments.find(id)
    if (former === undefined) throw new ApiError('request/not-found', { message: 'There is no such environment.' })
    const changed = { ...former, ...fields }
    const entry = { at: deps.clock.now(), ...by, action, environmentId: id, subject: former.name, detail }
    if (!(await deps.environments.update(changed, entry))) return undefined
    deps.bus.publish('environment-changed', { environmentId: id })
    for (const credential of lostCredentials(deps, former, changed)) await deps.endSessions(id, { credential })
    return changed
  }

  return {
    /** Absent fields stay. A key that may no longer manage is refused from the next call on. */
    async setBasics(id: number, by: ChangedBy, basics: EnvironmentBasics) {
      if (basics.name !== undefined) parseName(basics.name)
      const given = Object.fromEntries(Object.entries(basics).filter(([, value]) => value !== undefined))
      const { notificationConfigId: named } = basics
      const config = named == null ? named : await deps.checkConfig(id, named)
      const fields = config === undefined ? given : { ...given, notificationConfigId: config }
      return change(id, by, 'env.change', fields, given)
    },
    /** Exact origins, or with one leading `*.`; an empty list allows any. */
    async setOrigins(id: number, by: ChangedBy, allowedOrigins: string[]) {
      checkOrigins(allowedOrigins)
      return change(id, by, 'env.set-origins', { allowedOrigins }, { origins: allowedOrigins.join(' ') })
    },
    /** Null removes it. Sessions that the former one granted end. */
    async setPublicKey(id: number, by: ChangedBy, publicKey: PublicKey | null) {
      if (publicKey !== null) {
        await deps.checkPublicKey(publicKey).catch((error: Error) => Promise.reject(invalid('key', error.message)))
      }
      return change(id, by, 'env.set-public-key', { publicKey }, { algorithm: publicKey?.algorithm ?? null })
    },
    /** Null removes it. Sessions that the former one granted end. */
    async setIdentityProvider(id: number, by: ChangedBy, provider: IdentityProvider | null) {
      if (provider !== null) checkProvider(provider, deps.algorithms)
      const detail = { issuer: provider?.issuer ?? null, jwksUrl: provider?.jwksUrl ?? null }
      return change(id, by, 'env.set-identity-provider', { identityProvider: provider }, detail)
    },
    /** Sets calls per minute by class; null or an empty object: the deployment's only. In effect within a second. */
    setLimits: (id: number, by: ChangedBy, rateLimits: EnvironmentLimits | null) =>
      change(id, by, 'env.set-limits', { rateLimits }, detailOf(rateLimits)),
    enable: (id: number, by: ChangedBy) => change(id, by, 'env.enable', { disabledAt: null }),
    /** Refuses its keys and suspends its sessions until it is enabled again. */
    disable: (id: number, by: ChangedBy) => change(id, by, 'env.disable', { disabledAt: deps.clock.now() }),
  }
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
