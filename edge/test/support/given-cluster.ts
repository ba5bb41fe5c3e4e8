// Three real edge processes on a PostgreSQL and a Redis of their own, behind the proxy, as `npm run cluster` starts them.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Program } from '../../../tools/cluster/node.ts'
import { type Cluster, startCluster } from '../../../tools/cluster/start-cluster.ts'
import type { DemoFile } from '../../flow/seed-demo.ts'
import { engineSettings } from './engine.ts'

export interface GivenCluster extends Cluster {
  demo: DemoFile
  /** What reaches its store beside the nodes, as the command line does. */
  env: Record<string, string>
  /** Of each node itself, past the proxy. */
  nodeUrls: string[]
  /** How often a node has given PostgreSQL up because it did not answer in time, and refused callers. */
  silences(): number
}

export interface ClusterWish {
  /** What the nodes run at first; the built demo unless told otherwise. */
  program?: Program
  /** Whether the tables of this version are there before them; true unless told otherwise. */
  withTables?: boolean
}

/** The edge must be built. */
export async function givenCluster({ program, withTables = true }: ClusterWish = {}): Promise<GivenCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'nc-cluster-'))
  const engine = await engineSettings('postgres', { withTables })
  // The proxy looks away before a node refuses, also when it stands still for a moment.
  const settings = { SEED_DEMO: 'true', RATE_LIMITS: 'off', DRAIN_NOTICE: 'PT3S', ...engine.env }
  const cluster = await startCluster({ folder, nodes: 3, port: 0, env: settings, ...(program && { program }) })
  return {
    ...cluster,
    demo: JSON.parse(readFileSync(join(cluster.dataDir, 'demo.json'), 'utf8')) as DemoFile,
    env: { ...engine.env, DATA_DIR: cluster.dataDir },
    silences: () => cluster.nodes.reduce((sum, _, at) => sum + countSilences(join(folder, `node-${at + 1}.log`)), 0),
    nodeUrls: cluster.nodes.map(({ port }) => `http://127.0.0.1:${port}`),
    async close() {
      await cluster.close()
      await engine.release()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** In what its nodes have logged. */
function countSilences(logPath: string): number {
  return readFileSync(logPath, 'utf8').split('"reason":"silent"').length - 1
}
