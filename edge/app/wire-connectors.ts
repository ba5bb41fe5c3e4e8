// Wires connectors: sources, the deliveries that they receive, and their management.

import { createSourceRing } from '../auth/source-ring.ts'
import { lookupsOf, mapItem, mappingOf } from '../connectors/map-item.ts'
import { createBeginRun, createStopRun } from '../flow/connector/begin-run.ts'
import { createMapItems } from '../flow/connector/map-items.ts'
import { createReadDelivery } from '../flow/connector/read-delivery.ts'
import { createReceiveDelivery } from '../flow/connector/receive-delivery.ts'
import { createRecordDeliveries } from '../flow/connector/record-deliveries.ts'
import { createRunDeliveries } from '../flow/connector/run-deliveries.ts'
import { createTrackItems } from '../flow/connector/track-items.ts'
import { createTryMappings } from '../flow/connector/try-mappings.ts'
import { createTrySignature } from '../flow/connector/try-signature.ts'
import { createManageSources } from '../flow/tenant/manage-sources.ts'
import { createRotateSecret } from '../flow/tenant/rotate-secret.ts'
import { createRotateSourceSecret } from '../flow/tenant/rotate-source-secret.ts'
import { createShowSecret } from '../flow/tenant/show-secret.ts'
import type { Services, SourceServices } from '../http/kernel/services.ts'
import type { LoadShedding } from '../http/limits/load-shedding.ts'
import type { AppCore } from './core.ts'
import type { Auth } from './wire-auth.ts'
import type { Flows } from './wire-flows.ts'
import { traceDeliveries } from './wire-traces.ts'
import type { WorkSignals } from './work-signals.ts'

export interface ConnectorParts extends SourceServices, Pick<Services, 'receiveDelivery'> {
  /** Writes the last records of deliveries. */
  close(): Promise<void>
}

export function wireConnectors(
  core: AppCore,
  { keyRing, settleRetired }: Pick<Auth, 'keyRing' | 'settleRetired'>,
  { acceptEvents, holds }: Pick<Flows, 'acceptEvents' | 'holds'>,
  { reserveEvents, waitTurn }: Pick<LoadShedding, 'reserveEvents' | 'waitTurn'>,
  { pollJobs }: Pick<WorkSignals, 'pollJobs'>,
): ConnectorParts {
  const records = createRecordDeliveries(core)
  const mapItems = createMapItems({ ...core, mapItem, mappingOf, lookupsOf, holds })
  const trackItems = createTrackItems({
    ...core,
    mapItems,
    acceptBatch: acceptEvents.acceptBatch,
    reserveEvents,
    waitTurn,
    joinTopic: (environmentId, topic, userIds, now) => core.topics.change(environmentId, topic, userIds, [], now),
    records,
    onAccepted: core.metrics.onAccepted,
  })
  const findSource = createSourceRing({ ...core, findEnvironment: keyRing.findEnvironment })
  const findEnvironment = (id: number) => core.environments.find(id)
  const rotateSecret = createRotateSecret(core)
  const showSecret = createShowSecret(core)
  return {
    receiveDelivery: traceDeliveries(
      core.traces,
      createReceiveDelivery({ ...core, findSource, mapItems, trackItems, records }),
    ),
    runDeliveries: createRunDeliveries({ ...core, findEnvironment, trackItems }),
    readDelivery: createReadDelivery(core),
    beginRun: createBeginRun({ ...core, pollJobs }),
    stopRun: createStopRun(core),
    manageSources: createManageSources(core),
    rotateSourceSecret: createRotateSourceSecret({ ...core, rotateSecret, showSecret, settleRetired }),
    tryMappings: createTryMappings({ ...core, mapItems }),
    trySignature: createTrySignature(core),
    close: records.settle,
  }
}
