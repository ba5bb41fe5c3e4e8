// Calls of one organisation: its settings, its audit log, and its single sign-on.

import type { AuditPage } from '../../contract/resources/audit.ts'
import type { OrganisationAnswer } from '../../contract/resources/organisation.ts'
import type { OrganisationSettings } from '../../contract/resources/organisation-settings.ts'
import type { SingleSignOnAnswer, SingleSignOnSettings } from '../../contract/resources/single-sign-on.ts'
import type { Query } from './addresses.ts'
import type { ApiClient } from './client.ts'

export type OrganisationApi = ReturnType<typeof createOrganisationApi>

export function createOrganisationApi(client: ApiClient, org: string) {
  const base = `/v1/dashboard/organisations/${encodeURIComponent(org)}`
  const signOn = `/v1/dashboard/auth/organisations/${encodeURIComponent(org)}/single-sign-on`
  return {
    read: (signal?: AbortSignal) => client.get<OrganisationAnswer>(base, {}, signal),
    /** Once; absent fields get their defaults. */
    createSettings: (settings: Partial<OrganisationSettings>) =>
      client.send<OrganisationSettings>('POST', `${base}/settings`, settings),
    changeSettings: (settings: Partial<OrganisationSettings>) =>
      client.send<OrganisationSettings>('PUT', `${base}/settings`, settings),
    auditLog: (query: Query, signal?: AbortSignal) => client.get<AuditPage>(`${base}/audit-log`, query, signal),
    singleSignOn: (signal?: AbortSignal) => client.get<SingleSignOnAnswer>(signOn, {}, signal),
    /** Without `clientSecret` the stored one stays. */
    setSingleSignOn: (settings: SingleSignOnSettings) => client.send<SingleSignOnAnswer>('PUT', signOn, settings),
    proveDomain: (domain: string) => client.send<SingleSignOnAnswer>('POST', `${signOn}/prove-domain`, { domain }),
    removeSingleSignOn: () => client.send('DELETE', signOn),
  }
}
