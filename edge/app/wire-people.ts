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
import { createDashboardCallers } from '../http/dashboard/dashboard-callers.ts'
import { createChallengeCookies, createDeviceCookie, createSessionCookie } from '../http/dashboard/dashboard-cookie.ts'
import type { DashboardCallers } from '../http/kernel/http.ts'
import type { Services } from '../http/kernel/services.ts'
import { createAttemptLimits } from '../http/limits/attempt-limits.ts'
import { createInvitationLimits } from '../http/limits/invitation-limits.ts'
import type { AppCore } from './core.ts'
import type { Auth } from './wire-auth.ts'
import { wireFactors } from './wire-factors.ts'
import { type OneTimeLinkParts, wireOneTimeLinks } from './wire-one-time-links.ts'
import { wirePasskeys } from './wire-passkeys.ts'
import { wireSetUp } from './wire-set-up.ts'
import { wireSingleSignOn } from './wire-single-sign-on.ts'

type PeopleServices = Pick<
  Services,
  | 'signInPerson'
  | 'personSessions'
  | 'sessionCookie'
  | 'deviceCookie'
  | 'challengeCookies'
  | 'deviceTokens'
  | 'attempts'
  | 'setUp'
  | 'isLocalCall'
  | 'manageFactor'
  | 'signInPasskey'
  | 'managePasskeys'
  | 'signInSingleSignOn'
  | 'signInPages'
  | 'manageSingleSignOn'
  | 'proveDomains'
  | 'onSignOnFailed'
  | 'applyReset'
  | 'requestReset'
  | 'sendsMail'
  | 'manageMembers'
  | 'inviteMembers'
  | 'limitInvitations'
  | 'acceptInvitation'
  | 'lookAtInvitation'
  | 'showLink'
>

export interface PeopleParts {
  callers: DashboardCallers
  services: PeopleServices
  /** Logs the address and the code of the first set-up, while it is open. */
  announceSetUp(): Promise<void>
  /** Tells admins of old values of secrets that end soon. */
  warnEndings(): Promise<unknown>
  /** Mails those who can approve what a person asks to publish. */
  tellApprovers: OneTimeLinkParts['tellApprovers']
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

/** @param counter Shared by all nodes with Redis. @returns The callers, and the services of the routes. */
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
  const { notify, makeResetLink, ...oneTime } = wireOneTimeLinks(core, counter)
  const { findDevice } = devices
  const signIn = createSignInPerson({ ...core, passwords, issueSession, findDevice, factor, notify })
  const { getAccount, begin: beginSession } = signIn
  const { announceSetUp, findSetUpLink, ...setUp } = wireSetUp(core, { hashPassword, issueSession })
  const sessionCookie = createSessionCookie(publicUrl)
  const { environments } = core
  const callers = createDashboardCallers({ sessionCookie, personSessions: sessions, environments, publicUrl })
  const services: PeopleServices = {
    personSessions: sessions,
    manageFactor: createManage(getAccount, notify),
    ...wirePasskeys(core, { getAccount, notify, issueSession }),
    ...wireSingleSignOn(core, auth, sessions.plan),
    ...setUp,
    signInPerson: signIn,
    applyReset: createApplyReset({ ...core, hashPassword, notify }),
    ...oneTime.services,
    acceptInvitation: createAcceptInvitation({ ...core, passwords, getAccount, beginSession }),
    lookAtInvitation: createLookAtInvitation(core),
    manageMembers: createManageMembers(core),
    sessionCookie,
    challengeCookies: createChallengeCookies(publicUrl),
    limitInvitations: createInvitationLimits(counter),
    deviceCookie: createDeviceCookie(publicUrl),
    deviceTokens: devices,
    attempts: createAttemptLimits({ counter, trustedProxies: settings.trustedProxies }),
  }
  const resetFactor = createResetFactor({ ...core, notify })
  const ofOperator = { makeResetLink, findSetUpLink, resetFactor }
  const { warnEndings, tellApprovers, close } = oneTime
  return { callers, services, announceSetUp, ofOperator, warnEndings, tellApprovers, close }
}
