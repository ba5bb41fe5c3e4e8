// Wires sign-in, members and invitations of the dashboard.

import { deriveDeviceKeys } from '../auth/device-key.ts'
import type { CallCounter } from '../domain/limits/call-limits.ts'
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
import type { AppCore } from './core.ts'
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

/** @param counter Shared by all nodes with Redis. @returns The callers and the dependencies of the routes. */
export function wirePeople(
  core: AppCore,
  auth: Pick<Auth, 'passwords' | 'outbound'>,
  counter: CallCounter,
): PeopleParts {
  const { settings, publicUrl } = core
  const { passwords } = auth
  const { hash: hashPassword } = passwords
  const sessions = createPersonSessions(core)
  const { factor, createManage } = wireFactors(core)
  const issueSession = sessions.issue
  const devices = createDeviceTokens({ ...core, keys: deriveDeviceKeys(core.masterKeys) })
  const { notify, makeResetLink, ...oneTime } = wireOneTimeLinks(core)
  const { findDevice } = devices
  const signIn = createSignInPerson({ ...core, passwords, issueSession, findDevice, factor, notify })
  const { getAccount, begin: beginSession } = signIn
  const { announceSetUp, findSetUpLink, ...setUp } = wireSetUp(core, { hashPassword, issueSession })
  const cookie = createSessionCookie(publicUrl)
  const { find: findEnvironment } = core.environments
  const callers = createDashboardCallers({ cookie, getSession: sessions.get, findEnvironment, publicUrl })
  const routes: ServerDeps['dashboard'] = {
    sessions,
    manageFactor: createManage(getAccount, notify),
    ...wirePasskeys(core, { getAccount, notify, issueSession }),
    ...wireSingleSignOn(core, auth, sessions.plan),
    ...setUp,
    signIn,
    applyReset: createApplyReset({ ...core, hashPassword, notify }),
    ...oneTime.routes,
    acceptInvitation: createAcceptInvitation({ ...core, passwords, getAccount, beginSession }),
    lookAtInvitation: createLookAtInvitation(core),
    manageMembers: createManageMembers(core),
    cookie,
    challengeCookies: createChallengeCookies(publicUrl),
    limitInvitations: createInvitationLimits(counter),
    deviceCookie: createDeviceCookie(publicUrl),
    devices,
    attempts: createAttemptLimits({ counter, trustedProxies: settings.trustedProxies }),
    publicUrl,
  }
  const resetFactor = createResetFactor({ ...core, notify })
  const ofOperator = { makeResetLink, findSetUpLink, resetFactor }
  return { callers, routes, announceSetUp, ofOperator, warnEndings: oneTime.warnEndings, close: oneTime.close }
}
