// Starts the edge with the demo shop as its site in this process: for `npm start`, screenshots and the end-to-end test.

import { type RunningEdge, startEdge } from '../edge/index.ts'
import { ORDER_DETAILS } from './backend/enrichers.ts'
import { createDemoSite, type DemoSite, enricherPath } from './server.ts'

/**
 * Starts the edge with its settings; it has a demo organisation unless SEED_DEMO forbids it. @throws the errors of
 * `startEdge`
 */
export async function startDemo(env: Record<string, string | undefined>): Promise<RunningEdge> {
  let made: (site: DemoSite | undefined) => void = () => {}
  // Requests between the first listening and the first page wait for the page instead of getting a 404.
  const making = new Promise<DemoSite | undefined>((resolve) => {
    made = resolve
  })
  const edge = await startEdge(
    { ...env, SEED_DEMO: env.SEED_DEMO ?? 'true' },
    {
      site: async (request) => (await making)?.answer(request),
      // In prod, keys may not register enrichers: an operator does it there.
      seedEnrichers: { [ORDER_DETAILS]: enricherPath('prod') },
    },
  )
  const { demo } = edge
  if (demo === null) {
    made(undefined)
    return edge
  }
  // One of several nodes may stop, so the shared address is used.
  const siteUrl = env.REDIS_URL ? edge.publicUrl : edge.url
  const site = await createDemoSite({ demo, edgeUrl: edge.url, publicUrl: edge.publicUrl, siteUrl })
  made(site)
  const refused = await site.introduce()
  if (refused.length > 0) edge.log.warn('the demo could not register all that it has', { count: refused.length })
  return edge
}
