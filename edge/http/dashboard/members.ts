// Serves the members and invitations of an organisation at /v1/dashboard/auth/organisations/:org.

import {
  createdInvitation,
  type InvitationAnswer,
  invitationPage,
  type MemberAnswer,
  member,
  memberPage,
  newInvitation,
  type PrintedInvitation,
  roleChange,
} from '../../../contract/resources/member.ts'
import { pageQuery } from '../../../contract/resources/page.ts'
import type { Invitation } from '../../domain/people/one-time-link.ts'
import type { Member } from '../../domain/people/person.ts'
import type { ActingMember } from '../../flow/people/manage-members.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import { changedByPerson } from '../kernel/callers.ts'
import { DELETED } from '../kernel/deleted.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { CallHead } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'

type Invitations = Pick<Services, 'inviteMembers' | 'limitInvitations' | 'sendsMail' | 'showLink'>

const PATH = '/v1/dashboard/auth/organisations/:org'
const BASE = { tag: 'Dashboard members', caller: 'member' } as const
const MAX_BYTES = 8 * 1024

const CHANGE_ERRORS = ['user/not-found', 'request/conflict'] as const

export function addDashboardMemberRoutes(http: Http, services: Invitations & Pick<Services, 'manageMembers'>): void {
  addMemberRoutes(http, services)
  addInvitationRoutes(http, services)
}

function actingMember(head: CallHead<'member'>): ActingMember {
  const personId = head.operator === undefined ? head.signedIn.person.id : null
  return { role: head.membership.role, personId, by: changedByPerson(head) }
}

function toMember({ id, email, name, role, createdAt }: Member): MemberAnswer {
  return { id: formatId('person', id), email, name, role, createdAt: toIso(createdAt) }
}

function toInvitation({ id, email, role, createdAt, expiresAt, mail }: Invitation): InvitationAnswer {
  return {
    id: formatId('invitation', id),
    email,
    role,
    createdAt: toIso(createdAt),
    expiresAt: toIso(expiresAt),
    mail: mail && { ...mail, at: toIso(mail.at) },
  }
}

function addMemberRoutes(http: Http, { manageMembers: members }: Pick<Services, 'manageMembers'>): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: `${PATH}/members`,
      summary: 'List the members, newest first',
      role: 'viewer',
      query: pageQuery,
      answer: { status: 200, schema: memberPage },
      errors: [],
    },
    async (call) => {
      const page = await members.list(call.membership.organisationId, call.query)
      return { data: page.members.map(toMember), nextCursor: page.nextCursor }
    },
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'put',
      path: `${PATH}/members/:personId`,
      summary: 'Change the role of a member',
      role: 'admin',
      body: roleChange,
      maxBytes: MAX_BYTES,
      answer: { status: 200, schema: member },
      errors: CHANGE_ERRORS,
    },
    async (call) => {
      const { organisationId } = call.membership
      return toMember(
        await members.changeRole(organisationId, call.params.personId ?? '', call.body.role, actingMember(call)),
      )
    },
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'delete',
      path: `${PATH}/members/:personId`,
      summary: 'Remove a member, or leave; sessions of the person lose this organisation at once',
      // Everybody may leave; the flow asks for `admin` to remove others.
      role: 'viewer',
      answer: DELETED,
      errors: CHANGE_ERRORS,
    },
    (call) => members.remove(call.membership.organisationId, call.params.personId ?? '', actingMember(call)),
  )
}

function addInvitationRoutes(http: Http, { inviteMembers, limitInvitations, sendsMail, showLink }: Invitations): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: `${PATH}/invitations`,
      summary: 'List the open invitations, newest first',
      role: 'admin',
      query: pageQuery,
      answer: { status: 200, schema: invitationPage },
      errors: [],
    },
    async (call) => {
      const page = await inviteMembers.list(call.membership.organisationId, call.query)
      return { data: page.invitations.map(toInvitation), nextCursor: page.nextCursor, sendsMail }
    },
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'post',
      path: `${PATH}/invitations`,
      summary:
        'Invite a person by mail; without a mail server the link is in the log of a loopback server, never in an answer',
      role: 'admin',
      body: newInvitation,
      maxBytes: MAX_BYTES,
      answer: { status: 201, schema: createdInvitation },
      errors: ['request/conflict', 'request/rate-limited'],
    },
    async (call) => {
      const { operator } = call
      const { organisationId } = call.membership
      if (operator === undefined) {
        await limitInvitations({ personId: call.signedIn.person.id, organisationId }, call.body.email)
      }
      const { invitation, link, mailed } = await inviteMembers.invite(organisationId, call.body, actingMember(call))
      if (operator === undefined) {
        return { ...toInvitation(invitation), linkInLog: showLink(link, call.correlationId) }
      }
      // The operator reads the link, and waits for what the mail server says.
      const answer = toInvitation({ ...invitation, mail: await mailed })
      return { ...answer, linkInLog: false, link } satisfies PrintedInvitation
    },
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'delete',
      path: `${PATH}/invitations/:invitationId`,
      summary: 'Revoke an invitation',
      role: 'admin',
      answer: DELETED,
      errors: ['request/not-found'],
    },
    (call) => inviteMembers.revoke(call.membership.organisationId, call.params.invitationId ?? '', actingMember(call)),
  )
}
