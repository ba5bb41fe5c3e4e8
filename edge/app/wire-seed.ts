// The demo's seed, wired.

import { newSecretValue } from '../auth/new-secret.ts'
import type { ChangedBy } from '../domain/audit.ts'
import type { Environment } from '../domain/environment.ts'
import { createCreateEnvironment } from '../flow/create-environment.ts'
import { createSeedDemo } from '../flow/seed-demo.ts'
import { sha256Hex } from '../lib/hmac.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'
import type { Flows } from './wire-flows.ts'

/** `address` is where this process itself is reached: its own JWKS is fetched there, unless others may have to answer for it. */
export function wireSeed(core: Core, auth: Auth, flows: Flows, address: string) {
  const { settings, stores, clock, ids } = core
  // One of several nodes may be gone; the address that they share goes on.
  const jwksHost = settings.redisUrl === null ? address : core.publicUrl()
  const environments = { environments: stores.environments, secrets: stores.secrets }
  return createSeedDemo({
    organisations: stores.organisations,
    environments: stores.environments,
    createEnvironment: createCreateEnvironment({
      ...environments,
      ids,
      clock,
      region: settings.region,
      newSecretValue,
      hash: sha256Hex,
      seal: auth.sealer.seal,
    }),
    async publishCampaign(environment: Environment, definition: unknown, by: ChangedBy) {
      const { id, key } = await flows.changeCampaign.create(environment.id, definition, by)
      await flows.changeCampaign.publish(environment.id, id, by)
      return { id, key }
    },
    ids,
    clock,
    region: settings.region,
    dataDir: settings.dataDir,
    identityProvider: { issuer: `${core.publicUrl()}/demo`, jwksUrl: `${jwksHost}/demo/jwks.json` },
  })
}
