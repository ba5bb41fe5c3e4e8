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
import { createDashboardCallers } from '../http/dashboard/dashboard-callers.ts'
import { createChallengeCookies, createDeviceCookie, createSessionCookie } from '../http/dashboard/dashboard-cookie.ts'
import type { DashboardCallers } from '../http/kernel/http.ts'
import type { Services } from '../http/kernel/services.ts'
import { createAttemptLimits } from '../http/limits/attempt-limits.ts'
import { createInvitationLimits } from '../http/limits/invitation-limits.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'
import { wireFactors } from './wire-factors.ts'
import { wireOneTimeLinks } from './wire-one-time-links.ts'
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
 * @param counter Shared by all nodes with Redis. @param providers Of mail. @returns The callers, and the services
 * of the routes.
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
  const sessions = createPersonSessions({ sessions: stores.dashboardSessions, ids, clock })
  const { factor, createManage } = wireFactors(core, auth)
  const issueSession = sessions.issue
  const devices = createDeviceTokens({ people, keys: deriveDeviceKeys(core.masterKeys), clock })
  const { findDevice } = devices
  const { notify, makeResetLink, ...oneTime } = wireOneTimeLinks(core, providers)
  const signIn = createSignInPerson({ people, passwords, issueSession, findDevice, factor, challenges, notify, clock })
  const { announceSetUp, findSetUpLink, ...setUp } = wireSetUp(core, { hashPassword: passwords.hash, issueSession })
  const sessionCookie = createSessionCookie(publicUrl)
  const { environments } = stores
  const callers = createDashboardCallers({ sessionCookie, personSessions: sessions, environments, publicUrl })
  const services: PeopleServices = {
    personSessions: sessions,
    manageFactor: createManage(signIn.getAccount, notify),
    ...wirePasskeys(core, { getAccount: signIn.getAccount, notify, issueSession }),
    ...wireSingleSignOn(core, auth, sessions.plan),
    ...setUp,
    signInPerson: signIn,
    applyReset: createApplyReset({ links, hashPassword: passwords.hash, notify, clock }),
    ...oneTime.services,
    acceptInvitation: createAcceptInvitation({
      links,
      people,
      passwords,
      getAccount: signIn.getAccount,
      beginSession: signIn.begin,
      ids,
      clock,
    }),
    lookAtInvitation: createLookAtInvitation({ links, organisations: stores.organisations, clock }),
    manageMembers: createManageMembers({ people, clock }),
    sessionCookie,
    challengeCookies: createChallengeCookies(publicUrl),
    limitInvitations: createInvitationLimits(counter),
    deviceCookie: createDeviceCookie(publicUrl),
    deviceTokens: devices,
    attempts: createAttemptLimits({ counter, trustedProxies: settings.trustedProxies }),
  }
  const resetFactor = createResetFactor({ factors: stores.secondFactors, notify, clock })
  const ofOperator = { makeResetLink, findSetUpLink, resetFactor }
  return { callers, services, announceSetUp, ofOperator, warnEndings: oneTime.warnEndings, close: oneTime.close }
}
