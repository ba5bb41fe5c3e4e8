// Starts a real server with a new store on a free port, and a real Chromium, for the end-to-end tests.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import type { RunningEdge } from '../../edge/index.ts'
import type { DemoFile } from '../backend/demo-file.ts'
import { createEdgeApi, type EdgeApi } from '../backend/edge-api.ts'
import { startDemo } from '../start.ts'

export interface GivenDemo {
  edge: RunningEdge
  demo: DemoFile
  /** The dev environment, with its key. */
  dev: EdgeApi
  stop(): Promise<void>
}

/** @param seed Whether the first start writes a month of events (`true`), or leaves the inboxes empty. */
export async function givenDemo(seed: 'plain' | 'true' = 'plain'): Promise<GivenDemo> {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-e2e-'))
  const edge = await startDemo({
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    SEED_DEMO: seed,
  })
  const demo = edge.demo as DemoFile
  return {
    edge,
    demo,
    dev: createEdgeApi(edge.url, demo.environments.dev),
    async stop() {
      await edge.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export interface Visit {
  page: Page
  /** Violations of the page's policy, and uncaught errors. */
  faults: string[]
}

const SHOP_READY = '#widget-state[data-state="ready"]'

/** A person's browser: what one without a window opens in a mail does not count. */
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)'

/**
 * Opens a page as a new visitor (storage, cookies), with the widget signed in as that user. `ready` resolves when the
 * page is loaded; `prepare` runs before it.
 */
export async function visit(
  browser: Browser,
  url: string,
  userId = 'u_42',
  ready = SHOP_READY,
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    userAgent: `${AGENT} Chrome/${browser.version()} Safari/537.36`,
  })
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    if (/Content Security Policy|TrustedHTML|TrustedScript/i.test(text)) faults.push(`policy: ${text}`)
  })
  await page.addInitScript((chosen) => {
    // Also runs in the frame of a mail, which has no storage.
    if (window.origin === 'null') return
    localStorage.setItem(
      'loam-choice',
      JSON.stringify({ environment: 'dev', strategy: 'backendToken', userId: chosen }),
    )
    document.addEventListener('securitypolicyviolation', (event) => {
      throw new Error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`)
    })
  }, userId)
  await prepare(page)
  await page.goto(url)
  await page.locator(ready).waitFor()
  return { page, faults }
}

export const bell = (page: Page) => page.locator('#bell [part~="bell"]')
export const badge = (page: Page) => page.locator('#bell [part~="badge"]')
export const rows = (page: Page) => page.locator('#bell [part~="row"]')

/** Runs axe on the page. @returns what it finds, as text */
export async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const tool = Reflect.get(window, 'axe') as {
      run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
    }
    const { violations } = await tool.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
  })
}
