// Rotates secrets over a second connection to the store of a running edge, like the command line.

import type { SecretKind } from '../../../contract/tenant.ts'
import { newSecretValue } from '../../auth/new-secret.ts'
import { openExternalStore } from '../../cli/open-store.ts'
import { parseSettings } from '../../config.ts'
import { createRotateSecret } from '../../flow/tenant/rotate-secret.ts'
import { systemClock } from '../../lib/clock.ts'
import { createIdSource, parseId } from '../../lib/id.ts'
import { createSealer } from '../../lib/seal.ts'
import type { EnvironmentName, GivenEdge } from './given.ts'

export const MASTER_KEY = Buffer.alloc(32, 7)
const BY = { actor: 'cli', who: 'test' } as const
const COMMAND_LINE_NODE = 31

/** Rotates secrets of the edge's environments; the edge needs `MASTER_KEY`. */
export async function givenRotation(given: GivenEdge) {
  const stores = await openExternalStore(parseSettings(given.settings), systemClock)
  const secretIds = createIdSource(systemClock, COMMAND_LINE_NODE)
  secretIds.raise(stores.idFloor)
  const flow = createRotateSecret({
    secrets: stores.secrets,
    rotations: stores.rotations,
    bus: { publish: () => {} },
    clock: systemClock,
    ids: { secret: secretIds },
    region: 'eu',
    newSecretValue,
    seal: createSealer([new Uint8Array(MASTER_KEY)]).seal,
  })
  const idOf = (name: EnvironmentName) => parseId('environment', given.demo.environments[name].id) as number
  return {
    stores,
    environmentId: idOf,
    rotate: (kind: SecretKind, name: EnvironmentName = 'dev', overlapMs?: number) =>
      flow.rotate(idOf(name), kind, BY, overlapMs),
    extend: (kind: SecretKind, overlapMs?: number) => flow.extend(idOf('dev'), kind, BY, overlapMs),
    retire: (kind: SecretKind) => flow.retire(idOf('dev'), kind, BY),
    emergency: (kind: SecretKind, name: EnvironmentName = 'dev') => flow.emergency(idOf(name), kind, BY),
    read: (kind: SecretKind) => flow.read(idOf('dev'), kind),
    close: () => stores.close(),
  }
}
