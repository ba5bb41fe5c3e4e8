// Adds the process metrics of prom-client to /metrics, without those that block the event loop longer with more sockets (docs/operations.md#metrics).

import { readdir, stat } from 'node:fs/promises'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'

const PREFIX = 'nc_'
/** Each reads all handles, or lists all files, synchronously: with 15,000 sockets one reading blocked the loop for 43 to 74 ms. */
const OF_EVERY_HANDLE = [
  'nodejs_active_handles',
  'nodejs_active_handles_total',
  'nodejs_active_resources',
  'nodejs_active_resources_total',
  'process_open_fds',
]
const OPEN_FILES = '/proc/self/fd'

/** Adds memory, processor, event loop, garbage collection and, on Linux, open files. */
export function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, prefix: PREFIX })
  for (const name of OF_EVERY_HANDLE) registry.removeSingleMetric(PREFIX + name)
  if (process.platform !== 'linux') return
  new Gauge({
    name: `${PREFIX}process_open_fds`,
    help: 'Open files, sockets among them.',
    registers: [registry],
    async collect() {
      this.set(await countOpenFiles().catch(() => Number.NaN))
    },
  })
}

/** Linux counts open files since 6.2; before, it reports 0, and a thread of the pool lists them. */
async function countOpenFiles(): Promise<number> {
  const { size } = await stat(OPEN_FILES)
  return size > 0 ? size : (await readdir(OPEN_FILES)).length
}
