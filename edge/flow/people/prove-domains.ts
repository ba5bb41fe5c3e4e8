// Proves that domains are of an organisation, by a record of their DNS or by the word of the operator, and checks them daily.

import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { DomainCheck, DomainProofResult, DomainProver, ProvedDomain } from '../../domain/people/single-sign-on.ts'
import { ApiError } from '../../lib/api-error.ts'
import { formatId } from '../../lib/id.ts'
import { asciiDomain } from '../../lib/mail-address.ts'
import { signOnMissing } from './manage-single-sign-on.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Proofs checked in one run of the task. */
const CHECKED_AT_ONCE = 100
/** Time in which a record that was lost may come back. */
export const MISSING_MS = 7 * DAY_MS

/** @returns The record that proves a domain. Its value is public: only the owner of the domain can set it. */
export function recordOf(organisationId: number, domain: string): { name: string; value: string } {
  return { name: `_nc-single-sign-on.${domain}`, value: `nc-organisation=${formatId('organisation', organisationId)}` }
}

export type ProveDomains = ReturnType<typeof createProveDomains>

export function createProveDomains({
  singleSignOns,
  findTexts,
  clock,
}: Pick<Core, 'singleSignOns' | 'clock'> & {
  /**
   * @returns The texts of the TXT records of a name; none where there are none.
   * @throws ApiError `service/unavailable` when no name server answers.
   */
  findTexts(name: string): Promise<string[]>
}) {
  async function isPublished(organisationId: number, domain: string): Promise<boolean> {
    const { name, value } = recordOf(organisationId, domain)
    return (await findTexts(name)).some((text) => text.trim() === value)
  }

  function auditOf(organisationId: number, verb: string, by: ChangedBy, detail: AuditEntry['detail']): AuditEntry {
    const subject = formatId('organisation', organisationId)
    return { at: clock.now(), ...by, action: `org.${verb}`, environmentId: null, organisationId, subject, detail }
  }

  async function store(organisationId: number, domain: string, by: DomainProver, changedBy: ChangedBy): Promise<void> {
    const now = clock.now()
    const proof = { domain, organisationId, by, provedAt: now, checkedAt: now, missingSince: null }
    const entry = auditOf(organisationId, 'prove-domain', changedBy, { domain, by })
    requireProved(await singleSignOns.proveDomain(proof, entry))
  }

  /** @throws ApiError `request/not-found`, `request/conflict` for a domain that the settings do not name. */
  async function requireListed(organisationId: number, domain: string): Promise<void> {
    const settings = await singleSignOns.find(organisationId)
    if (settings === undefined) throw signOnMissing()
    if (!settings.domains.includes(domain)) requireProved('not-listed')
  }

  async function check(proof: ProvedDomain): Promise<void> {
    const { organisationId, domain, missingSince } = proof
    const now = clock.now()
    const isMissing = !(await isPublished(organisationId, domain))
    const isOver = missingSince !== null && now - missingSince >= MISSING_MS
    const result: DomainCheck = isMissing ? (isOver ? 'lost' : 'missing') : 'found'
    const verb = { found: 'find-domain-record', missing: 'miss-domain-record', lost: 'lose-domain' }[result]
    const entry = auditOf(organisationId, verb, { actor: 'server', who: 'daily check' }, { domain })
    await singleSignOns.recordCheck(proof, result, now, entry)
  }

  return {
    /** Reads the record of a listed domain. @throws ApiError `request/not-found`, `request/conflict`, `service/unavailable`. */
    async prove(organisationId: number, given: string, by: ChangedBy): Promise<void> {
      const domain = asciiDomain(given.trim())
      await requireListed(organisationId, domain)
      if (!(await isPublished(organisationId, domain))) throw recordMissing(organisationId, domain)
      await store(organisationId, domain, 'dns', by)
    },

    /** Takes the word of the operator for a listed domain, such as one that has no public DNS. Throws as `prove`. */
    async trust(organisationId: number, given: string, by: ChangedBy): Promise<void> {
      const domain = asciiDomain(given.trim())
      await requireListed(organisationId, domain)
      await store(organisationId, domain, 'operator', by)
    },

    /** Checks the records that were not checked for a day. A name server that does not answer changes nothing. */
    async recheck(): Promise<void> {
      const due = await singleSignOns.listUnchecked(clock.now() - DAY_MS, CHECKED_AT_ONCE)
      // At the same time, so that silent name servers do not hold up the end of the process.
      const checks = due.map((proof) =>
        check(proof).catch((error: unknown) => {
          if (!(error instanceof ApiError)) throw error
        }),
      )
      await Promise.all(checks)
    },
  }
}

function requireProved(result: DomainProofResult): void {
  if (result === 'proved') return
  const message =
    result === 'taken'
      ? 'Another organisation has proved this domain. Its proof ends a week after its record is removed.'
      : 'The single sign-on does not list this domain. Save it with the settings first.'
  throw new ApiError('request/conflict', { message, reason: result === 'taken' ? 'domain-taken' : 'domain-not-listed' })
}

function recordMissing(organisationId: number, domain: string): ApiError {
  const { name, value } = recordOf(organisationId, domain)
  const message = `The TXT record ${name} with the value ${value} is not there yet. New records may take an hour.`
  return new ApiError('request/conflict', { message, reason: 'record-missing' })
}
