// Stores the first organisation and its owner. A lock of one row makes set-ups of several nodes follow each other.

import type { AuditEntry } from '../../../domain/audit.ts'
import type { NewOrganisation } from '../../../domain/organisation.ts'
import type { Account } from '../../../domain/people/person.ts'
import type { SetUps } from '../../../domain/people/set-up.ts'
import { recordAudit } from '../audit.ts'
import { organisationWrites } from '../organisation.ts'
import type { Sql } from '../sql.ts'
import type { WriteContext, Writes } from '../write.ts'
import { insertMembership, insertPerson } from './person.ts'

async function hasMembers(sql: Sql): Promise<boolean> {
  return (await sql.one('SELECT person_id FROM membership LIMIT 1')) !== undefined
}

export const setUpWrites = {
  async setUp(
    context: WriteContext,
    organisation: NewOrganisation,
    owner: Account,
    audit: AuditEntry[],
  ): Promise<boolean> {
    const { sql } = context
    await sql.one(`SELECT value FROM meta WHERE name = 'store_epoch'${sql.forUpdate}`)
    if (await hasMembers(sql)) return false
    if (!(await insertPerson(context, owner))) return false
    await organisationWrites.createOrganisation(context, organisation)
    await insertMembership(context, organisation.id, { email: owner.email, role: 'owner', at: owner.createdAt })
    for (const entry of audit) await recordAudit(context, entry)
    return true
  },
}

export function createSetUps(sql: Sql, writes: Writes<typeof setUpWrites>): SetUps {
  return { hasMembers: () => hasMembers(sql), setUp: writes.setUp }
}
