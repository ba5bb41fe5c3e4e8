// Wires the seed of the demo organisation.

import { createCreateEnvironment } from '../flow/tenant/create-environment.ts'
import { createManageEnrichers } from '../flow/tenant/manage-enrichers.ts'
import { BY } from '../seed/organisation.ts'
import { createSeedDemo, type DemoLife, type DemoMaker } from '../seed/seed-demo.ts'
import type { AppCore } from './core.ts'
import type { Auth } from './wire-auth.ts'
import type { ConnectorParts } from './wire-connectors.ts'
import type { Flows } from './wire-flows.ts'
import { wireLife } from './wire-life.ts'

interface SeedParts extends Pick<ConnectorParts, 'manageSources'> {
  flows: Flows
}

/** @param address The URL of this process, which serves the demo's site unless there are other nodes. */
export function wireSeed(core: AppCore, auth: Auth, { flows, manageSources }: SeedParts, address: string) {
  const { settings } = core
  // One of several nodes may stop, so the shared address is used.
  const siteUrl = settings.redisUrl === null ? address : core.publicUrl()
  return createSeedDemo({
    ...core,
    hashPassword: auth.passwords.hash,
    maker: makerOf(core, flows),
    openLife: (at) => openLife(core, at),
    putEnricher: createManageEnrichers(core).put,
    createSource: manageSources.create,
    siteUrl,
    dataDir: settings.dataDir,
    issuer: `${core.publicUrl()}/demo`,
  })
}

function makerOf(core: AppCore, { changeCampaign }: Flows): DemoMaker {
  const { ids, clock } = core
  return {
    createEnvironment: createCreateEnvironment(core),
    async publishCampaign(environment, definition, by) {
      const { id, key } = await changeCampaign.create(environment.id, definition, by)
      await changeCampaign.publish(environment.id, id, by)
      return { id, key }
    },
    ids,
    clock,
  }
}

function openLife(core: AppCore, at: number): DemoLife {
  const life = wireLife(core, at)
  const { changeCampaign } = life.flows
  return {
    maker: makerOf(life.core, life.flows),
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
