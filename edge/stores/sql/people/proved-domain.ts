// Stores the domains that organisations have proved. The key of the table keeps two of them from proving one domain.

import type { AuditEntry } from '../../../domain/audit.ts'
import type {
  DomainCheck,
  DomainProofResult,
  DomainProver,
  ProvedDomain,
  SingleSignOns,
} from '../../../domain/people/single-sign-on.ts'
import { recordAudit } from '../audit.ts'
import type { Sql } from '../sql.ts'
import type { WriteContext, Writes } from '../write.ts'

interface Row {
  domain: string
  organisation_id: number
  proved_by: DomainProver
  proved_at: number
  checked_at: number
  missing_since: number | null
}
const COLUMNS = 'domain, organisation_id, proved_by, proved_at, checked_at, missing_since'

export const provedDomainWrites = {
  async proveDomain(context: WriteContext, proof: ProvedDomain, audit: AuditEntry): Promise<DomainProofResult> {
    const { sql } = context
    const { domain, organisationId, by, provedAt, checkedAt, missingSince } = proof
    // The lock makes a change of the list wait, which then removes this proof.
    const text = `SELECT domains FROM single_sign_on WHERE organisation_id = ?${sql.forUpdate}`
    const settings = await sql.one<{ domains: string }>(text, [organisationId])
    if (settings === undefined || !(JSON.parse(settings.domains) as string[]).includes(domain)) return 'not-listed'
    const proved = await sql.run(
      `INSERT INTO proved_domain (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (domain) DO UPDATE SET proved_by = excluded.proved_by, proved_at = excluded.proved_at,
          checked_at = excluded.checked_at, missing_since = excluded.missing_since
        WHERE proved_domain.organisation_id = excluded.organisation_id`,
      [domain, organisationId, by, provedAt, checkedAt, missingSince],
    )
    if (proved === 0) return 'taken'
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
      const text = `SELECT ${COLUMNS} FROM proved_domain WHERE organisation_id = ? ORDER BY domain`
      return (await sql.all<Row>(text, [organisationId])).map(toProvedDomain)
    },
    async listUnchecked(before, limit) {
      const text = `SELECT ${COLUMNS} FROM proved_domain WHERE proved_by = 'dns' AND checked_at < ? ORDER BY checked_at LIMIT ?`
      return (await sql.all<Row>(text, [before, limit])).map(toProvedDomain)
    },
  }
}

function toProvedDomain(row: Row): ProvedDomain {
  return {
    domain: row.domain,
    organisationId: row.organisation_id,
    by: row.proved_by,
    provedAt: row.proved_at,
    checkedAt: row.checked_at,
    missingSince: row.missing_since,
  }
}
