// Runs HAProxy with `deploy/proxies/haproxy-nodes.cfg` over nodes on this machine; it ends with this process (docs/operations.md#several-nodes).

import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programPath } from '../programs/programs.ts'
import { startCleanupProcess } from '../servers/cleanup-process.ts'
import { findFreePort, startServer } from '../servers/server-process.ts'

export interface ProxyOptions {
  /** Port to listen on; 0 chooses a free one. */
  port: number
  /** Ports of the nodes. */
  nodes: number[]
  /** Folder of its files, kept at the end. Default: a new temporary folder, removed at the end. */
  folder?: string
  /** Configuration with the addresses of an operator. Default: `haproxy-nodes.cfg`. */
  config?: string
}

export interface RunningProxy {
  /** URL of the proxy, without a trailing slash. */
  url: string
  /** Process id. */
  pid: number
  /** Returns the number of nodes that accept new work. */
  ready(): Promise<number>
  close(): Promise<void>
}

export const CONFIG = readFileSync(join(import.meta.dirname, '../../deploy/proxies/haproxy-nodes.cfg'), 'utf8')

/** Resolves when each node was probed once. @throws when HAProxy is not installed, or the port is in use */
export async function createProxy({ port, nodes, folder, config = CONFIG }: ProxyOptions): Promise<RunningProxy> {
  const path = programPath('haproxy')
  const [taken, state] = [port === 0 ? await findFreePort() : port, await findFreePort()]
  const home = folder ?? mkdtempSync(join(tmpdir(), 'nc-haproxy-'))
  mkdirSync(home, { recursive: true })
  const file = join(home, 'haproxy.cfg')
  writeFileSync(file, withAddresses(config, { port: taken, state, nodes }))
  const cleanup = startCleanupProcess(folder === undefined ? home : undefined)
  const rows = () => readState(`http://127.0.0.1:${state}/;csv`)
  const url = `http://127.0.0.1:${taken}`
  try {
    // In the foreground, and without sharing the port with another process.
    const args = ['-db', '-dR', '-f', file]
    const isReady = async () => isProbed(await rows().catch(() => []))
    const place = { folder: home, owner: undefined, cleanup }
    const server = await startServer(url, place, { path, args, isReady, stopSignal: 'SIGTERM' })
    return {
      url,
      pid: server.pid,
      ready: async () => (await rows()).filter(({ backend, status }) => backend === 'ready' && status === 'UP').length,
      async close() {
        await server.stop()
        await server.remove()
      },
    }
  } catch (error) {
    await cleanup.clear()
    throw error
  }
}

/** Replaces the addresses that an operator writes into the configuration. */
function withAddresses(config: string, ports: { port: number; state: number; nodes: number[] }): string {
  const servers = ports.nodes.map((port, at) => `  server node${at + 1} 127.0.0.1:${port}\n`).join('')
  return config
    .replace('bind :80\n', `bind 127.0.0.1:${ports.port}\n`)
    .replace('bind 127.0.0.1:8404\n', `bind 127.0.0.1:${ports.state}\n`)
    .replace(/( {2}server node.+\n)+/g, servers)
}

interface NodeState {
  backend: string
  /** `UP`, `DOWN` and others. */
  status: string
  /** Result of the last probe; `INI` before the first. */
  probe: string
}

/** Reads the state of the nodes in each backend from HAProxy's own page. */
async function readState(url: string): Promise<NodeState[]> {
  const [head = '', ...lines] = (await (await fetch(url)).text()).split('\n')
  const names = head.replace('# ', '').split(',')
  return lines.flatMap((line) => {
    const cells = line.split(',')
    const cell = (name: string) => cells[names.indexOf(name)] ?? ''
    const [backend, status, probe] = [cell('pxname'), cell('status'), cell('check_status')]
    return cell('svname').startsWith('node') ? [{ backend, status, probe }] : []
  })
}

/** HAProxy takes nodes for ready before it has probed them. */
function isProbed(nodes: NodeState[]): boolean {
  return nodes.length > 0 && nodes.every(({ probe }) => probe !== 'INI' && !probe.startsWith('*'))
}
