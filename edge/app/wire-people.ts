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
import { createChallengeCookies, createSessionCookie } from '../http/dashboard/dashboard-cookie.ts'
import type { ServerDeps } from '../http/server.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'
import { wireFactors } from './wire-factors.ts'
import { wirePasskeys } from './wire-passkeys.ts'
import { wireSetUp } from './wire-set-up.ts'
import { wireSingleSignOn } from './wire-single-sign-on.ts'

export interface PeopleParts {
  callers: DashboardCallers
  routes: ServerDeps['dashboard']
  /** Logs the address and the code of the first set-up, while it is open. */
  announceSetUp(): Promise<void>
}

/** @param counter Shared by all nodes with Redis. @returns The callers and the dependencies of the routes. */
export function wirePeople(
  core: Core,
  auth: Pick<Auth, 'passwords' | 'sealer' | 'outbound'>,
  counter: CallCounter,
): PeopleParts {
  const { stores, clock, ids, settings, log, publicUrl } = core
  const { passwords } = auth
  const { people, oneTimeLinks: links, challenges } = stores
  const addresses = linksOf(publicUrl)
  const sessions = createPersonSessions({ sessions: stores.dashboardSessions, ids, clock })
  const { factor, createManage } = wireFactors(core, auth)
  const issueSession = sessions.issue
  const signIn = createSignInPerson({ people, passwords, issueSession, factor, challenges, clock })
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

  const { announceSetUp, ...setUp } = wireSetUp(core, { hashPassword: passwords.hash, issueSession })
  const cookie = createSessionCookie(publicUrl)
  const { find: findEnvironment } = stores.environments
  const callers = createDashboardCallers({ cookie, getSession: sessions.get, findEnvironment, publicUrl })
  const routes: ServerDeps['dashboard'] = {
    sessions,
    manageFactor: createManage(signIn.getAccount),
    ...wirePasskeys(core, { getAccount: signIn.getAccount, issueSession }),
    ...wireSingleSignOn(core, auth, sessions.plan),
    ...setUp,
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
      beginSession: signIn.begin,
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
    cookie,
    challengeCookies: createChallengeCookies(publicUrl),
    attempts: createAttemptLimits({ counter, trustedProxies: settings.trustedProxies }),
    publicUrl,
  }
  return { callers, routes, announceSetUp }
}
