// Starts a cluster under the load of a ledger with users' widgets open, for tests that stop and start nodes.

import { expect } from 'vitest'
import type { Program } from '../../../tools/cluster/node.ts'
import { BUILT } from '../../../tools/cluster/start-cluster.ts'
import { buildEdge } from './edge-process.ts'
import { type ClusterOptions, type GivenCluster, givenCluster } from './given-cluster.ts'
import { type GivenLedger, givenLedger } from './given-ledger.ts'
import { type GivenWatchers, givenWatchers } from './given-watchers.ts'

export interface GivenBusyCluster {
  cluster: GivenCluster
  ledger: GivenLedger
  watchers: GivenWatchers
  /**
   * Fails when a request of the load had an unexpected answer. 503 is expected after a node counted PostgreSQL as
   * silent for 600 ms: a busy machine causes that, a restart does not.
   */
  expectNoFailures(): void
  close(): Promise<void>
}

/** The built edge alone: nodes that start often need not bundle the demo's pages. */
export const EDGE: Program = { ...BUILT, args: ['--max-semi-space-size=32', 'edge/dist/main.js'] }

/** Interval between calls of each caller, so that starting nodes get the processor, and fewer events are read back. */
export const CALLS_EVERY_MS = 50

/** Starts six callers, and two widgets of each user. */
export async function givenBusyCluster(seed: number, options: ClusterOptions = {}): Promise<GivenBusyCluster> {
  await buildEdge()
  const cluster = await givenCluster({ program: EDGE, ...options })
  try {
    const ledger = await givenLedger(cluster.url, cluster.demo, { seed, users: 60, workers: 6 })
    const watchers = await givenWatchers(cluster.url, ledger)
    return {
      cluster,
      ledger,
      watchers,
      expectNoFailures() {
        const silences = cluster.silences()
        const isRefusal = (what: string) => what === '503' || what.startsWith('service/')
        const unexpected = [...ledger.load.failures].filter(([what]) => silences === 0 || !isRefusal(what))
        expect(Object.fromEntries(unexpected)).toEqual({})
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
