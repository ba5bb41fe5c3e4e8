// Adds the process metrics of prom-client to /metrics, except those that block the event loop or are misnamed (docs/operations.md#metrics).

import { readdir, stat } from 'node:fs/promises'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'

/** Metrics that read all handles or files synchronously: 15,000 sockets blocked the event loop for 43 to 74 ms. */
const BLOCKING_METRICS = [
  'nodejs_active_handles',
  'nodejs_active_handles_total',
  'nodejs_active_resources',
  'nodejs_active_resources_total',
  'process_open_fds',
]
/** Repeats `nodejs_active_requests` under a name that ends like a counter's, which `promtool check metrics` refuses. */
const MISNAMED_METRIC = 'nodejs_active_requests_total'
const OPEN_FILES = '/proc/self/fd'

/** Adds, by the names that ready-made boards expect, memory, processor, event loop, garbage collection and, on Linux, open files. */
export function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  for (const name of [...BLOCKING_METRICS, MISNAMED_METRIC]) registry.removeSingleMetric(name)
  if (process.platform !== 'linux') return
  new Gauge({
    name: 'process_open_fds',
    help: 'Open files, including sockets.',
    registers: [registry],
    async collect() {
      this.set(await countOpenFiles().catch(() => Number.NaN))
    },
  })
}

/** Returns the size of the folder, which Linux sets since 6.2; else lists its files in the thread pool. */
async function countOpenFiles(): Promise<number> {
  const { size } = await stat(OPEN_FILES)
  return size > 0 ? size : (await readdir(OPEN_FILES)).length
}
