// Starts the edge with the demo shop as its site in this process: for `npm start`, screenshots and the end-to-end test.

import {
  isLoopback,
  isOnlyLocal,
  parseSettings,
  type RunningEdge,
  readNames,
  readWritten,
  startEdge,
} from '../edge/index.ts'
import { ORDER_DETAILS } from './backend/enrichers.ts'
import { createDemoSite, type DemoSite, enricherPath } from './server.ts'

/**
 * Starts the edge with its settings. Without SEED_DEMO it has a demo organisation where only this machine reaches it.
 * @throws the errors of `startEdge`
 */
export async function startDemo(
  env: Record<string, string | undefined>,
  writeLog?: (line: string) => void,
): Promise<RunningEdge> {
  let made: (site: DemoSite | undefined) => void = () => {}
  // Requests between the first listening and the first page wait for the page instead of getting a 404.
  const making = new Promise<DemoSite | undefined>((resolve) => {
    made = resolve
  })
  const settings = parseSettings(env)
  const isLocal = isOnlyLocal(settings)
  const named = readNames(env)
  const seed = readWritten(named.SEED_DEMO)
  const edge = await startEdge(
    { ...named, SEED_DEMO: seed ?? String(isLocal) },
    {
      site: async (request) => (await making)?.answer(request),
      // In prod, keys may not register enrichers: an operator does it there.
      seedEnrichers: { [ORDER_DETAILS]: enricherPath('prod') },
      ...(writeLog && { writeLog }),
    },
  )
  const { demo } = edge
  if (demo === null) {
    made(undefined)
    if (seed === undefined) edge.log.warn('demo not served: others can reach this server', { reason: HOW_TO_SERVE })
    return edge
  }
  if (!isLocal)
    edge.log.warn(
      'demo served at an open address or behind a proxy: anybody who reaches it may act as any of its users',
    )
  // One of several nodes may stop, so the shared address is used.
  const siteUrl = settings.redisUrl === null ? edge.url : edge.publicUrl
  const site = await createDemoSite({ demo, edgeUrl: edge.url, publicUrl: edge.publicUrl, siteUrl, isLoopback })
  made(site)
  const refused = await site.introduce()
  if (refused.length > 0) edge.log.warn('the demo could not register all that it has', { count: refused.length })
  return edge
}

const HOW_TO_SERVE = 'Set SEED_DEMO=true to serve it; anybody who reaches it may then act as any of its users.'
