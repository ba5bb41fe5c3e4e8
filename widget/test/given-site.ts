// A site with the built script, a real edge behind it, and the browser that visits it: for tests that drive the browser from Node.

import { existsSync } from 'node:fs'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'
import { type GivenEdge, givenEdge } from '../../edge/test/support/given.ts'
import { CHROMIUM_FLAGS, programPath } from '../../tools/programs/programs.ts'
import { type HostPage, startHostPage } from '../gallery/host-page.ts'
import { publishSamples } from '../gallery/sample-inbox.ts'
import type { Line } from './browsers/line.ts'

export interface GivenSite {
  edge: GivenEdge
  host: HostPage
  browser: Browser
  stop(): Promise<void>
}

export interface SiteOptions extends NonNullable<Parameters<typeof givenEdge>[1]> {
  /** Scripts that the site itself has, by their paths. */
  files?: Record<string, string>
}

/** With the sample campaigns live, and no limits of rate; with a line, browsers reach the service by it alone. */
export async function givenSite(
  launch: LaunchOptions = {},
  line?: Line,
  { files, ...serve }: SiteOptions = {},
): Promise<GivenSite> {
  if (!existsSync(new URL('../dist/notification-center.js', import.meta.url))) throw new Error('build the widget first')
  const edge = await givenEdge({ RATE_LIMITS: 'off', ...(line && { PUBLIC_URL: line.url }) }, serve)
  line?.lead(edge.url)
  const host = await startHostPage(edge.url, line?.url, undefined, files)
  const executablePath = programPath('headlessChromium')
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS, ...launch })
  await publishSamples(edge)
  return {
    edge,
    host,
    browser,
    stop: async () => {
      await browser.close()
      await host.close()
      await edge.stop()
    },
  }
}
