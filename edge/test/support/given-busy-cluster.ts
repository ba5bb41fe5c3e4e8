// A cluster under the load of a ledger, with the widgets of its users open: what the tests that stop and start nodes begin with.

import { expect } from 'vitest'
import type { Program } from '../../../tools/cluster/node.ts'
import { BUILT } from '../../../tools/cluster/start-cluster.ts'
import { buildEdge } from './edge-process.ts'
import { type ClusterWish, type GivenCluster, givenCluster } from './given-cluster.ts'
import { type GivenLedger, givenLedger } from './given-ledger.ts'
import { type GivenWatchers, givenWatchers } from './given-watchers.ts'

export interface GivenBusyCluster {
  cluster: GivenCluster
  ledger: GivenLedger
  watchers: GivenWatchers
  /**
   * Fails if a request of the load met anything but its answer. 503 is an answer where a node had given PostgreSQL up: that it is
   * silent for 600 ms may be the machine's doing, and restarts have nothing to do with it.
   */
  expectUntroubled(): void
  close(): Promise<void>
}

/** The edge by itself, as built: nodes that start many times need not bundle the pages of the demo each time. */
export const EDGE: Program = { ...BUILT, args: ['--max-semi-space-size=32', 'edge/dist/main.js'] }

/**
 * How often each of the callers asks while nodes start. As fast as they can, they would take the machine from them, and what they
 * have sent is to be read back.
 */
export const CALLS_EVERY_MS = 50

/** Six callers, and two widgets of each user. */
export async function givenBusyCluster(seed: number, wish: ClusterWish = {}): Promise<GivenBusyCluster> {
  await buildEdge()
  const cluster = await givenCluster({ program: EDGE, ...wish })
  try {
    const ledger = await givenLedger(cluster.url, cluster.demo, { seed, users: 60, workers: 6 })
    const watchers = await givenWatchers(cluster.url, ledger)
    return {
      cluster,
      ledger,
      watchers,
      expectUntroubled() {
        const silences = cluster.silences()
        const isRefusal = (what: string) => what === '503' || what.startsWith('service/')
        const met = [...ledger.load.troubles].filter(([what]) => silences === 0 || !isRefusal(what))
        expect(Object.fromEntries(met)).toEqual({})
      },
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
