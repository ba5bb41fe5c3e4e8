// A site with the built script, a real edge behind it, and the browser that visits it: for tests that drive the browser from Node.

import { existsSync, rmSync } from 'node:fs'
import type { Browser, LaunchOptions } from 'playwright-core'
import { type GivenEdge, givenEdge } from '../../edge/test/support/given.ts'
import { leaveBrowser, openBrowser, shareBrowser } from '../../tools/test/one-browser.ts'
import { type HostPage, startHostPage } from '../gallery/host-page.ts'
import { publishSamples } from '../gallery/sample-inbox.ts'
import type { Line } from './browsers/line.ts'

export interface GivenSite {
  edge: GivenEdge
  host: HostPage
  browser: Browser
  /** Closes what the file opened: a worker's next file may go on with the rest. */
  stop(): Promise<void>
}

export interface SiteOptions extends NonNullable<Parameters<typeof givenEdge>[1]> {
  /** Scripts that the site itself has, by their paths. */
  files?: Record<string, string>
}

let sharedServers: Promise<Pick<GivenSite, 'edge' | 'host'>> | undefined

/**
 * The edge and the browser that all files of a worker share: a file has users of its own, changes nothing of the environment,
 * and opens new contexts. With `launch` the browser is the file's own.
 */
export async function givenSite(launch?: LaunchOptions): Promise<GivenSite> {
  sharedServers ??= startSharedServers()
  const [servers, visitor] = await Promise.all([sharedServers, givenBrowser(launch)])
  return { ...servers, browser: visitor.browser, stop: visitor.leave }
}

/** A site whose edge is the file's own; with a line, browsers reach the service by it alone. */
export async function givenOwnSite(
  line?: Line,
  { files, launch, ...serve }: SiteOptions & { launch?: LaunchOptions } = {},
): Promise<GivenSite> {
  const [servers, visitor] = await Promise.all([startServers(line, { files, ...serve }), givenBrowser(launch)])
  return {
    ...servers,
    browser: visitor.browser,
    stop: async () => {
      await visitor.leave()
      await servers.host.close()
      await servers.edge.stop()
    },
  }
}

/** With the sample campaigns live, and no limits of rate. */
async function startServers(line?: Line, { files, ...serve }: SiteOptions = {}) {
  if (!existsSync(new URL('../dist/notification-center.js', import.meta.url))) throw new Error('build the widget first')
  const edge = await givenEdge({ RATE_LIMITS: 'off', ...(line && { PUBLIC_URL: line.url }) }, serve)
  line?.lead(edge.url)
  const host = await startHostPage(edge.url, line?.url, undefined, files)
  await publishSamples(edge)
  return { edge, host }
}

async function startSharedServers() {
  const servers = await startServers()
  process.once('exit', () => rmSync(servers.edge.dataDir, { recursive: true, force: true }))
  return servers
}

async function givenBrowser(launch?: LaunchOptions): Promise<{ browser: Browser; leave: () => Promise<void> }> {
  if (launch === undefined) return { browser: await shareBrowser(), leave: leaveBrowser }
  const browser = await openBrowser(launch)
  return { browser, leave: () => browser.close() }
}
