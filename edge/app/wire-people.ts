// Wires sign-in, members and invitations of the dashboard.

import { deriveDeviceKeys } from '../auth/device-key.ts'
import type { CallCounter } from '../domain/limits/call-limits.ts'
import type { MailProviders } from '../domain/mail/mail-provider.ts'
import { createAcceptInvitation } from '../flow/people/accept-invitation.ts'
import { createDeviceTokens } from '../flow/people/device-tokens.ts'
import { createLookAtInvitation } from '../flow/people/look-at-invitation.ts'
import { createManageMembers } from '../flow/people/manage-members.ts'
import { createPersonSessions } from '../flow/people/person-sessions.ts'
import { createResetFactor } from '../flow/people/reset-factor.ts'
import { createApplyReset, type MakeResetLink } from '../flow/people/reset-password.ts'
import { createSignInPerson } from '../flow/people/sign-in-person.ts'
import { createAttemptLimits } from '../http/dashboard/attempt-limits.ts'
import { createDashboardCallers, type DashboardCallers } from '../http/dashboard/dashboard-callers.ts'
import { createChallengeCookies, createDeviceCookie, createSessionCookie } from '../http/dashboard/dashboard-cookie.ts'
import { createInvitationLimits } from '../http/dashboard/invitation-limits.ts'
import type { ServerDeps } from '../http/server.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'
import { wireFactors } from './wire-factors.ts'
import { wireOneTimeLinks } from './wire-one-time-links.ts'
import { wirePasskeys } from './wire-passkeys.ts'
import { wireSetUp } from './wire-set-up.ts'
import { wireSingleSignOn } from './wire-single-sign-on.ts'

export interface PeopleParts {
  callers: DashboardCallers
  routes: ServerDeps['dashboard']
  /** Logs the address and the code of the first set-up, while it is open. */
  announceSetUp(): Promise<void>
  /** Tells admins of old values of secrets that end soon. */
  warnEndings(): Promise<unknown>
  /** What only the operator may: no route has it. */
  ofOperator: {
    makeResetLink: MakeResetLink
    /** @returns The address that sets up the first organisation; undefined once there is a member. */
    findSetUpLink(): Promise<string | undefined>
    resetFactor: ReturnType<typeof createResetFactor>
  }
  /** Ends the mails to people. */
  close(): Promise<void>
}

/**
 * @param counter Shared by all nodes with Redis. @param providers Of mail. @returns The callers and the dependencies of
 * the routes.
 */
export function wirePeople(
  core: Core,
  auth: Pick<Auth, 'passwords' | 'sealer' | 'outbound'>,
  counter: CallCounter,
  providers: MailProviders,
): PeopleParts {
  const { stores, clock, ids, settings, publicUrl } = core
  const { passwords } = auth
  const { people, oneTimeLinks: links, challenges } = stores
  const sessions = createPersonSessions({ dashboardSessions: stores.dashboardSessions, ids, clock })
  const { factor, createManage } = wireFactors(core, auth)
  const issueSession = sessions.issue
  const devices = createDeviceTokens({ people, keys: deriveDeviceKeys(core.masterKeys), clock })
  const { findDevice } = devices
  const { notify, makeResetLink, ...oneTime } = wireOneTimeLinks(core, providers)
  const signIn = createSignInPerson({ people, passwords, issueSession, findDevice, factor, challenges, notify, clock })
  const { announceSetUp, findSetUpLink, ...setUp } = wireSetUp(core, { hashPassword: passwords.hash, issueSession })
  const cookie = createSessionCookie(publicUrl)
  const { find: findEnvironment } = stores.environments
  const callers = createDashboardCallers({ cookie, getSession: sessions.get, findEnvironment, publicUrl })
  const routes: ServerDeps['dashboard'] = {
    sessions,
    manageFactor: createManage(signIn.getAccount, notify),
    ...wirePasskeys(core, { getAccount: signIn.getAccount, notify, issueSession }),
    ...wireSingleSignOn(core, auth, sessions.plan),
    ...setUp,
    signIn,
    applyReset: createApplyReset({ oneTimeLinks: links, hashPassword: passwords.hash, notify, clock }),
    ...oneTime.routes,
    acceptInvitation: createAcceptInvitation({
      oneTimeLinks: links,
      people,
      passwords,
      getAccount: signIn.getAccount,
      beginSession: signIn.begin,
      ids,
      clock,
    }),
    lookAtInvitation: createLookAtInvitation({ oneTimeLinks: links, organisations: stores.organisations, clock }),
    manageMembers: createManageMembers({ people, clock }),
    cookie,
    challengeCookies: createChallengeCookies(publicUrl),
    limitInvitations: createInvitationLimits(counter),
    deviceCookie: createDeviceCookie(publicUrl),
    devices,
    attempts: createAttemptLimits({ counter, trustedProxies: settings.trustedProxies }),
    publicUrl,
  }
  const resetFactor = createResetFactor({ secondFactors: stores.secondFactors, notify, clock })
  const ofOperator = { makeResetLink, findSetUpLink, resetFactor }
  return { callers, routes, announceSetUp, ofOperator, warnEndings: oneTime.warnEndings, close: oneTime.close }
}
