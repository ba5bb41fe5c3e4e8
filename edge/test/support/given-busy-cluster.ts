// A cluster under the load of a ledger, with the widgets of its users open: what the tests that stop and start nodes begin with.

import type { Program } from '../../../tools/cluster/node.ts'
import { buildEdge } from './edge-process.ts'
import { type GivenCluster, givenCluster } from './given-cluster.ts'
import { type GivenLedger, givenLedger } from './given-ledger.ts'
import { type GivenWatchers, givenWatchers } from './given-watchers.ts'

export interface GivenBusyCluster {
  cluster: GivenCluster
  ledger: GivenLedger
  watchers: GivenWatchers
  close(): Promise<void>
}

/** `program`: what the nodes run at first, in place of what is built. */
export async function givenBusyCluster(seed: number, program?: Program): Promise<GivenBusyCluster> {
  await buildEdge()
  const cluster = await givenCluster({}, program)
  try {
    const ledger = await givenLedger(cluster.url, cluster.demo, { seed, users: 60, workers: 6 })
    const watchers = await givenWatchers(cluster.url, ledger)
    return {
      cluster,
      ledger,
      watchers,
      async close() {
        watchers.close()
        ledger.close()
        await cluster.close()
      },
    }
  } catch (error) {
    await cluster.close()
    throw error
  }
}
