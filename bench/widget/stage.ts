// What the measurements of the widget stand on: an edge on SQLite with users and their messages, a site, and Chromium.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type CDPSession, launch, type Page } from 'puppeteer-core'
import { CHROMIUM_FLAGS, findChromium } from '../../tools/chromium.mjs'
import type { Bench } from '../benchmark.ts'
import { type Customer, createCustomer } from '../customer.ts'
import { ROOT } from '../edges.ts'
import { saturate } from '../load.ts'
import { type Site, startSite } from './site.ts'

export interface Visit {
  page: Page
  cdp: CDPSession
  /** What the page answers, by an expression over `bench` (in-page.mjs). */
  ask<T>(expression: string): Promise<T>
}

export interface VisitOptions {
  /** Who is signed in; without one the page has the script alone. */
  userId?: string
  /** A visitor with a cache and a storage that others have filled. */
  context?: BrowserContext
  /** 1.6 Mbit/s, 150 ms, a quarter of the processor. */
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

export async function setStage({ edges, say }: Bench): Promise<Stage> {
  const edge = await edges.start()
  const customer = createCustomer(edge.address, edge.dataDir)
  await customer.publishCampaign()
  const site = await startSite(edge.address)
  const browser = await launch({
    executablePath: await findChromium({ say }),
    args: CHROMIUM_FLAGS,
    headless: true,
    defaultViewport: VIEW,
  })
  say(await browser.version())
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
  if (options.isSlow === true) {
    await cdp.send('Network.enable')
    await cdp.send('Network.emulateNetworkConditions', SLOW_LINE)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  }
  const tag = options.userId === undefined ? undefined : asMarkup(customer.tag(options.userId))
  await page.goto(`${site.url}/${tag === undefined ? '' : `?tag=${encodeURIComponent(tag)}`}`)
  return { page, cdp, ask: (expression) => page.evaluate(expression) as Promise<never> }
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
