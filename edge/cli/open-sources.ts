// Opens the flows of sources for the command line, over the store of a running server.

import { newSecretValue } from '../auth/new-secret.ts'
import type { Settings } from '../config.ts'
import { connectors } from '../connectors/connectors.ts'
import type { Bus } from '../domain/bus.ts'
import type { Stores } from '../domain/stores.ts'
import { createManageSources } from '../flow/tenant/manage-sources.ts'
import type { RotateSecret } from '../flow/tenant/rotate-secret.ts'
import { createRotateSourceSecret } from '../flow/tenant/rotate-source-secret.ts'
import type { ShowSecret } from '../flow/tenant/show-secret.ts'
import { systemClock } from '../lib/clock.ts'
import type { IdKind, IdSource } from '../lib/id.ts'
import type { Sealer } from '../lib/seal.ts'
import { publicUrlOf } from './open-people.ts'

export interface SourceParts {
  settings: Settings
  stores: Stores
  ids: Record<IdKind, IdSource>
  sealer: Sealer
  bus: Bus
  rotateSecret: RotateSecret
  showSecret: ShowSecret
  settleRetired(): Promise<number>
}

export function openSources({ settings, stores, ids, sealer, bus, ...secrets }: SourceParts) {
  const { sources } = stores
  const values = { newSecretValue, region: settings.region, seal: sealer.seal }
  const publicUrl = publicUrlOf(settings)
  return {
    manageSources: createManageSources({
      sources,
      secrets: stores.secrets,
      connectors,
      publicUrl,
      bus,
      clock: systemClock,
      ids,
      ...values,
    }),
    rotateSourceSecret: createRotateSourceSecret({ sources, ...secrets }),
  }
}
