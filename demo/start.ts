// Starts the edge with the demo shop as its site, in this process: for `npm start`, the pictures and the end-to-end test.

import { type RunningEdge, startEdge } from '../edge/index.ts'
import { DEMO_CAMPAIGNS } from './campaigns/index.ts'
import { createDemoSite, type DemoSite } from './server.ts'

/**
 * Settings are the edge's own (contract section 12); there is a demo organisation unless SEED_DEMO says otherwise. Throws
 * what `startEdge` throws.
 */
export async function startDemo(env: Record<string, string | undefined>): Promise<RunningEdge> {
  let made: (site: DemoSite | undefined) => void = () => {}
  // Whoever comes between the first listening and the first page waits for it, rather than read that there is none.
  const making = new Promise<DemoSite | undefined>((resolve) => {
    made = resolve
  })
  const edge = await startEdge(
    { ...env, SEED_DEMO: env.SEED_DEMO ?? 'true' },
    { site: async (request) => (await making)?.answer(request), seedCampaigns: DEMO_CAMPAIGNS },
  )
  const { demo } = edge
  if (demo === null) {
    made(undefined)
    return edge
  }
  // One of several nodes may be gone; the address that they share goes on.
  const siteUrl = env.REDIS_URL ? edge.publicUrl : edge.url
  const site = await createDemoSite({ demo, edgeUrl: edge.url, publicUrl: edge.publicUrl, siteUrl })
  made(site)
  const refused = await site.introduce()
  if (refused.length > 0) edge.log.warn('the demo could not register all that it has', { count: refused.length })
  return edge
}
