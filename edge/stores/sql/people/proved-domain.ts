// Stores the domains that organisations have proved. The key of the table keeps two of them from proving one domain.

import type { AuditEntry } from '../../../domain/audit.ts'
import type {
  DomainCheck,
  DomainProofResult,
  ProvedDomain,
  SingleSignOns,
} from '../../../domain/people/single-sign-on.ts'
import { PROVED_DOMAIN, SINGLE_SIGN_ON } from '../../tables/people.ts'
import { insertOne, namesOf, type RawRow, setExcluded, view } from '../../tables/table.ts'
import { recordAudit } from '../audit.ts'
import type { Sql } from '../sql.ts'
import type { WriteContext, Writes } from '../write.ts'

const VIEW = view(PROVED_DOMAIN, '', namesOf(PROVED_DOMAIN.columns))
const LISTED = view(SINGLE_SIGN_ON, '', ['domains'])
const PROVE = insertOne(
  PROVED_DOMAIN,
  undefined,
  `ON CONFLICT (domain) DO UPDATE SET ${setExcluded(PROVED_DOMAIN, ['by', 'provedAt', 'checkedAt', 'missingSince'])}
    WHERE proved_domain.organisation_id = excluded.organisation_id`,
)

export const provedDomainWrites = {
  async proveDomain(context: WriteContext, proof: ProvedDomain, audit: AuditEntry): Promise<DomainProofResult> {
    const { sql } = context
    const { domain, organisationId } = proof
    // The lock makes a change of the list wait, which then removes this proof.
    const text = `SELECT ${LISTED.columns} FROM single_sign_on WHERE organisation_id = ?${sql.forUpdate}`
    const settings = await sql.one<RawRow>(text, [organisationId])
    if (settings === undefined || !LISTED.read(settings).domains.includes(domain)) return 'not-listed'
    if ((await PROVE(sql, proof)) === 0) return 'taken'
    await recordAudit(context, audit)
    return 'proved'
  },
  async recordDomainCheck(
    context: WriteContext,
    { domain, organisationId, checkedAt, missingSince }: ProvedDomain,
    check: DomainCheck,
    now: number,
    audit: AuditEntry,
  ): Promise<void> {
    const { sql } = context
    // As it was read: of several nodes that check at the same time, one records.
    const where = 'domain = ? AND organisation_id = ? AND checked_at = ?'
    const key = [domain, organisationId, checkedAt]
    const changed =
      check === 'lost'
        ? await sql.run(`DELETE FROM proved_domain WHERE ${where}`, key)
        : await sql.run(`UPDATE proved_domain SET checked_at = ?, missing_since = ? WHERE ${where}`, [
            ...[now, check === 'found' ? null : (missingSince ?? now)],
            ...key,
          ])
    const isNews = check === 'lost' || (check === 'missing') === (missingSince === null)
    if (changed > 0 && isNews) await recordAudit(context, audit)
  },
}

type ProvedDomains = Pick<SingleSignOns, 'listProved' | 'listUnchecked' | 'proveDomain' | 'recordCheck'>

export function createProvedDomains(sql: Sql, writes: Writes<typeof provedDomainWrites>): ProvedDomains {
  return {
    proveDomain: writes.proveDomain,
    recordCheck: writes.recordDomainCheck,
    async listProved(organisationId) {
      const text = `SELECT ${VIEW.columns} FROM proved_domain WHERE organisation_id = ? ORDER BY domain`
      return (await sql.all<RawRow>(text, [organisationId])).map(VIEW.read)
    },
    async listUnchecked(before, limit) {
      const text = `SELECT ${VIEW.columns} FROM proved_domain WHERE proved_by = 'dns' AND checked_at < ? ORDER BY checked_at LIMIT ?`
      return (await sql.all<RawRow>(text, [before, limit])).map(VIEW.read)
    },
  }
}
