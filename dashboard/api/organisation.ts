// Calls of one organisation: its settings, its audit log, and its single sign-on.

import type { AuditPage } from '../../contract/resources/audit.ts'
import type { OrganisationSettings } from '../../contract/resources/organisation-settings.ts'
import type { Query } from './addresses.ts'
import type { ApiClient } from './client.ts'
import type { OrganisationAnswer, Role } from './people.ts'

export interface OrganisationDetail extends OrganisationAnswer {
  host: string | null
  role: Role
  settings: OrganisationSettings | null
  createdAt: string
}

/** The roles that people of the domains may get without an invitation. */
export const NEW_MEMBER_ROLES = ['viewer', 'editor', 'admin'] as const satisfies readonly Role[]

export interface SingleSignOnSettings {
  issuer: string
  clientId: string
  domains: string[]
  newMemberRole: (typeof NEW_MEMBER_ROLES)[number] | null
}

export interface DomainProof {
  domain: string
  /** The TXT record that proves it. */
  record: { name: string; value: string }
  provedBy: 'dns' | 'operator' | null
  provedAt: string | null
  missingSince: string | null
}

export interface SingleSignOnAnswer extends SingleSignOnSettings {
  domainProofs: DomainProof[]
  redirectUri: string
  startUrl: string
  updatedAt: string
}

export type OrganisationApi = ReturnType<typeof createOrganisationApi>

export function createOrganisationApi(client: ApiClient, org: string) {
  const base = `/v1/dashboard/organisations/${encodeURIComponent(org)}`
  const signOn = `/v1/dashboard/auth/organisations/${encodeURIComponent(org)}/single-sign-on`
  return {
    read: (signal?: AbortSignal) => client.get<OrganisationDetail>(base, {}, signal),
    /** Once; absent fields get their defaults. */
    createSettings: (settings: Partial<OrganisationSettings>) =>
      client.send<OrganisationSettings>('POST', `${base}/settings`, settings),
    changeSettings: (settings: Partial<OrganisationSettings>) =>
      client.send<OrganisationSettings>('PUT', `${base}/settings`, settings),
    auditLog: (query: Query, signal?: AbortSignal) => client.get<AuditPage>(`${base}/audit-log`, query, signal),
    singleSignOn: (signal?: AbortSignal) => client.get<SingleSignOnAnswer>(signOn, {}, signal),
    /** Without `clientSecret` the stored one stays. */
    setSingleSignOn: (settings: SingleSignOnSettings & { clientSecret?: string }) =>
      client.send<SingleSignOnAnswer>('PUT', signOn, settings),
    proveDomain: (domain: string) => client.send<SingleSignOnAnswer>('POST', `${signOn}/prove-domain`, { domain }),
    removeSingleSignOn: () => client.send('DELETE', signOn),
  }
}
