// The demo as a site: its page and its little backend, which uses the edge's public API alone. The edge hands it every request
// that is no API path (issue part 1, the demo page).

import { fetchHandler, type NotificationClient } from '../sdk/node/index.ts'
import { createApiRoutes } from './backend/api-routes.ts'
import { createClient } from './backend/client.ts'
import { type DemoFile, ENVIRONMENTS, type EnvironmentName } from './backend/demo-file.ts'
import type { EdgeAnswer } from './backend/edge-api.ts'
import { addEnrichers } from './backend/enrichers.ts'
import { introduceShop } from './backend/introduce.ts'
import { loadPageFiles } from './backend/page-files.ts'

export interface DemoSiteOptions {
  demo: DemoFile
  /** Where the backend reaches the edge: always by HTTP, also when both share a process. */
  edgeUrl: string
  /** Where browsers reach it. */
  publicUrl: string
  /** Where the edge reaches this site, for its enrichers. */
  siteUrl: string
}

export interface DemoSite {
  /** Undefined for a path that the demo does not know: the edge then answers its own 404. */
  answer(request: Request): Promise<Response | undefined>
  /** Registers the demo's users, topic and enrichers through the public API; answers what was refused. */
  introduce(): Promise<EdgeAnswer[]>
}

/** Throws when the page cannot be bundled. */
export async function createDemoSite({ demo, edgeUrl, publicUrl, siteUrl }: DemoSiteOptions): Promise<DemoSite> {
  const files = await loadPageFiles(publicUrl)
  const clients: Record<EnvironmentName, NotificationClient> = {
    dev: addEnrichers(createClient(edgeUrl, demo.environments.dev)),
    prod: addEnrichers(createClient(edgeUrl, demo.environments.prod)),
  }
  const routes = createApiRoutes({ demo, edgeUrl, clients, now: () => Date.now() })

  async function answer(request: Request): Promise<Response | undefined> {
    const path = new URL(request.url).pathname
    if (path === '/demo/jwks.json' || path.startsWith('/demo/api/')) return routes.fetch(request)
    const asked = ENVIRONMENTS.find((environment) => path === enricherPath(environment))
    if (asked !== undefined) return fetchHandler(clients[asked])(request)
    const file = request.method === 'GET' || request.method === 'HEAD' ? files.find(path) : undefined
    if (file === undefined) return undefined
    return new Response(request.method === 'HEAD' ? null : toBody(file.body), {
      headers: { 'content-type': file.type, ...files.headers },
    })
  }

  const enricherUrl = (environment: EnvironmentName) => siteUrl + enricherPath(environment)
  return { answer, introduce: () => introduceShop({ demo, edgeUrl, enricherUrl }) }
}

/** Where the edge calls the shop's enrichers: an address each, because each environment signs with its own secret. */
function enricherPath(environment: EnvironmentName): string {
  return `/demo/enrichers/${environment}`
}

function toBody(body: Uint8Array | string): BodyInit {
  return typeof body === 'string' ? body : new Uint8Array(body)
}
