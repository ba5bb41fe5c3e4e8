// Opens the flows of secrets for the command line, over the store of a running server: those of environments and sources.

import { newSecretValue } from '../auth/new-secret.ts'
import type { Settings } from '../config.ts'
import { connectors } from '../connectors/connectors.ts'
import { lookupsOf, mapItem, mappingOf } from '../connectors/map-item.ts'
import type { Bus } from '../domain/bus.ts'
import type { Stores } from '../domain/stores.ts'
import { createBeginRun } from '../flow/connector/begin-run.ts'
import { createMapItems } from '../flow/connector/map-items.ts'
import { createReadDelivery } from '../flow/connector/read-delivery.ts'
import { createTryMappings } from '../flow/connector/try-mappings.ts'
import { createTrySignature } from '../flow/connector/try-signature.ts'
import { createManageSources } from '../flow/tenant/manage-sources.ts'
import { createRotateSecret } from '../flow/tenant/rotate-secret.ts'
import { createRotateSourceSecret } from '../flow/tenant/rotate-source-secret.ts'
import { createSettleRetired, type SettleRetiredDeps } from '../flow/tenant/settle-retired.ts'
import { createShowSecret } from '../flow/tenant/show-secret.ts'
import { systemClock } from '../lib/clock.ts'
import type { IdKind, IdSource } from '../lib/id.ts'
import { createLog } from '../lib/log.ts'
import type { Sealer } from '../lib/seal.ts'
import { createEvaluator } from '../sandbox/evaluator.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import { publicUrlOf } from './open-people.ts'

export interface SecretParts {
  settings: Settings
  stores: Stores
  ids: Record<IdKind, IdSource>
  sealer: Sealer
  bus: Bus
  endSessions: SettleRetiredDeps['endSessions']
}

export function openSecrets({ settings, stores, ids, sealer, bus, endSessions }: SecretParts) {
  const clock = systemClock
  const { secrets, rotations, sources, audit, deliveryBodies: bodies, deliveryRuns: runs } = stores
  const values = { newSecretValue, region: settings.region, seal: sealer.seal }
  const showSecret = createShowSecret({ secrets, audit, open: sealer.open, clock })
  const rotateSecret = createRotateSecret({ secrets, rotations, bus, clock, ids, ...values })
  const settleRetired = createSettleRetired({ rotations, endSessions, bus, clock })
  const publicUrl = publicUrlOf(settings)
  const { holds } = createEvaluator({ clock, ids }, createSandbox({ log: createLog('silent') }))
  const mapItems = createMapItems({ mapItem, mappingOf, lookupsOf, users: stores.users, holds, clock })
  return {
    showSecret,
    rotateSecret,
    settleRetired,
    manageSources: createManageSources({
      sources,
      secrets,
      runs,
      audit,
      connectors,
      publicUrl,
      bus,
      clock,
      ids,
      ...values,
    }),
    readDelivery: createReadDelivery({ sources, bodies, clock }),
    beginRun: createBeginRun({ sources, bodies, runs, ids, clock }),
    tryMappings: createTryMappings({ connectors, mapItems, clock }),
    trySignature: createTrySignature({ sources, secrets, audit, open: sealer.open, connectors, publicUrl, clock }),
    rotateSourceSecret: createRotateSourceSecret({ sources, rotateSecret, showSecret, settleRetired }),
  }
}
