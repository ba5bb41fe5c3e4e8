// Wires connectors: sources, the deliveries that they receive, and their management.

import { newSecretValue } from '../auth/new-secret.ts'
import { createSourceRing } from '../auth/source-ring.ts'
import { connectors } from '../connectors/connectors.ts'
import { lookupsOf, mapItem, mappingOf } from '../connectors/map-item.ts'
import { type BeginRun, createBeginRun } from '../flow/connector/begin-run.ts'
import { createMapItems } from '../flow/connector/map-items.ts'
import { createReadDelivery, type ReadKeptDelivery } from '../flow/connector/read-delivery.ts'
import { createReceiveDelivery, type ReceiveDelivery } from '../flow/connector/receive-delivery.ts'
import { createRecordDeliveries } from '../flow/connector/record-deliveries.ts'
import { createRunDeliveries, type RunDeliveries } from '../flow/connector/run-deliveries.ts'
import { createTrackItems, type TrackItems } from '../flow/connector/track-items.ts'
import { createTryMappings, type TryMappings } from '../flow/connector/try-mappings.ts'
import { createTrySignature, type TrySignature } from '../flow/connector/try-signature.ts'
import { createManageSources, type ManageSources } from '../flow/tenant/manage-sources.ts'
import { createRotateSecret } from '../flow/tenant/rotate-secret.ts'
import { createRotateSourceSecret, type RotateSourceSecret } from '../flow/tenant/rotate-source-secret.ts'
import { createShowSecret } from '../flow/tenant/show-secret.ts'
import type { LoadShedding } from '../http/limits/load-shedding.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'
import type { Flows, WorkSignals } from './wire-flows.ts'

export interface ConnectorParts {
  receiveDelivery: ReceiveDelivery
  manageSources: ManageSources
  rotateSourceSecret: RotateSourceSecret
  tryMappings: TryMappings
  trySignature: TrySignature
  runDeliveries: RunDeliveries
  readDelivery: ReadKeptDelivery
  beginRun: BeginRun
  /** Writes the last records of deliveries. */
  close(): Promise<void>
}

export function wireConnectors(
  core: Core,
  { sealer, keyRing, settleRetired }: Pick<Auth, 'sealer' | 'keyRing' | 'settleRetired'>,
  { acceptEvents, holds }: Pick<Flows, 'acceptEvents' | 'holds'>,
  { reserveEvents, waitTurn }: Pick<LoadShedding, 'reserveEvents' | 'waitTurn'>,
  { pollJobs }: Pick<WorkSignals, 'pollJobs'>,
): ConnectorParts {
  const { stores, bus, clock, ids, log, metrics, publicUrl, settings } = core
  const { sources, secrets, rotations, audit } = stores
  const { seal, open } = sealer
  const records = createRecordDeliveries({ sources, bodies: stores.deliveryBodies, log })
  const mapItems = createMapItems({ mapItem, mappingOf, lookupsOf, users: stores.users, holds, clock })
  const values = { newSecretValue, region: settings.region, seal }
  const trackItems = createTrackItems({
    mapItems,
    acceptBatch: acceptEvents.acceptBatch,
    reserveEvents,
    waitTurn,
    joinTopic: (environmentId, topic, userIds, now) => stores.topics.change(environmentId, topic, userIds, [], now),
    records,
    onAccepted: metrics.onAccepted,
    recordDoubt: core.countDoubts.record,
  })
  return {
    receiveDelivery: createReceiveDelivery({
      findSource: createSourceRing({ sources, secrets, findEnvironment: keyRing.findEnvironment, open, bus, clock }),
      connectors,
      mapItems,
      trackItems,
      records,
      log,
    }),
    ...wireDeliveries(core, trackItems, pollJobs),
    manageSources: createManageSources({
      sources,
      secrets,
      deliveryRuns: stores.deliveryRuns,
      audit: stores.audit,
      connectors,
      publicUrl,
      bus,
      clock,
      ids,
      ...values,
    }),
    rotateSourceSecret: createRotateSourceSecret({
      sources,
      rotateSecret: createRotateSecret({ secrets, rotations, bus, clock, ids, ...values }),
      showSecret: createShowSecret({ secrets, audit, open, clock }),
      settleRetired,
    }),
    tryMappings: createTryMappings({ connectors, mapItems, clock }),
    trySignature: createTrySignature({ sources, secrets, audit, open, connectors, publicUrl, clock }),
    close: records.settle,
  }
}

/** Wires what is done with the kept deliveries. */
function wireDeliveries({ stores, clock, ids }: Core, trackItems: TrackItems, pollJobs: () => void) {
  const { sources, deliveryBodies: bodies, deliveryRuns: runs } = stores
  const findEnvironment = (id: number) => stores.environments.find(id)
  return {
    runDeliveries: createRunDeliveries({ sources, deliveryBodies: bodies, deliveryRuns: runs, findEnvironment, connectors, trackItems, clock }),
    readDelivery: createReadDelivery({ sources, deliveryBodies: bodies, clock }),
    beginRun: createBeginRun({ sources, deliveryBodies: bodies, deliveryRuns: runs, ids, clock, pollJobs }),
  }
}
