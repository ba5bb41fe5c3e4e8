// Stores single sign-on of organisations, links identities to people, and stores the sessions of their sign-ins.

import type { Role } from '../../../../contract/role.ts'
import type { AuditEntry } from '../../../domain/audit.ts'
import { domainOf } from '../../../domain/people/sign-on-domains.ts'
import type { SignOnAttempt, SignOnResult, SingleSignOn, SingleSignOns } from '../../../domain/people/single-sign-on.ts'
import { LINKED_IDENTITY, SINGLE_SIGN_ON } from '../../tables/people.ts'
import { insertOne, namesOf, type RawRow, valuesOf, view } from '../../tables/table.ts'
import { recordAudit } from '../audit.ts'
import { lockOwner } from '../revision.ts'
import type { Sql } from '../sql.ts'
import type { WriteContext, Writes } from '../write.ts'
import { insertSession } from './dashboard-session.ts'
import { insertMembership, insertPerson } from './person.ts'
import { createProvedDomains, type provedDomainWrites } from './proved-domain.ts'

const VIEW = view(SINGLE_SIGN_ON, '', namesOf(SINGLE_SIGN_ON.columns))
const INSERT = insertOne(SINGLE_SIGN_ON, undefined, 'ON CONFLICT (organisation_id) DO NOTHING')
const CHANGED = valuesOf(SINGLE_SIGN_ON, [
  ...(['issuer', 'clientId', 'sealed', 'domains', 'newMemberRole', 'revision', 'updatedAt'] as const),
  'organisationId',
])
const LINK = insertOne(LINKED_IDENTITY, undefined, 'ON CONFLICT (organisation_id, person_id) DO NOTHING')

/** Removes links of the organisation, and the sessions that they began. */
async function endLinks({ sql }: WriteContext, organisationId: number): Promise<void> {
  await sql.run('DELETE FROM linked_identity WHERE organisation_id = ?', [organisationId])
  await sql.run('DELETE FROM dashboard_session WHERE organisation_id = ?', [organisationId])
}

export const singleSignOnWrites = {
  async saveSingleSignOn(
    context: WriteContext,
    settings: SingleSignOn,
    former: number | null,
    endsLinks: boolean,
    audit: AuditEntry,
  ): Promise<boolean> {
    const { sql } = context
    const { organisationId, domains } = settings
    const saved =
      former === null
        ? await INSERT(sql, settings)
        : await sql.run(
            `UPDATE single_sign_on SET issuer = ?, client_id = ?, sealed = ?, domains = ?, new_member_role = ?, revision = ?,
              updated_at = ? WHERE organisation_id = ? AND revision = ?`,
            [...CHANGED.toParams(settings), former],
          )
    if (saved === 0) return false
    if (endsLinks) await endLinks(context, organisationId)
    await keepProofs(context, organisationId, domains)
    await recordAudit(context, audit)
    return true
  },
  async removeSingleSignOn(
    context: WriteContext,
    organisationId: number,
    former: number,
    audit: AuditEntry,
  ): Promise<boolean> {
    const text = 'DELETE FROM single_sign_on WHERE organisation_id = ? AND revision = ?'
    if ((await context.sql.run(text, [organisationId, former])) === 0) return false
    await endLinks(context, organisationId)
    await keepProofs(context, organisationId, [])
    await recordAudit(context, audit)
    return true
  },
  async signInByIdentity(context: WriteContext, attempt: SignOnAttempt): Promise<SignOnResult> {
    const { sql } = context
    const { organisationId, revision, session, tokenHash } = attempt
    // Removals of members and of the settings wait, and then end this session.
    await lockOwner(context, 'organisation', organisationId)
    const settings = `SELECT revision FROM single_sign_on WHERE organisation_id = ? AND revision = ?${sql.forUpdate}`
    if ((await sql.one(settings, [organisationId, revision])) === undefined) return 'changed'
    const linkedId = await findLinked(context, attempt)
    const refusal = await findRefusal(context, attempt, linkedId)
    if (refusal !== undefined) return refusal
    const found = linkedId ?? (await link(context, attempt))
    if (typeof found === 'string') return found
    if (attempt.consent === 'accept') return 'accepted'
    await insertSession(context, { ...session, personId: found }, tokenHash)
    return 'signed-in'
  },
}

/** @returns Why nobody is signed in: what the person has to be asked, or what forbids it; undefined where nothing does. */
async function findRefusal(
  { sql }: WriteContext,
  { organisationId, email, consent, signedInId, beganElsewhere }: SignOnAttempt,
  linkedId: number | undefined,
): Promise<SignOnResult | undefined> {
  if (linkedId === undefined && email === null) return 'not-linked'
  const byEmail = await sql.one<{ id: number }>('SELECT id FROM person WHERE email = ?', [email])
  const personId = linkedId ?? byEmail?.id ?? null
  if (consent === 'accept') return personId !== null && personId === signedInId ? undefined : 'changed'
  const proved = 'SELECT domain FROM proved_domain WHERE organisation_id = ? AND domain = ?'
  const isTrusted =
    linkedId !== undefined || (await sql.one(proved, [organisationId, domainOf(email ?? '')])) !== undefined
  if (!isTrusted) return 'accept'
  const isOther = signedInId !== null && signedInId !== personId
  return consent === 'none' && (isOther || beganElsewhere) ? 'continue' : undefined
}

/** Removes the proofs of domains that are not in the list. */
async function keepProofs({ sql }: WriteContext, organisationId: number, domains: string[]): Promise<void> {
  const others = domains.length === 0 ? '' : ` AND domain NOT IN (${domains.map(() => '?').join(', ')})`
  await sql.run(`DELETE FROM proved_domain WHERE organisation_id = ?${others}`, [organisationId, ...domains])
}

/** @returns The id of the linked person; undefined when none is linked. */
async function findLinked({ sql }: WriteContext, attempt: SignOnAttempt): Promise<number | undefined> {
  const row = await sql.one<{ person_id: number }>(
    `SELECT l.person_id FROM linked_identity l
      JOIN membership m ON m.organisation_id = l.organisation_id AND m.person_id = l.person_id
      WHERE l.organisation_id = ? AND l.issuer = ? AND l.subject = ?`,
    [attempt.organisationId, attempt.issuer, attempt.subject],
  )
  return row?.person_id
}

/** Links a member, or a person who may become one, by the e-mail address. @returns The id, or the reason against it. */
async function link(context: WriteContext, attempt: SignOnAttempt): Promise<number | SignOnResult> {
  const { sql } = context
  const { organisationId, issuer, subject, email, audit } = attempt
  if (email === null) return 'not-linked'
  const role = await findRole(context, attempt, email)
  if (role === undefined) return 'not-member'
  if (role !== 'member') {
    await insertPerson(context, attempt.newAccount)
    await insertMembership(context, organisationId, { email, role, at: context.now })
    await recordAudit(context, { ...audit.join, detail: { ...audit.join.detail, role } })
  }
  const person = await sql.one<{ id: number }>('SELECT id FROM person WHERE email = ?', [email])
  if (person === undefined) return 'not-member'
  // A link of somebody who is no member any more.
  const former = 'DELETE FROM linked_identity WHERE organisation_id = ? AND issuer = ? AND subject = ?'
  await sql.run(former, [organisationId, issuer, subject])
  const link = { organisationId, issuer, subject, personId: person.id, linkedAt: context.now }
  if ((await LINK(sql, link)) === 0) return 'linked-otherwise'
  await recordAudit(context, audit.link)
  return person.id
}

/**
 * Uses an invitation of the address up.
 * @returns `member` for one; the role that a person of this address gets; undefined when the person gets none.
 */
async function findRole(
  { sql, now }: WriteContext,
  { organisationId, newMemberRole }: SignOnAttempt,
  email: string,
): Promise<Role | 'member' | undefined> {
  const member = `SELECT m.role FROM person p JOIN membership m ON m.person_id = p.id WHERE p.email = ? AND m.organisation_id = ?`
  if ((await sql.one(member, [email, organisationId])) !== undefined) return 'member'
  const invitation = await sql.one<{ role: Role }>(
    'DELETE FROM invitation WHERE organisation_id = ? AND email = ? AND expires_at > ? RETURNING role',
    [organisationId, email, now],
  )
  return invitation?.role ?? newMemberRole ?? undefined
}

export function createSingleSignOns(
  sql: Sql,
  writes: Writes<typeof singleSignOnWrites & typeof provedDomainWrites>,
): SingleSignOns {
  return {
    save: writes.saveSingleSignOn,
    remove: writes.removeSingleSignOn,
    signIn: writes.signInByIdentity,
    async findLinkedEmail(organisationId, issuer, subject) {
      const text = `SELECT p.email FROM linked_identity l JOIN person p ON p.id = l.person_id
        WHERE l.organisation_id = ? AND l.issuer = ? AND l.subject = ?`
      return (await sql.one<{ email: string }>(text, [organisationId, issuer, subject]))?.email
    },
    ...createProvedDomains(sql, writes),
    async find(organisationId) {
      const text = `SELECT ${VIEW.columns} FROM single_sign_on WHERE organisation_id = ?`
      const row = await sql.one<RawRow>(text, [organisationId])
      return row && VIEW.read(row)
    },
  }
}
