// Wires sign-in, members and invitations of the dashboard.

import { isLoopback, isLoopbackUrl } from '../config.ts'
import type { CallCounter } from '../domain/limits/call-limits.ts'
import { createAcceptInvitation, createInviteMembers } from '../flow/people/invite-members.ts'
import { createManageMembers } from '../flow/people/manage-members.ts'
import { linksOf } from '../flow/people/one-time-address.ts'
import { createPersonSessions } from '../flow/people/person-sessions.ts'
import { createResetPassword } from '../flow/people/reset-password.ts'
import { createSignInPerson } from '../flow/people/sign-in-person.ts'
import { createAttemptLimits } from '../http/dashboard/attempt-limits.ts'
import { createDashboardCallers, type DashboardCallers } from '../http/dashboard/dashboard-callers.ts'
import { createSessionCookie } from '../http/dashboard/session-cookie.ts'
import type { ServerDeps } from '../http/server.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'

/** @param counter Shared by all nodes with Redis. @returns The callers and the dependencies of the routes. */
export function wirePeople(
  core: Core,
  { passwords }: Pick<Auth, 'passwords'>,
  counter: CallCounter,
): { callers: DashboardCallers; routes: ServerDeps['dashboard'] } {
  const { stores, clock, ids, settings, log, publicUrl } = core
  const { people, oneTimeLinks: links } = stores
  const addresses = linksOf(publicUrl)
  const sessions = createPersonSessions({ sessions: stores.dashboardSessions, ids, clock })
  const signIn = createSignInPerson({ people, passwords, issueSession: sessions.issue, clock })
  const resetPassword = createResetPassword({
    links,
    people,
    hashPassword: passwords.hash,
    clock,
    linkOf: addresses.reset,
  })

  // Only the operator of a loopback server reads its log; other servers get links by the command line.
  const showsLinks = () => isLoopback(settings.host) && isLoopbackUrl(publicUrl())

  async function createReset(email: string, correlationId: string): Promise<void> {
    // A link that nobody can see would only replace one of the command line.
    const link = showsLinks() ? await resetPassword.createLink(email) : undefined
    if (link !== undefined) log.info('password reset requested', { link, correlationId })
  }

  const cookie = createSessionCookie(publicUrl)
  const { find: findEnvironment } = stores.environments
  const callers = createDashboardCallers({ cookie, getSession: sessions.get, findEnvironment, publicUrl })
  const routes: ServerDeps['dashboard'] = {
    sessions,
    signIn,
    resetPassword,
    requestReset(email, correlationId) {
      createReset(email, correlationId).catch((error: unknown) =>
        log.error('password reset failed', { error, correlationId }),
      )
    },
    acceptInvitation: createAcceptInvitation({
      links,
      people,
      passwords,
      getAccount: signIn.getAccount,
      issueSession: sessions.issue,
      ids,
      clock,
    }),
    manageMembers: createManageMembers({ people, clock }),
    inviteMembers: createInviteMembers({ links, ids, clock, linkOf: addresses.invitation }),
    showLink(link, correlationId) {
      if (!showsLinks()) return false
      log.info('invitation created', { link, correlationId })
      return true
    },
    listEnvironments: (organisationId) => stores.environments.list(organisationId),
    cookie,
    attempts: createAttemptLimits({ counter, trustedProxies: settings.trustedProxies }),
    publicUrl,
  }
  return { callers, routes }
}
