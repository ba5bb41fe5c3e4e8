// `npm start`: the edge and the demo shop in one process. The shop is the edge's site, so `/` of the edge's port is the demo page.

import { runUntilSignal, startEdge } from '../edge/index.ts'
import { DEMO_CAMPAIGNS } from './campaigns/index.ts'
import { createDemoSite, type DemoSite } from './server.ts'

/** Settings are the edge's own (contract section 12); a checkout has the demo organisation unless told otherwise. */
async function start(env: Record<string, string | undefined>): Promise<void> {
  let site: DemoSite | undefined
  const edge = await startEdge(
    { ...env, SEED_DEMO: env.SEED_DEMO ?? 'true' },
    { site: async (request) => site?.answer(request), seedCampaigns: DEMO_CAMPAIGNS },
  )
  if (edge.demo !== null) {
    site = await createDemoSite({ demo: edge.demo, edgeUrl: edge.url, publicUrl: edge.publicUrl })
    const refused = await site.introducePeople()
    if (refused.length > 0) edge.log.warn('the demo could not register all of its users', { count: refused.length })
  }
  process.stdout.write(`\n  Demo   ${edge.publicUrl}/\n  API    ${edge.publicUrl}/docs\n  Store  ${edge.engine}\n\n`)
  await runUntilSignal(edge)
}

start(process.env).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
