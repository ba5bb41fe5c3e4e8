// Calls of the sources of one environment.

import type { Page } from '../../contract/api.ts'
import type { HmacSettings } from '../../contract/resources/hmac-settings.ts'
import type {
  CreatedSourceAnswer,
  NewSource,
  SignatureTrialAnswer,
  SourceAnswer,
  SourceChange,
  SourceTrial,
  SourceTrialAnswer,
} from '../../contract/resources/source.ts'
import type {
  DeliveryRangeInput,
  KeptDeliveryAnswer,
  RunDeliveriesAnswer,
  RunDeliveryAnswer,
  SourceDeliveryAnswer,
} from '../../contract/resources/source-delivery.ts'
import type {
  GivenSecret,
  RotatedSourceSecret,
  SourceSecretRotation,
  SourceSecretValues,
} from '../../contract/resources/source-secret.ts'
import type { ApiClient } from './client.ts'
import { readAll } from './read-all.ts'

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
      client.get<KeptDeliveryAnswer>(at(id, `deliveries/${encodeURIComponent(deliveryId)}`), {}, signal),
    runOne: (id: string, deliveryId: string) =>
      client.send<RunDeliveryAnswer>('POST', at(id, `deliveries/${encodeURIComponent(deliveryId)}/run`)),
    run: (id: string, range: DeliveryRangeInput) =>
      client.send<RunDeliveriesAnswer>('POST', at(id, 'deliveries/run'), range),
    stopRun: (id: string) => client.send('POST', at(id, 'deliveries/stop')),
    create: (source: NewSource) => client.send<CreatedSourceAnswer>('POST', base, source),
    put: (id: string, settings: SourceChange) => client.send<SourceAnswer>('PUT', at(id), settings),
    remove: (id: string) => client.send('DELETE', at(id)),
    pause: (id: string) => client.send<SourceAnswer>('POST', at(id, 'pause')),
    resume: (id: string) => client.send<SourceAnswer>('POST', at(id, 'resume')),
    attempt: (trial: SourceTrial) => client.send<SourceTrialAnswer>('POST', `${base}/try`, trial),
    attemptSignature: (id: string, request: string, settings?: HmacSettings) =>
      client.send<SignatureTrialAnswer>('POST', at(id, 'try-signature'), { request, ...(settings && { settings }) }),
    rotate: (id: string, overlap: string, given: GivenSecret) =>
      client.send<RotatedSourceSecret>('POST', at(id, 'rotate'), { overlap, ...given }),
    extendOverlap: (id: string, overlap: string) =>
      client.send<SourceSecretRotation>('POST', at(id, 'extend'), { overlap }),
    retire: (id: string) => client.send<SourceSecretRotation>('POST', at(id, 'retire'), { confirm: true }),
    replaceAtOnce: (id: string, given: GivenSecret) =>
      client.send<RotatedSourceSecret>('POST', at(id, 'emergency'), { confirm: true, ...given }),
    showSecret: (id: string) => client.send<SourceSecretValues>('POST', at(id, 'show')),
  }
}
