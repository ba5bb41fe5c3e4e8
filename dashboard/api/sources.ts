// Calls of the sources of one environment, with their answers.

import type { Page } from '../../contract/api.ts'
import type { HmacSettings } from '../../contract/resources/hmac-settings.ts'
import type { SignatureTrialAnswer } from '../../contract/resources/source.ts'
import type { SourceRunAnswer } from '../../contract/resources/source-delivery.ts'
import type { SourceMapping } from '../../contract/resources/source-mapping.ts'
import type { ConnectorPlatform } from '../../contract/tenant.ts'
import type { ApiClient } from './client.ts'
import { readAll } from './read-all.ts'
import type { Rotation } from './tenant.ts'

/** What `PUT` changes; absent fields stay. */
export interface SourceSettings {
  name: string
  /** Of the provider `hmac` alone. */
  settings?: HmacSettings | null
  mappings: SourceMapping[]
  requireV3: boolean
  allowUnsignedBatchTail: boolean
}

export interface NewSource {
  name: string
  provider: ConnectorPlatform
  /** Of the provider `hmac`. */
  settings?: HmacSettings
  /** Absent: those of the platform. */
  mappings?: SourceMapping[]
  /** Absent: the server makes one. */
  verificationSecret?: string
}

export interface SourceAnswer extends SourceSettings {
  id: string
  provider: ConnectorPlatform
  status: 'active' | 'paused'
  /** The address that the platform calls. */
  url: string
  secret: {
    state: 'single' | 'overlap'
    createdAt: string
    /** The end of the old value of an overlap. */
    retiresAt: string | null
    lastUsedAt: string | null
    oldLastUsedAt: string | null
  }
  /** Of the last delivery with a valid signature. */
  lastReceivedAt: string | null
  /** Of the last item that was refused or unreadable. */
  lastErrorAt: string | null
  lastError: string | null
  counts: { accepted: number; duplicates: number; refused: number; unreadable: number; dropped: number }
  /** The last run of kept deliveries. */
  run: SourceRunAnswer | null
  createdAt: string
  updatedAt: string
}

export interface SourceDeliveryAnswer {
  at: string
  deliveryId: string | null
  type: string | null
  outcome: 'accepted' | 'unreadable' | 'duplicate' | 'refused' | 'dropped'
  eventId: string | null
  reason: string | null
}

/** As it came, headers without credentials; null when it is kept no more. */
export type KeptDelivery = SourceDeliveryAnswer & { body: string | null; headers: Record<string, string> | null }

/** What a run did with a delivery; `accepted` counts new events. */
export type DeliveryRun = Pick<SourceDeliveryAnswer, 'outcome' | 'eventId' | 'reason'> & { accepted: number }

export interface DeliveryRange {
  from: string
  to: string
  outcome?: SourceDeliveryAnswer['outcome']
}

export interface SourceTrial {
  provider: ConnectorPlatform
  mappings: SourceMapping[]
  payload: unknown
}

/** An event that an item of the payload would become. */
export interface TriedItem {
  deliveryId: string
  type: string
  name: string
  userId: string | null
  properties: Record<string, unknown>
  occurredAt: string | null
  reason: string | null
  /** Why the mapping leaves it out. */
  dropped: string | null
  joinTopic: string | null
  /** A change of the user's profile. */
  profile: Record<string, unknown> | null
}

export type SourceSecretKind = 'verificationSecret'

export type RotatedSourceSecret = Rotation<SourceSecretKind> & { verificationSecret: string }

/** The new value where the platform dictates it. */
export interface GivenSecret {
  verificationSecret?: string
}

export type SourcesApi = ReturnType<typeof createSourcesApi>

export function createSourcesApi(client: ApiClient, environmentId: string) {
  const base = `/v1/dashboard/environments/${encodeURIComponent(environmentId)}/sources`
  const at = (id: string, verb?: string) => `${base}/${encodeURIComponent(id)}${verb === undefined ? '' : `/${verb}`}`
  return {
    list: (signal?: AbortSignal) => readAll<Page<SourceAnswer>>(client, base, {}, signal),
    read: (id: string, signal?: AbortSignal) => client.get<SourceAnswer>(at(id), {}, signal),
    deliveries: (id: string, signal?: AbortSignal) =>
      readAll<Page<SourceDeliveryAnswer>>(client, at(id, 'deliveries'), {}, signal),
    delivery: (id: string, deliveryId: string, signal?: AbortSignal) =>
      client.get<KeptDelivery>(at(id, `deliveries/${encodeURIComponent(deliveryId)}`), {}, signal),
    runOne: (id: string, deliveryId: string) =>
      client.send<DeliveryRun>('POST', at(id, `deliveries/${encodeURIComponent(deliveryId)}/run`)),
    run: (id: string, range: DeliveryRange & { dryRun?: true }) =>
      client.send<{ accepted: number }>('POST', at(id, 'deliveries/run'), range),
    create: (source: NewSource) => client.send<SourceAnswer & { verificationSecret: string }>('POST', base, source),
    put: (id: string, settings: Partial<SourceSettings>) => client.send<SourceAnswer>('PUT', at(id), settings),
    remove: (id: string) => client.send('DELETE', at(id)),
    pause: (id: string) => client.send<SourceAnswer>('POST', at(id, 'pause')),
    resume: (id: string) => client.send<SourceAnswer>('POST', at(id, 'resume')),
    attempt: (trial: SourceTrial) => client.send<{ items: TriedItem[] }>('POST', `${base}/try`, trial),
    attemptSignature: (id: string, request: string, settings?: HmacSettings) =>
      client.send<SignatureTrialAnswer>('POST', at(id, 'try-signature'), { request, ...(settings && { settings }) }),
    rotate: (id: string, overlap: string, given: GivenSecret) =>
      client.send<RotatedSourceSecret>('POST', at(id, 'rotate'), { overlap, ...given }),
    extendOverlap: (id: string, overlap: string) =>
      client.send<Rotation<SourceSecretKind>>('POST', at(id, 'extend'), { overlap }),
    retire: (id: string) => client.send<Rotation<SourceSecretKind>>('POST', at(id, 'retire'), { confirm: true }),
    replaceAtOnce: (id: string, given: GivenSecret) =>
      client.send<RotatedSourceSecret>('POST', at(id, 'emergency'), { confirm: true, ...given }),
    showSecret: (id: string) => client.send<{ values: string[] }>('POST', at(id, 'show')),
  }
}
