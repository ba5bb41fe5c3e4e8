// Measures live objects, closures and strings of a page by Chromium's heap snapshot. Compiled code is excluded,
// because it grows for about a hundred repetitions.

import type { CDPSession } from 'puppeteer-core'

const MADE_BY_THE_PAGE = new Set([
  'object',
  'closure',
  'array',
  'string',
  'concatenated string',
  'sliced string',
  'number',
  'bigint',
  'symbol',
  'regexp',
])

interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } }
  nodes: number[]
}

/** Returns the size of live objects; taking a snapshot collects garbage first. */
export async function objectBytes(cdp: CDPSession): Promise<number> {
  const chunks: string[] = []
  const take = ({ chunk }: { chunk: string }): void => void chunks.push(chunk)
  await cdp.send('HeapProfiler.enable')
  cdp.on('HeapProfiler.addHeapSnapshotChunk', take)
  await cdp.send('HeapProfiler.takeHeapSnapshot', {})
  cdp.off('HeapProfiler.addHeapSnapshotChunk', take)
  await cdp.send('HeapProfiler.disable')
  return sumOf(JSON.parse(chunks.join('')) as Snapshot)
}

function sumOf({ snapshot: { meta }, nodes }: Snapshot): number {
  const [type, size] = [meta.node_fields.indexOf('type'), meta.node_fields.indexOf('self_size')]
  const [types] = meta.node_types
  let bytes = 0
  for (let at = 0; at < nodes.length; at += meta.node_fields.length) {
    if (MADE_BY_THE_PAGE.has(types[nodes[at + type] ?? 0] ?? '')) bytes += nodes[at + size] ?? 0
  }
  return bytes
}
