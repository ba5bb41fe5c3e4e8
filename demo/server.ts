// Serves the demo as a site: its page and a small backend that only uses the edge's public API. The edge passes on
// every request outside of the API.

import { fetchHandler, type NotificationClient } from '../sdk/node/index.ts'
import { createApiRoutes } from './backend/api-routes.ts'
import { createClient } from './backend/client.ts'
import { type DemoFile, ENVIRONMENTS, type EnvironmentName } from './backend/demo-file.ts'
import type { EdgeAnswer } from './backend/edge-api.ts'
import { addEnrichers } from './backend/enrichers.ts'
import { introduceShop } from './backend/introduce.ts'
import { createIsOwnHost } from './backend/own-host.ts'
import { loadPageFiles } from './backend/page-files.ts'

export interface DemoSiteOptions {
  demo: DemoFile
  /** Address of the edge for the backend: always HTTP, also in the same process. */
  edgeUrl: string
  /** Address of the edge for browsers. */
  publicUrl: string
  /** Address of this site for the edge's enricher calls. */
  siteUrl: string
  /** Whether a host without its port is this machine alone. */
  isLoopback(host: string): boolean
}

export interface DemoSite {
  /** @returns undefined for an unknown path, which the edge then answers with its own 404 */
  answer(request: Request): Promise<Response | undefined>
  /** Registers the demo's users, topic and enrichers by the public API. @returns the refused calls */
  introduce(): Promise<EdgeAnswer[]>
}

/** @throws when the page was not built */
export async function createDemoSite(options: DemoSiteOptions): Promise<DemoSite> {
  const { demo, edgeUrl, publicUrl, siteUrl } = options
  const files = await loadPageFiles(publicUrl)
  const clients: Record<EnvironmentName, NotificationClient> = {
    dev: addEnrichers(createClient(edgeUrl, demo.environments.dev)),
    prod: addEnrichers(createClient(edgeUrl, demo.environments.prod)),
  }
  const routes = createApiRoutes({
    demo,
    edgeUrl,
    publicUrl,
    clients,
    isOwnHost: createIsOwnHost(options),
    now: () => Date.now(),
  })

  async function answer(request: Request): Promise<Response | undefined> {
    const path = new URL(request.url).pathname
    if (path.startsWith('/demo/api/')) return routes.fetch(request)
    const asked = ENVIRONMENTS.find((environment) => path === enricherPath(environment))
    if (asked !== undefined) return fetchHandler(clients[asked])(request)
    const file = request.method === 'GET' || request.method === 'HEAD' ? files.find(path) : undefined
    if (file === undefined) return undefined
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(file.body), {
      headers: { 'content-type': file.type, ...files.headers },
    })
  }

  return { answer, introduce: () => introduceShop({ demo, edgeUrl, enricherUrl: siteUrl + enricherPath('dev') }) }
}

/** Returns the path of the shop's enrichers: one per environment, because each signs with its own secret. */
export function enricherPath(environment: EnvironmentName): string {
  return `/demo/enrichers/${environment}`
}
