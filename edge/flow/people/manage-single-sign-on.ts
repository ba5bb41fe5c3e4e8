// Reads, sets and removes the single sign-on of an organisation.

import type { SingleSignOnSettings } from '../../../contract/resources/single-sign-on.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import { toDomains } from '../../domain/people/sign-on-domains.ts'
import type { ProviderClient, SingleSignOn } from '../../domain/people/single-sign-on.ts'
import type { TakesRevision } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import { differenceOf, isSameJson } from '../../lib/difference.ts'
import { formatId } from '../../lib/id.ts'
import { changeStored } from '../tenant/change-stored.ts'
import { requireRevision } from '../tenant/require-revision.ts'

/** The actions in the audit log. */
const SET = 'org.set-single-sign-on'
const REMOVE = 'org.remove-single-sign-on'

export type ManageSingleSignOn = ReturnType<typeof createManageSingleSignOn>

export function createManageSingleSignOn({
  singleSignOns,
  provider,
  seal,
  audit,
  clock,
}: Pick<Core, 'singleSignOns' | 'seal' | 'audit' | 'clock'> & {
  provider: Pick<ProviderClient, 'confirm'>
}) {
  function auditOf(organisationId: number, action: string, by: ChangedBy, detail: AuditEntry['detail']): AuditEntry {
    const subject = formatId('organisation', organisationId)
    const target = { environmentId: null, organisationId, subject, detail }
    return { at: clock.now(), ...by, action, ...target }
  }

  /** @throws ApiError `request/not-found`. */
  async function get(organisationId: number): Promise<SingleSignOn> {
    const found = await singleSignOns.find(organisationId)
    if (found === undefined) throw signOnMissing()
    return found
  }

  return {
    get,
    listProved: singleSignOns.listProved,

    /**
     * Sets it as a whole. Another issuer or client removes the links and ends the sessions of the former one.
     * @throws ApiError `request/invalid-body` when the issuer has no discovery document, or a client secret is missing; `request/conflict` where
     *   `takes` does not take the stored revision, or none is stored
     */
    async put(
      organisationId: number,
      input: SingleSignOnSettings,
      by: ChangedBy,
      takes?: TakesRevision,
    ): Promise<SingleSignOn> {
      const { issuer, clientId, newMemberRole } = input
      const domains = toDomains(input.domains)
      await provider.confirm(issuer)
      const newSecret = input.clientSecret === undefined ? undefined : await seal(input.clientSecret)
      return changeStored('single sign-on', async () => {
        const former = await singleSignOns.find(organisationId)
        const action = former === undefined ? REMOVE : SET
        await requireRevision(audit, takes, former, { noun: 'single sign-on', organisationId, action })
        const sealed = newSecret ?? former?.sealed
        if (sealed === undefined) throw secretMissing()
        const next: SingleSignOn = {
          organisationId,
          issuer,
          clientId,
          sealed,
          domains,
          newMemberRole,
          // Begins at the current time, so that no revision of a removed one returns.
          revision: (former?.revision ?? clock.now()) + 1,
          updatedAt: clock.now(),
        }
        const isSame = newSecret === undefined && isSameJson(toDocument(former), toDocument(next))
        if (former !== undefined && isSame) return former
        const difference = differenceOf(toDocument(former), toDocument(next)).join('\n')
        const detail = { difference, newClientSecret: newSecret !== undefined }
        const endsLinks = former !== undefined && (former.issuer !== issuer || former.clientId !== clientId)
        const entry = { ...auditOf(organisationId, SET, by, detail), at: next.updatedAt }
        return (await singleSignOns.save(next, former?.revision ?? null, endsLinks, entry)) ? next : undefined
      })
    },

    /** Also ends the sessions that it began. @throws ApiError `request/not-found`, and as `put` does for `takes`. */
    async remove(organisationId: number, by: ChangedBy, takes?: TakesRevision): Promise<{ deleted: true }> {
      return changeStored('single sign-on', async () => {
        const stored = await get(organisationId)
        await requireRevision(audit, takes, stored, { noun: 'single sign-on', organisationId, action: SET })
        const { revision, issuer, clientId } = stored
        const entry = auditOf(organisationId, REMOVE, by, { issuer, clientId })
        return (await singleSignOns.remove(organisationId, revision, entry)) ? { deleted: true as const } : undefined
      })
    },
  }
}

/** @returns The settings without the secret, for the audit log. */
function toDocument(settings: SingleSignOn | undefined) {
  if (settings === undefined) return {}
  const { issuer, clientId, domains, newMemberRole } = settings
  return { issuer, clientId, domains: [...domains], newMemberRole }
}

/** The error where an organisation has no single sign-on. */
export function signOnMissing(): ApiError {
  return new ApiError('request/not-found', { message: 'The organisation has no single sign-on.', reason: 'not-set-up' })
}

function secretMissing(): ApiError {
  const message = 'This is missing: there is no stored client secret yet.'
  return new ApiError('request/invalid-body', { message, details: [{ path: 'clientSecret', message }] })
}
