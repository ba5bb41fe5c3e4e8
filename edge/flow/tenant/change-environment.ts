// Changes the settings of an environment: origins, public key, identity provider, limits, on and off.

import type { EnvironmentChange, EnvironmentLimits } from '../../../contract/resources/environment.ts'
import type { IdentityProvider, PublicKey } from '../../../contract/resources/token-keys.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import { sandboxOf } from '../../domain/mail/email-sandbox.ts'
import { nameTaken } from '../../domain/tenant/parse-name.ts'
import type { Revised, TakesRevision } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import { differenceOf, isSameJson } from '../../lib/difference.ts'
import { given } from '../../lib/given.ts'
import { formatId } from '../../lib/id.ts'
import { changeStored } from './change-stored.ts'
import { requireRevision } from './require-revision.ts'

type Taken = Pick<Core, 'environments' | 'bus' | 'audit' | 'clock'> & {
  /** @throws Error with a text for people when the key cannot verify tokens */
  checkPublicKey(publicKey: PublicKey): Promise<void>
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

export function createChangeEnvironment(deps: Taken) {
  async function find(id: number): Promise<Revised<Environment>> {
    const found = await deps.environments.find(id)
    if (found === undefined) throw new ApiError('request/not-found', { message: 'There is no such environment.' })
    return found
  }

  async function requirePublicKey(publicKey: PublicKey): Promise<void> {
    await deps.checkPublicKey(publicKey).catch(({ message }: Error) => {
      throw new ApiError('request/invalid-body', { message, details: [{ path: 'publicKey.key', message }] })
    })
  }

  /** @returns Undefined when the environment was changed since `former` was read. */
  async function save(
    former: Revised<Environment>,
    fields: Partial<Environment>,
    { action, detail }: Pick<AuditEntry, 'action' | 'detail'>,
    by: ChangedBy,
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

  return {
    requirePublicKey,
    /**
     * Changes several settings at once, or none of them; absent fields stay, and nothing is written when none differs.
     * Sessions that a former key or provider granted end. A key that may no longer manage is refused from the next call on.
     * Throws `request/not-found`, `request/invalid-body` for a public key that cannot verify tokens, the errors of a config,
     * and `request/conflict` for the name of another one, or where `takes` does not take the revision.
     */
    async set(
      id: number,
      by: ChangedBy,
      asked: EnvironmentChange,
      takes?: TakesRevision,
    ): Promise<Revised<Environment>> {
      const { notificationConfigId: named, disabled, ...settings } = given(asked)
      const config = named == null ? named : await deps.checkConfig(id, named)
      if (settings.publicKey) await requirePublicKey(settings.publicKey)
      const fields = { ...settings, ...(config !== undefined && { notificationConfigId: config }) }
      return changeStored('environment', async () => {
        const former = await find(id)
        await requireRevision(deps.audit, takes, former, { noun: 'environment', environmentId: id, action: 'env' })
        const disabledAt =
          disabled === undefined ? former.disabledAt : disabled ? (former.disabledAt ?? deps.clock.now()) : null
        return save(former, { ...fields, disabledAt }, entryOf(asked, by), by)
      })
    },
  }
}

/** Commands set one thing each: their entries have its name and its value beside the difference. */
function entryOf(asked: EnvironmentChange, { actor }: ChangedBy): Pick<AuditEntry, 'action' | 'detail'> {
  if (actor !== 'cli') return { action: 'env.change', detail: {} }
  const { allowedOrigins, publicKey, identityProvider, rateLimits, disabled, ...basics } = given(asked)
  if (allowedOrigins !== undefined) return { action: 'env.set-origins', detail: { origins: allowedOrigins.join(' ') } }
  if (publicKey !== undefined)
    return { action: 'env.set-public-key', detail: { algorithm: publicKey?.algorithm ?? null } }
  if (identityProvider !== undefined) {
    const { issuer = null, jwksUrl = null } = identityProvider ?? {}
    return { action: 'env.set-identity-provider', detail: { issuer, jwksUrl } }
  }
  if (rateLimits !== undefined) return { action: 'env.set-limits', detail: detailOf(rateLimits) }
  if (disabled !== undefined) return { action: disabled ? 'env.disable' : 'env.enable', detail: {} }
  // The difference shows a sandbox.
  const { appSchemes, emailSandbox: _, ...named } = basics
  return {
    action: 'env.change',
    detail: { ...named, ...(appSchemes !== undefined && { appSchemes: appSchemes.join(' ') }) },
  }
}

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

/** Formats a missing limit as text, because an absent field would look as if it had not been set. */
function detailOf(limits: EnvironmentLimits | null): Record<string, string | number> {
  return Object.fromEntries(Object.entries(limits ?? {}).map(([name, limit]) => [name, limit ?? 'off']))
}

function lostCredentials(deps: Taken, former: Environment, changed: Environment): string[] {
  const named = ({ identityProvider, publicKey }: Environment) => [
    ...(identityProvider === null ? [] : [deps.providerCredential(identityProvider)]),
    ...(publicKey === null ? [] : [deps.publicKeyCredential(publicKey)]),
  ]
  const kept = new Set(named(changed))
  return named(former).filter((credential) => !kept.has(credential))
}
