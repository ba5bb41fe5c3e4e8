// Starts three edge processes with the demo on PostgreSQL and Redis behind HAProxy (`npm run cluster`); ctrl-c stops all.
// `npm run cluster -- --nodes 5 --port 8080 --folder /srv/cluster`; DATABASE_URL and REDIS_URL name running servers.

import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { onStopSignal } from '../edge/index.ts'
import { startCluster } from './cluster/start-cluster.ts'
import { installPrograms } from './programs/install-programs.ts'
import type { ProgramName } from './programs/programs.ts'

const root = resolve(import.meta.dirname, '..')
const log = (line: string) => console.log(line)

function readOptions(): { nodes: number; port: number; folder: string } {
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

function build(): void {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'tools/build.ts'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('The build failed; see above.')
}

async function run(): Promise<void> {
  const options = readOptions()
  const { PORT: _taken, ...env } = process.env
  const own: ProgramName[] = [
    ...(env.DATABASE_URL === undefined ? (['postgres'] as const) : []),
    ...(env.REDIS_URL === undefined ? (['redis'] as const) : []),
  ]
  await installPrograms(['haproxy', ...own], { log })
  build()
  const starting = startCluster({ ...options, env, log })
  const stop = () => {
    log('Stopping; again ends it at once.')
    starting
      .then((cluster) => cluster.close())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  onStopSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], stop)
  const cluster = await starting
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
