// What the process says of itself at /metrics: the numbers of prom-client, without those that take a turn of the loop as long as there are sockets (docs/metrics.md).

import { readdir, stat } from 'node:fs/promises'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'

const PREFIX = 'nc_'
/** Each asks all handles, or lists all files, at once: with 15,000 sockets one reading blocked the loop for 43 to 74 ms. */
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

/** The kernel counts them since 6.2; before, its 0 means to list them, which a thread of the pool does. */
async function countOpenFiles(): Promise<number> {
  const { size } = await stat(OPEN_FILES)
  return size > 0 ? size : (await readdir(OPEN_FILES)).length
}
