// Calls below one environment: deliveries, events, runs, campaigns and users.

import type { FunnelAnswer, Page } from '../../contract/api.ts'
import type { Channel, Window } from '../../contract/delivery.ts'
import type {
  CampaignAnswer,
  CampaignVersionAnswer,
  DeliveryDetailAnswer,
  DeliveryRecordAnswer,
  RunAnswer,
  TrackedEventAnswer,
  UserAnswer,
} from '../../contract/management-schemas.ts'
import type { ApiClient, Query } from './client.ts'

export type CampaignAction = 'publish' | 'pause' | 'resume' | 'archive'

export type EnvironmentApi = ReturnType<typeof createEnvironmentApi>

export function createEnvironmentApi(client: ApiClient, environmentId: string) {
  const base = `/v1/dashboard/environments/${encodeURIComponent(environmentId)}`
  const at = (...parts: string[]) => `${base}/${parts.map(encodeURIComponent).join('/')}`
  return {
    deliveries: (query: Query, signal?: AbortSignal) =>
      client.get<Page<DeliveryRecordAnswer>>(at('deliveries'), query, signal),
    delivery: (id: string, signal?: AbortSignal) => client.get<DeliveryDetailAnswer>(at('deliveries', id), {}, signal),
    exportDeliveries: (query: Query, signal: AbortSignal) => client.open(at('deliveries', 'export.csv'), query, signal),
    run: (id: string, signal?: AbortSignal) => client.get<RunAnswer>(at('runs', id), {}, signal),
    events: (query: Query, signal?: AbortSignal) => client.get<Page<TrackedEventAnswer>>(at('events'), query, signal),
    event: (id: string, signal?: AbortSignal) => client.get<TrackedEventAnswer>(at('events', id), {}, signal),
    campaigns: (query: Query = {}, signal?: AbortSignal) =>
      client.get<Page<CampaignAnswer>>(at('campaigns'), { limit: 100, ...query }, signal),
    campaign: (id: string, signal?: AbortSignal) => client.get<CampaignAnswer>(at('campaigns', id), {}, signal),
    versions: (id: string, signal?: AbortSignal) =>
      client.get<Page<CampaignVersionAnswer>>(at('campaigns', id, 'versions'), { limit: 100 }, signal),
    changeCampaign: (id: string, action: CampaignAction, query: Query = {}) =>
      client.send<CampaignAnswer>('POST', at('campaigns', id, action), undefined, query),
    testCampaign: (id: string, body: { userId: string; event?: { properties: object } }) =>
      client.send<{ messageIds: string[] }>('POST', at('campaigns', id, 'test'), body),
    funnel: (id: string, query: { window: Window; channel: Channel }, signal?: AbortSignal) =>
      client.get<FunnelAnswer>(at('campaigns', id, 'stats'), query, signal),
    user: (id: string, signal?: AbortSignal) => client.get<UserAnswer>(at('users', id), {}, signal),
    signOutUser: (id: string) => client.send<{ ended: number }>('POST', at('users', id, 'sign-out')),
    eraseUser: (id: string) => client.send('DELETE', at('users', id)),
  }
}
