// Maps the person who is signed in, and sessions, to answers.

import type { DashboardSessionAnswer, Me } from '../../../contract/resources/own-account.ts'
import type { DashboardSession, SignedIn } from '../../domain/people/dashboard-session.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'

export function toSession(session: DashboardSession, currentId: number): DashboardSessionAnswer {
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

export function toMe({ person, memberships, session }: SignedIn): Me {
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
