// Sets up the widget's measurements: an edge on SQLite with users and messages, a site, and Chromium.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type CDPSession, launch, type Page } from 'puppeteer-core'
import { CHROMIUM_FLAGS, programPath } from '../../tools/programs/programs.ts'
import type { Bench } from '../benchmark.ts'
import { type Customer, createCustomer } from '../customer.ts'
import { ROOT } from '../edges.ts'
import { saturate } from '../load.ts'
import { type Site, startSite } from './site.ts'

export interface Visit {
  page: Page
  cdp: CDPSession
  /** Evaluates an expression over `bench` (in-page.mjs) in the page. */
  ask<T>(expression: string): Promise<T>
}

export interface VisitOptions {
  /** The signed-in user; without one the page has the script alone. */
  userId?: string
  /** A visitor whose cache and storage earlier visits have filled. */
  context?: BrowserContext
  /** Limits the network to 1.6 Mbit/s and 150 ms, and the processor to a quarter. */
  isSlow?: boolean
}

export interface Stage {
  customer: Customer
  newContext(): Promise<BrowserContext>
  visit(options: VisitOptions): Promise<Visit>
  attributesOf(userId: string): Record<string, string>
  /** Tracks so many events for one user and waits until they are in the inbox. */
  fill(userId: string, count: number): Promise<void>
  close(): Promise<void>
}

const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const VIEW = { width: 1280, height: 800 }
const BATCH = 500
/** Without Chromium's own pages of the address bar: each new window starts two of them, which take a quarter of a second of processor time from the page that is measured. */
export const MEASURED_FLAGS = [...CHROMIUM_FLAGS, '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup']

export async function setStage({ edges, log }: Bench): Promise<Stage> {
  const edge = await edges.start()
  const customer = createCustomer(edge.address, edge.dataDir)
  await customer.publishCampaign()
  const site = await startSite(edge.address)
  const browser = await launch({
    executablePath: programPath('chromium'),
    args: MEASURED_FLAGS,
    headless: true,
    defaultViewport: VIEW,
  })
  log(await browser.version())
  return {
    customer,
    newContext: () => browser.createBrowserContext(),
    attributesOf: customer.tag,
    visit: (options) => visit(browser, site, customer, options),
    fill: (userId, count) => fill(edge.address, customer, userId, count),
    close: async () => {
      await browser.close()
      await site.close()
    },
  }
}

const IN_PAGE = readFileSync(join(ROOT, 'bench/widget/in-page.mjs'), 'utf8')

async function visit(browser: Browser, site: Site, customer: Customer, options: VisitOptions): Promise<Visit> {
  const context = options.context ?? (await browser.createBrowserContext())
  const page = await context.newPage()
  const cdp = await page.createCDPSession()
  await page.evaluateOnNewDocument(IN_PAGE)
  if (options.isSlow === true) await slowDown(cdp)
  const tag = options.userId === undefined ? undefined : asMarkup(customer.tag(options.userId))
  await page.goto(`${site.url}/${tag === undefined ? '' : `?tag=${encodeURIComponent(tag)}`}`)
  return { page, cdp, ask: (expression) => page.evaluate(expression) as Promise<never> }
}

/** Limits a page to the line and the quarter of the processor of a slow device. */
export async function slowDown(cdp: CDPSession): Promise<void> {
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', SLOW_LINE)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

const asMarkup = (attributes: Record<string, string>): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ')

async function fill(edgeUrl: string, customer: Customer, userId: string, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += BATCH) {
    const users = Array.from({ length: Math.min(BATCH, count - sent) }, () => userId)
    await saturate(edgeUrl, 1, { requests: 1 }, () => customer.trackBatch(users))
  }
}
