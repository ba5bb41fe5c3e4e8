// Organisations and their members (specification section 2.8).

import type { NewMember, NewOrganisation, Organisation, Organisations } from '../../domain/organisation.ts'
import type { Sql } from './sql.ts'
import { raiseIdFloor, type WriteContext, type Writes } from './write.ts'

interface Row {
  id: number
  name: string
  region: string | null
  onboarded_at: number | null
  retention_days: number
  created_at: number
}
const COLUMNS = 'id, name, region, onboarded_at, retention_days, created_at'

export const organisationWrites = {
  async createOrganisation(context: WriteContext, organisation: NewOrganisation): Promise<void> {
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
  },
  async addMember(context: WriteContext, member: NewMember): Promise<void> {
    const { organisationId, email, name, role, passwordHash, createdAt } = member
    await context.sql.run(
      'INSERT INTO member (organisation_id, email, name, role, password_hash, created_at) VALUES (?, ?, ?, ?, ?, ?)',
      [organisationId, email, name, role, passwordHash, createdAt],
    )
  },
}

export function createOrganisations(sql: Sql, writes: Writes<typeof organisationWrites>): Organisations {
  return {
    create: writes.createOrganisation,
    addMember: writes.addMember,
    async find(id) {
      const row = await sql.one<Row>(`SELECT ${COLUMNS} FROM organisation WHERE id = ?`, [id])
      return row && toOrganisation(row)
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
