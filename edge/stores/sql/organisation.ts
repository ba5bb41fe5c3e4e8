// Stores organisations.

import type { AuditEntry } from '../../domain/audit.ts'
import type {
  Founder,
  NewOrganisation,
  Organisation,
  OrganisationSettings,
  Organisations,
  SettingsDetail,
} from '../../domain/organisation.ts'
import { recordAudit } from './audit.ts'
import { insertOwner } from './people/person.ts'
import { saveRevised } from './revision.ts'
import type { Sql } from './sql.ts'
import { raiseIdFloor, type WriteContext, type Writes } from './write.ts'

interface Row {
  id: number
  name: string
  region: string | null
  onboarded_at: number | null
  retention_days: number
  created_at: number
  revision: number
}
const COLUMNS = 'id, name, region, onboarded_at, retention_days, created_at'

export const organisationWrites = {
  async createOrganisation(
    context: WriteContext,
    organisation: NewOrganisation,
    audit?: AuditEntry,
    founder?: Founder,
  ): Promise<void> {
    const { id, name, region, onboardedAt, retentionDays, createdAt } = organisation
    await context.sql.run(`INSERT INTO organisation (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`, [
      id,
      name,
      region,
      onboardedAt,
      retentionDays,
      createdAt,
    ])
    await raiseIdFloor(context, id)
    if (audit !== undefined) await recordAudit(context, audit)
    if (founder === undefined) return
    await insertOwner(context, id, founder.personId, createdAt)
    await recordAudit(context, founder.audit)
  },
  async setRegion(context: WriteContext, id: number, region: string, audit: AuditEntry): Promise<boolean> {
    const set = await context.sql.run('UPDATE organisation SET region = ? WHERE id = ? AND region IS NULL', [
      region,
      id,
    ])
    if (set > 0) await recordAudit(context, audit)
    return set > 0
  },
  async saveOrganisationSettings(
    context: WriteContext,
    id: number,
    revision: number,
    { retentionDays, ...detail }: OrganisationSettings,
    audit: AuditEntry,
  ): Promise<boolean> {
    const columns = { settings: JSON.stringify(detail), retention_days: retentionDays }
    const isSaved = await saveRevised(context, 'organisation', { id, revision }, columns)
    if (isSaved) await recordAudit(context, audit)
    return isSaved
  },
}

export function createOrganisations(sql: Sql, writes: Writes<typeof organisationWrites>): Organisations {
  return {
    create: writes.createOrganisation,
    async find(id) {
      const row = await sql.one<Row>(`SELECT ${COLUMNS}, revision FROM organisation WHERE id = ?`, [id])
      return row && { ...toOrganisation(row), revision: row.revision }
    },
    setRegion: writes.setRegion,
    saveSettings: writes.saveOrganisationSettings,
    async findSettings(id) {
      const row = await sql.one<{ settings: string | null; retention_days: number }>(
        'SELECT settings, retention_days FROM organisation WHERE id = ?',
        [id],
      )
      if (row === undefined || row.settings === null) return undefined
      return { ...(JSON.parse(row.settings) as SettingsDetail), retentionDays: row.retention_days }
    },
    async list() {
      return (await sql.all<Row>(`SELECT ${COLUMNS} FROM organisation ORDER BY id`)).map(toOrganisation)
    },
  }
}

function toOrganisation(row: Row): Organisation {
  return {
    id: row.id,
    name: row.name,
    region: row.region,
    onboardedAt: row.onboarded_at,
    retentionDays: row.retention_days,
    createdAt: row.created_at,
  }
}
