// Wires the seed of the demo organisation.

import { newSecretValue } from '../auth/new-secret.ts'
import { createCreateEnvironment } from '../flow/tenant/create-environment.ts'
import { createManageEnrichers } from '../flow/tenant/manage-enrichers.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { BY } from '../seed/organisation.ts'
import { createSeedDemo, type DemoLife, type DemoMaker } from '../seed/seed-demo.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'
import type { ConnectorParts } from './wire-connectors.ts'
import type { Flows } from './wire-flows.ts'
import { wireLife } from './wire-life.ts'

interface SeedParts extends Pick<ConnectorParts, 'manageSources'> {
  flows: Flows
  sandbox: Sandbox
}

/** @param address The URL of this process, which serves the demo's site unless there are other nodes. */
export function wireSeed(core: Core, auth: Auth, { flows, sandbox, manageSources }: SeedParts, address: string) {
  const { settings, stores, bus, clock } = core
  // One of several nodes may stop, so the shared address is used.
  const siteUrl = settings.redisUrl === null ? address : core.publicUrl()
  return createSeedDemo({
    organisations: stores.organisations,
    people: stores.people,
    hashPassword: auth.passwords.hash,
    environments: stores.environments,
    maker: makerOf(core, auth, flows),
    openLife: (at) => openLife(core, auth, sandbox, at),
    enrichers: stores.enrichers,
    putEnricher: createManageEnrichers({ enrichers: stores.enrichers, bus, clock }).put,
    createSource: manageSources.create,
    siteUrl,
    clock,
    region: settings.region,
    dataDir: settings.dataDir,
    issuer: `${core.publicUrl()}/demo`,
  })
}

function makerOf({ settings, stores, ids, clock }: Core, auth: Auth, { changeCampaign }: Flows): DemoMaker {
  return {
    createEnvironment: createCreateEnvironment({
      ...{ environments: stores.environments, secrets: stores.secrets },
      ids,
      clock,
      region: settings.region,
      newSecretValue,
      seal: auth.sealer.seal,
    }),
    async publishCampaign(environment, definition, by) {
      const { id, key } = await changeCampaign.create(environment.id, definition, by)
      await changeCampaign.publish(environment.id, id, by)
      return { id, key }
    },
    ids,
    clock,
  }
}

function openLife(core: Core, auth: Auth, sandbox: Sandbox, at: number): DemoLife {
  const life = wireLife(core, sandbox, at)
  const { changeCampaign } = life.flows
  return {
    maker: makerOf(life.core, auth, life.flows),
    async publishSecond(environment, campaignId, definition, then) {
      life.moveTo(then)
      const { currentVersion } = await changeCampaign.get(environment.id, campaignId)
      if (currentVersion !== 1) return
      await changeCampaign.putDraft(environment.id, campaignId, definition, BY)
      await changeCampaign.publish(environment.id, campaignId, BY)
    },
    write: life.write,
  }
}
