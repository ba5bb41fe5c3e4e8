// Lists the members of an organisation, changes their roles and removes them.

import { includesRole, type Role } from '../../../contract/role.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { Member, MemberChange } from '../../domain/people/person.ts'
import { ApiError } from '../../lib/api-error.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'
import { formatId, parseId } from '../../lib/id.ts'

/** Who asks for a change: a member with a role, or the command line as `owner`. */
export interface ActingMember {
  role: Role
  /** Null on the command line. */
  personId: number | null
  by: ChangedBy
}

/** @throws ApiError `authorization/not-allowed` unless the acting may give and take all of these roles. */
export function requireMayGive({ role }: Pick<ActingMember, 'role'>, ...roles: Role[]): void {
  if (includesRole(role, 'admin') && roles.every((one) => includesRole(role, one))) return
  throw mayNotGive()
}

export function mayNotGive(): ApiError {
  return new ApiError('authorization/not-allowed', {
    message: 'Admins manage the members up to their own role; only owners manage owners.',
  })
}

export type ManageMembers = ReturnType<typeof createManageMembers>

export function createManageMembers({ people, clock }: Pick<Core, 'people' | 'clock'>) {
  const missing = () => new ApiError('user/not-found', { message: 'There is no such member.' })

  async function getMember(organisationId: number, personId: string): Promise<Member> {
    const id = parseId('person', personId)
    const member = id === undefined ? undefined : await people.findMember(organisationId, id)
    if (member === undefined) throw missing()
    return member
  }

  function auditOf(
    organisationId: number,
    { email }: Member,
    by: ChangedBy,
    verb: string,
    detail: AuditEntry['detail'],
  ) {
    const target = { environmentId: null, organisationId, subject: email }
    return { at: clock.now(), ...by, action: `member.${verb}`, ...target, detail }
  }

  function requireChanged(change: MemberChange): void {
    if (change === 'last-owner') {
      throw new ApiError('request/conflict', {
        message: 'This is the last owner of the organisation. Make another member an owner first.',
        reason: 'last-owner',
      })
    }
    if (change === 'missing') throw new ApiError('request/conflict', { message: 'The member was changed meanwhile.' })
  }

  return {
    async list(organisationId: number, { cursor, limit }: { cursor?: string | undefined; limit: number }) {
      const name = { list: 'members', of: organisationId }
      const rows = await people.listMembers(organisationId, parseCursor(name, cursor), limit + 1)
      const last = rows.length > limit ? rows[limit - 1] : undefined
      return { members: rows.slice(0, limit), nextCursor: last === undefined ? null : encodeCursor(name, last.id) }
    },

    /** @throws ApiError `user/not-found`, `authorization/not-allowed`, `request/conflict` with `last-owner`. */
    async changeRole(organisationId: number, personId: string, role: Role, acting: ActingMember): Promise<Member> {
      requireMayGive(acting, role)
      const member = await getMember(organisationId, personId)
      requireMayGive(acting, member.role)
      if (role === member.role) return member
      const entry = auditOf(organisationId, member, acting.by, 'change-role', { from: member.role, to: role })
      requireChanged(await people.changeRole(organisationId, member.id, { former: member.role, role }, entry))
      return { ...member, role }
    },

    /** Everybody may leave, except the last owner. Sessions lose this organisation at once. Throws as `changeRole`. */
    async remove(organisationId: number, personId: string, acting: ActingMember): Promise<{ deleted: true }> {
      if (personId !== (acting.personId === null ? null : formatId('person', acting.personId))) requireMayGive(acting)
      const member = await getMember(organisationId, personId)
      if (member.id !== acting.personId) requireMayGive(acting, member.role)
      const entry = auditOf(organisationId, member, acting.by, 'remove', { role: member.role })
      requireChanged(await people.removeMember(organisationId, member.id, member.role, entry))
      return { deleted: true }
    },
  }
}
