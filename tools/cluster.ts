// Starts three edge processes with the demo on PostgreSQL and Redis behind HAProxy (`npm run cluster`); ctrl-c stops all.
// `npm run cluster -- --nodes 5 --port 8080 --folder /srv/cluster`; DATABASE_URL and REDIS_URL name running servers.

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { onStopSignal } from '../edge/index.ts'
import { runBuild } from './build/run-build.mjs'
import { type Cluster, startCluster } from './cluster/start-cluster.ts'
import { installPrograms } from './programs/install-programs.ts'
import type { ProgramName } from './programs/programs.ts'

const log = (line: string) => console.log(line)

interface Options {
  nodes: number
  port: number
  folder: string
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      nodes: { type: 'string', default: '3' },
      port: { type: 'string', default: process.env.PORT ?? '3000' },
      folder: { type: 'string', default: 'cluster-data' },
    },
  })
  const [nodes, port] = [Number(values.nodes), Number(values.port)]
  if (!Number.isInteger(nodes) || nodes < 1 || nodes > 30) throw new Error('--nodes: 1 to 30.')
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port: 0 to 65535.')
  return { nodes, port, folder: resolve(values.folder) }
}

/** @returns Undefined when `stop` came before the first server was started. */
async function start(options: Options, stop: AbortSignal): Promise<Cluster | undefined> {
  const { PORT: _taken, ...env } = process.env
  const own: ProgramName[] = [
    ...(env.DATABASE_URL === undefined ? (['postgres'] as const) : []),
    ...(env.REDIS_URL === undefined ? (['redis'] as const) : []),
  ]
  await installPrograms(['haproxy', ...own], { log })
  const status = stop.aborted ? null : await runBuild([], stop)
  if (stop.aborted) return undefined
  if (status !== 0) throw new Error('The build failed; see above.')
  return startCluster({ ...options, env, log })
}

async function run(): Promise<void> {
  const options = readOptions()
  const stopping = new AbortController()
  const starting = start(options, stopping.signal)
  onStopSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], (signal) => {
    log('Stopping; again ends it at once.')
    stopping.abort(signal)
    starting
      .then((cluster) => cluster?.close())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  })
  const cluster = await starting
  if (cluster === undefined || stopping.signal.aborted) return
  const lines = [
    `  Demo   ${cluster.url}/`,
    `  API    ${cluster.url}/docs`,
    `  Nodes  ${cluster.nodes.map(({ name, pid }) => `${name}: kill -9 ${pid}`).join(', ')}`,
    `  Logs   ${options.folder}`,
  ]
  log(`\n${lines.join('\n')}\n`)
}

run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
