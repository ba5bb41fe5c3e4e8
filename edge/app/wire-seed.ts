// Wires the seed of the demo organisation.

import { newSecretValue } from '../auth/new-secret.ts'
import type { ChangedBy } from '../domain/audit.ts'
import type { Environment } from '../domain/environment.ts'
import { createCreateEnvironment } from '../flow/tenant/create-environment.ts'
import { createManageEnrichers } from '../flow/tenant/manage-enrichers.ts'
import { createSeedDemo } from '../seed/seed-demo.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'
import type { ConnectorParts } from './wire-connectors.ts'
import type { Flows } from './wire-flows.ts'

/** @param address The URL of this process, which serves the demo's site unless there are other nodes. */
export function wireSeed(
  core: Core,
  auth: Auth,
  flows: Flows,
  { manageSources }: Pick<ConnectorParts, 'manageSources'>,
  address: string,
) {
  const { settings, stores, bus, clock, ids } = core
  // One of several nodes may stop, so the shared address is used.
  const siteUrl = settings.redisUrl === null ? address : core.publicUrl()
  const environments = { environments: stores.environments, secrets: stores.secrets }
  return createSeedDemo({
    organisations: stores.organisations,
    people: stores.people,
    hashPassword: auth.passwords.hash,
    environments: stores.environments,
    createEnvironment: createCreateEnvironment({
      ...environments,
      ids,
      clock,
      region: settings.region,
      newSecretValue,
      seal: auth.sealer.seal,
    }),
    async publishCampaign(environment: Environment, definition: unknown, by: ChangedBy) {
      const { id, key } = await flows.changeCampaign.create(environment.id, definition, by)
      await flows.changeCampaign.publish(environment.id, id, by)
      return { id, key }
    },
    enrichers: stores.enrichers,
    putEnricher: createManageEnrichers({ registry: stores.enrichers, bus, clock }).put,
    createSource: manageSources.create,
    siteUrl,
    ids,
    clock,
    region: settings.region,
    dataDir: settings.dataDir,
    issuer: `${core.publicUrl()}/demo`,
  })
}
