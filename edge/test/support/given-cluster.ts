// Starts three edge processes on their own PostgreSQL and Redis behind the proxy, like `npm run cluster`.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Program } from '../../../tools/cluster/node.ts'
import { type Cluster, startCluster } from '../../../tools/cluster/start-cluster.ts'
import type { DemoFile } from '../../seed/demo-file.ts'
import { engineSettings } from './engine.ts'

export interface GivenCluster extends Cluster {
  demo: DemoFile
  /** Settings for external access to the store, like the command line's. */
  env: Record<string, string>
  /** URL of each node, without the proxy. */
  nodeUrls: string[]
  /** Number of times that a node counted PostgreSQL as silent and refused callers. */
  silences(): number
}

export interface ClusterOptions {
  /** First program of the nodes; default: the built demo. */
  program?: Program
  /** Creates the tables of this version before the start; default true. */
  withTables?: boolean
}

/** Starts the cluster. The edge must be built. */
export async function givenCluster({ program, withTables = true }: ClusterOptions = {}): Promise<GivenCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'nc-cluster-'))
  const engine = await engineSettings('postgres', { withTables })
  // Long enough that a proxy that was blocked for a moment stops using the node before it refuses.
  // An earlier version, which makes its own tables, may know no `plain`.
  const SEED_DEMO = withTables ? 'plain' : 'true'
  const settings = { SEED_DEMO, RATE_LIMITS: 'off', DRAIN_NOTICE: 'PT3S', ...engine.env }
  const cluster = await startCluster({ folder, nodes: 3, port: 0, env: settings, ...(program && { program }) })
  return {
    ...cluster,
    demo: JSON.parse(readFileSync(join(cluster.dataDir, 'demo.json'), 'utf8')) as DemoFile,
    env: { ...engine.env, DATA_DIR: cluster.dataDir },
    silences: () =>
      cluster.nodes.reduce((sum, _, index) => sum + countSilences(join(folder, `node-${index + 1}.log`)), 0),
    nodeUrls: cluster.nodes.map(({ port }) => `http://127.0.0.1:${port}`),
    async close() {
      await cluster.close()
      await engine.release()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Counts the refusals in the log of a node. */
function countSilences(logPath: string): number {
  return readFileSync(logPath, 'utf8').split('"reason":"silent"').length - 1
}
