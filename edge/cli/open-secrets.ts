// Opens the flows of secrets of environments for the command line, over the store of a running server.

import { newSecretValue } from '../auth/new-secret.ts'
import type { Settings } from '../config.ts'
import type { Bus } from '../domain/bus.ts'
import type { Stores } from '../domain/stores.ts'
import { createRotateSecret } from '../flow/tenant/rotate-secret.ts'
import { createSettleRetired, type SettleRetiredDeps } from '../flow/tenant/settle-retired.ts'
import { createShowSecret } from '../flow/tenant/show-secret.ts'
import { systemClock } from '../lib/clock.ts'
import type { IdKind, IdSource } from '../lib/id.ts'
import type { Sealer } from '../lib/seal.ts'

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
  const { secrets, rotations, audit } = stores
  const values = { newSecretValue, region: settings.region, seal: sealer.seal }
  return {
    showSecret: createShowSecret({ secrets, audit, open: sealer.open, clock }),
    rotateSecret: createRotateSecret({ secrets, rotations, bus, clock, ids, ...values }),
    settleRetired: createSettleRetired({ rotations, endSessions, bus, clock }),
  }
}
