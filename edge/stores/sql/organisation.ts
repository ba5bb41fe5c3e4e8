// Stores organisations.

import type { AuditEntry } from '../../domain/audit.ts'
import type { Founder, NewOrganisation, OrganisationSettings, Organisations } from '../../domain/organisation.ts'
import { ORGANISATION, ORGANISATION_FIELDS } from '../tables/organisation.ts'
import { insertOne, type RawRow, view } from '../tables/table.ts'
import { recordAudit } from './audit.ts'
import { insertOwner } from './people/person.ts'
import { saveRevised } from './revision.ts'
import type { Sql } from './sql.ts'
import { raiseIdFloor, type WriteContext, type Writes } from './write.ts'

const VIEW = view(ORGANISATION, '', ORGANISATION_FIELDS)
const REVISED = view(ORGANISATION, '', [...ORGANISATION_FIELDS, 'revision'])
const SETTINGS = view(ORGANISATION, '', ['settings', 'retentionDays'])
const INSERT = insertOne(ORGANISATION, ORGANISATION_FIELDS)

export const organisationWrites = {
  async createOrganisation(
    context: WriteContext,
    organisation: NewOrganisation,
    audit?: AuditEntry,
    founder?: Founder,
  ): Promise<void> {
    const { id, createdAt } = organisation
    await INSERT(context.sql, organisation)
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
    const row = { id, revision, settings: detail, retentionDays }
    const isSaved = await saveRevised(context, ORGANISATION, ['id'], ['settings', 'retentionDays'], row)
    if (isSaved) await recordAudit(context, audit)
    return isSaved
  },
}

export function createOrganisations(sql: Sql, writes: Writes<typeof organisationWrites>): Organisations {
  return {
    create: writes.createOrganisation,
    async find(id) {
      const row = await sql.one<RawRow>(`SELECT ${REVISED.columns} FROM organisation WHERE id = ?`, [id])
      return row && REVISED.read(row)
    },
    setRegion: writes.setRegion,
    saveSettings: writes.saveOrganisationSettings,
    async findSettings(id) {
      const row = await sql.one<RawRow>(`SELECT ${SETTINGS.columns} FROM organisation WHERE id = ?`, [id])
      if (row === undefined) return undefined
      const { settings, retentionDays } = SETTINGS.read(row)
      return settings === null ? undefined : { ...settings, retentionDays }
    },
    async list() {
      return (await sql.all<RawRow>(`SELECT ${VIEW.columns} FROM organisation ORDER BY id`)).map(VIEW.read)
    },
  }
}
