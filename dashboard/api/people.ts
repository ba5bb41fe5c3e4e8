// Calls of sign-in, members and sessions, with their answers.

import type { Page } from '../../contract/api.ts'
import type {
  CreatedEnvironment,
  ListedEnvironment,
  NewEnvironmentInput,
} from '../../contract/resources/environment.ts'
import type {
  CreatedInvitation,
  InvitationLook,
  InvitationPage,
  MemberAnswer,
} from '../../contract/resources/member.ts'
import type { OrganisationAnswer } from '../../contract/resources/organisation.ts'
import type {
  DashboardSessionAnswer,
  Me,
  SecondFactorNeeded,
  SetUpInput,
  SetUpState,
  SignInAnswer,
} from '../../contract/resources/own-account.ts'
import type { SignOnQuestionAnswer } from '../../contract/resources/single-sign-on.ts'
import type { Role } from '../../contract/role.ts'
import { ownPath } from '../routing/prefix.ts'
import { AUTH, environmentsAddress, ME } from './addresses.ts'
import type { ApiClient } from './client.ts'
import { readAll } from './read-all.ts'

export const needsCode = (answer: SignInAnswer): answer is SecondFactorNeeded => 'secondFactor' in answer

export type PeopleApi = ReturnType<typeof createPeopleApi>

export function createPeopleApi(client: ApiClient) {
  const organisation = (org: string) => `${AUTH}/organisations/${encodeURIComponent(org)}`
  const tenant = (org: string) => `/v1/dashboard/organisations/${encodeURIComponent(org)}`
  return {
    me: () => client.get<Me>(ME),
    signIn: (email: string, password: string) =>
      client.send<SignInAnswer>('POST', `${AUTH}/sign-in`, { email, password }),
    sendCode: (code: string) => client.send<Me>('POST', `${AUTH}/sign-in/second-factor`, { code }),
    passkeyOptions: () => client.send<PublicKeyCredentialRequestOptionsJSON>('POST', `${AUTH}/sign-in/passkey/options`),
    signInByPasskey: (response: object) => client.send<Me>('POST', `${AUTH}/sign-in/passkey`, response),
    signOnQuestion: () => client.get<SignOnQuestionAnswer>(`${AUTH}/sign-in/single-sign-on`),
    answerSignOn: () => client.send<Me>('POST', `${AUTH}/sign-in/single-sign-on`),
    setUpState: () => client.get<SetUpState>(`${AUTH}/setup`),
    setUp: (wanted: SetUpInput) => client.send<Me>('POST', `${AUTH}/setup`, wanted),
    signOut: () => client.send('POST', `${AUTH}/sign-out`),
    lookAtInvitation: (token: string) => client.send<InvitationLook>('POST', `${AUTH}/invitations/look`, { token }),
    acceptInvitation: (token: string, password: string, name: string) =>
      client.send<SignInAnswer>('POST', `${AUTH}/invitations/accept`, {
        token,
        password,
        ...(name !== '' && { name }),
      }),
    requestReset: (email: string) =>
      client.send<{ accepted: true; sendsMail: boolean }>('POST', `${AUTH}/password-reset`, { email }),
    reset: (change: { token: string; password: string; removePasskeys: boolean }) =>
      client.send<{ changed: true; passkeysRemoved: number }>('POST', `${AUTH}/password-reset/confirm`, change),
    changePassword: (currentPassword: string, password: string) =>
      client.send('PUT', `${AUTH}/password`, { currentPassword, password }),
    sessions: (signal?: AbortSignal) => client.get<Page<DashboardSessionAnswer>>(`${AUTH}/sessions`, {}, signal),
    endSession: (id: string) => client.send('DELETE', `${AUTH}/sessions/${encodeURIComponent(id)}`),
    organisation: (org: string, signal?: AbortSignal) => client.get<OrganisationAnswer>(tenant(org), {}, signal),
    createOrganisation: (name: string) => client.send<OrganisationAnswer>('POST', `${AUTH}/organisations`, { name }),
    chooseRegion: (org: string, region: string) => client.send('POST', `${tenant(org)}/region`, { region }),
    createSettings: (org: string, settings: { locale: string; timeZone: string }) =>
      client.send('POST', `${tenant(org)}/settings`, settings),
    createEnvironment: (org: string, wanted: NewEnvironmentInput) =>
      client.send<CreatedEnvironment>('POST', environmentsAddress(org), wanted),
    environments: (org: string, signal?: AbortSignal) =>
      readAll<Page<ListedEnvironment>>(client, environmentsAddress(org), {}, signal),
    allMembers: (org: string, signal?: AbortSignal) =>
      readAll<Page<MemberAnswer>>(client, `${organisation(org)}/members`, { limit: 100 }, signal),
    changeRole: (org: string, id: string, role: Role) =>
      client.send<MemberAnswer>('PUT', `${organisation(org)}/members/${encodeURIComponent(id)}`, { role }),
    removeMember: (org: string, id: string) =>
      client.send('DELETE', `${organisation(org)}/members/${encodeURIComponent(id)}`),
    allInvitations: (org: string, signal?: AbortSignal) =>
      readAll<InvitationPage>(client, `${organisation(org)}/invitations`, { limit: 100 }, signal),
    invite: (org: string, email: string, role: Role) =>
      client.send<CreatedInvitation>('POST', `${organisation(org)}/invitations`, {
        email,
        role,
      }),
    revokeInvitation: (org: string, id: string) =>
      client.send('DELETE', `${organisation(org)}/invitations/${encodeURIComponent(id)}`),
  }
}

/** @returns The address where a browser begins the single sign-on of an organisation. */
export const singleSignOnStart = (org: string): string => ownPath(`${AUTH}/oidc/${encodeURIComponent(org)}/start`)
