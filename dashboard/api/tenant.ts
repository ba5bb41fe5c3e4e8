// Calls of an organisation's environments, their secrets, and its notification configs, with their answers.

import type { Page } from '../../contract/api.ts'
import type { CampaignCopyInput, CopiedCampaigns } from '../../contract/resources/campaign-copy.ts'
import type {
  EnvironmentChangeInput,
  EnvironmentContents,
  EnvironmentDetail,
} from '../../contract/resources/environment.ts'
import type { ComposedMail } from '../../contract/resources/mail.ts'
import type { ConfigAnswer, ConfigContent, EmailLook } from '../../contract/resources/notification-config.ts'
import type { RotatedSecret, SecretRotation, SecretValues } from '../../contract/resources/secret.ts'
import type { TestUserAnswer } from '../../contract/resources/test-user.ts'
import type { CheckedToken, TokenCheckInput } from '../../contract/resources/token-check.ts'
import type { LayoutFormat, SecretKind } from '../../contract/tenant.ts'
import type { ApiClient } from './client.ts'
import { readAll } from './read-all.ts'

/** What people set of a config. */
export type ConfigFields = ConfigContent & { name: string }

export type TenantApi = ReturnType<typeof createTenantApi>

export function createTenantApi(client: ApiClient, org: string) {
  const of = `/v1/dashboard/organisations/${encodeURIComponent(org)}`
  const config = (id: string) => `${of}/notification-configs/${encodeURIComponent(id)}`
  const one = (id: string) => `/v1/dashboard/environments/${encodeURIComponent(id)}`
  const secret = (id: string, kind: SecretKind, step: string) => `${one(id)}/secrets/${kind}/${step}`
  return {
    environment: (id: string, signal?: AbortSignal) => client.get<EnvironmentDetail>(one(id), {}, signal),
    changeEnvironment: (id: string, change: EnvironmentChangeInput) =>
      client.send<EnvironmentDetail>('PUT', one(id), change),
    environmentContents: (id: string) => client.get<EnvironmentContents>(`${one(id)}/contents`),
    /** @param confirm Its name. */
    deleteEnvironment: (id: string, confirm: string) => client.send('DELETE', one(id), undefined, { confirm }),
    checkToken: (id: string, check: TokenCheckInput) =>
      client.send<CheckedToken>('POST', `${one(id)}/check-token`, check),
    testUser: (id: string) => client.send<TestUserAnswer>('POST', `${one(id)}/test-user`),
    copyCampaigns: (id: string, request: CampaignCopyInput) =>
      client.send<CopiedCampaigns>('POST', `${one(id)}/copy-campaigns`, request),
    secrets: (id: string, signal?: AbortSignal) => client.get<Page<SecretRotation>>(`${one(id)}/secrets`, {}, signal),
    rotate: (id: string, kind: SecretKind, overlap: string) =>
      client.send<RotatedSecret>('POST', secret(id, kind, 'rotate'), { overlap }),
    extendOverlap: (id: string, kind: SecretKind, overlap: string) =>
      client.send<SecretRotation>('POST', secret(id, kind, 'extend'), { overlap }),
    retire: (id: string, kind: SecretKind) =>
      client.send<SecretRotation>('POST', secret(id, kind, 'retire'), { confirm: true }),
    replaceAtOnce: (id: string, kind: SecretKind) =>
      client.send<RotatedSecret>('POST', secret(id, kind, 'emergency'), { confirm: true }),
    showSecret: (id: string, kind: SecretKind) => client.send<SecretValues>('POST', secret(id, kind, 'show')),
    allConfigs: async (signal?: AbortSignal): Promise<ConfigAnswer[]> =>
      (await readAll<Page<ConfigAnswer>>(client, `${of}/notification-configs`, { limit: 100 }, signal)).data,
    config: (id: string, signal?: AbortSignal) => client.get<ConfigAnswer>(config(id), {}, signal),
    createConfig: (content: Pick<ConfigFields, 'name'>) =>
      client.send<ConfigAnswer>('POST', `${of}/notification-configs`, content),
    layouts: (signal?: AbortSignal) => client.get<Record<LayoutFormat, string>>(`${of}/mail-layouts`, {}, signal),
    previewMails: (look: { email: EmailLook; siteUrl: string | null; locale: string }, signal?: AbortSignal) =>
      client.send<ComposedMail>('POST', `${of}/mail-layouts/preview`, look, {}, signal),
    previewStoredMails: (id: string, locale: string, signal?: AbortSignal) =>
      client.get<ComposedMail>(`${config(id)}/mail-preview`, { locale }, signal),
    putConfig: (id: string, content: ConfigFields, revision: number | 'any') =>
      client.sendAt<ConfigAnswer>(revision, 'PUT', config(id), content),
    removeConfig: (id: string, revision: number) => client.sendAt(revision, 'DELETE', config(id)),
  }
}
