// Starts the edge with the demo shop as its site, in this process: for `npm start`, the pictures and the end-to-end test.

import { type RunningEdge, startEdge } from '../edge/index.ts'
import { DEMO_CAMPAIGNS } from './campaigns/index.ts'
import { createDemoSite, type DemoSite } from './server.ts'

/**
 * Settings are the edge's own (contract section 12); there is a demo organisation unless SEED_DEMO says otherwise. Throws
 * what `startEdge` throws.
 */
export async function startDemo(env: Record<string, string | undefined>): Promise<RunningEdge> {
  let site: DemoSite | undefined
  const edge = await startEdge(
    { ...env, SEED_DEMO: env.SEED_DEMO ?? 'true' },
    { site: async (request) => site?.answer(request), seedCampaigns: DEMO_CAMPAIGNS },
  )
  if (edge.demo === null) return edge
  // One of several nodes may be gone; the address that they share goes on.
  const siteUrl = env.REDIS_URL ? edge.publicUrl : edge.url
  site = await createDemoSite({ demo: edge.demo, edgeUrl: edge.url, publicUrl: edge.publicUrl, siteUrl })
  const refused = await site.introduce()
  if (refused.length > 0) edge.log.warn('the demo could not register all that it has', { count: refused.length })
  return edge
}
