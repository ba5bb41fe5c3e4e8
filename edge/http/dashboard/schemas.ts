// Declares what the routes of sign-in take and answer.

import { z } from '@hono/zod-openapi'
import { role } from '../../../contract/resources/member.ts'
import { PASSWORD_LENGTH } from '../../../contract/resources/person.ts'
import type { DashboardSession, SignedIn } from '../../domain/people/dashboard-session.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'

/** A password that somebody types to be verified. */
export const passwordField = z
  .string()
  .min(1)
  .max(PASSWORD_LENGTH.maxLength * 2)
export const tokenField = z.string().min(1).max(200)
/** A one-time code or a recovery code, with spaces or hyphens as typed. */
export const codeField = z.string().min(1).max(40)

export const sessionSchema = z
  .object({
    id: z.string(),
    isCurrent: z.boolean(),
    userAgent: z.string(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    /** The only organisation that a session of single sign-on reaches. */
    organisationId: z.string().nullable(),
  })
  .openapi('DashboardSession')

export const meSchema = z
  .object({
    person: z.object({ id: z.string(), email: z.string(), name: z.string() }),
    organisations: z.array(z.object({ id: z.string(), name: z.string(), role, onboardingCompleted: z.boolean() })),
    session: sessionSchema,
  })
  .openapi('DashboardPerson')

export function toSession(session: DashboardSession, currentId: number) {
  const { id, userAgent, createdAt, lastUsedAt, expiresAt, organisationId } = session
  return {
    id: formatId('dashboardSession', id),
    isCurrent: id === currentId,
    userAgent,
    createdAt: toIso(createdAt),
    lastUsedAt: toIso(lastUsedAt),
    expiresAt: toIso(expiresAt),
    organisationId: organisationId === null ? null : formatId('organisation', organisationId),
  }
}

export function toMe({ person, memberships, session }: SignedIn) {
  return {
    person: { id: formatId('person', person.id), email: person.email, name: person.name },
    organisations: memberships.map(({ organisationId, organisationName: name, role, isOnboarded }) => ({
      id: formatId('organisation', organisationId),
      name,
      role,
      onboardingCompleted: isOnboarded,
    })),
    session: toSession(session, session.id),
  }
}
