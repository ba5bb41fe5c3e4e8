// A page of Angular with zone.js: it becomes stable, and renders for the element's events, not for its timers and sockets.

import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type GivenSite, givenSite } from './given-site.ts'
import { has } from './has.ts'
import { bundle, type HostSite, serveHost } from './hosts/host-site.ts'
import { tagOf } from './mount.ts'

const PAGE = `${readFileSync(new URL('hosts/angular-page.ts', import.meta.url), 'utf8')}
import '../../dist/package/define.js'`

let site: GivenSite
let script: string
let context: BrowserContext
let page: Page
let host: HostSite
let userId = ''
let userNo = 0

beforeAll(async () => {
  site = await givenSite()
  // Angular needs the names of classes, and zone.js functions whose promises it can replace.
  script = await bundle(PAGE, { format: 'esm', target: 'es2016', keepNames: true })
})
afterAll(() => site?.stop())
beforeEach(async () => {
  userId = `angular-${++userNo}`
  const attributes = JSON.stringify({ 'base-url': site.edge.url, ...tagOf(site.edge, userId) })
  host = await serveHost((path) =>
    path === '/app.js'
      ? script
      : `<!doctype html><html lang="en"><head><meta charset="utf-8"><script>attributes = ${attributes}</script></head>
        <body><app-header></app-header><script type="module" src="/app.js"></script></body></html>`,
  )
  context = await site.browser.newContext()
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await page.goto(host.url)
  await has(page, 'state', 'ready')
})
afterEach(async () => {
  await context.close()
  await host.close()
})

const seen = () => page.evaluate(`({ ...ng.seen })`) as Promise<{ checks: number; arrived: number }>
const isStable = () => page.waitForFunction(`ng.isStable`)
const inside = (selector: string) => page.locator(`notification-center ${selector}`)

test('it becomes stable while the element has a socket and timers', async () => {
  await isStable()
})

test('an opening and a closing cause few renderings, and events cause theirs', async () => {
  await isStable()
  const before = await seen()
  await inside('[part~=bell]').click()
  await inside('[part~=empty]').waitFor()
  const opened = await seen()
  expect(opened.checks - before.checks).toBeLessThanOrEqual(3)
  await page.keyboard.press('Escape')
  await inside('.panel').waitFor({ state: 'hidden' })
  await site.edge.track({ name: 'usage.high', userId, properties: {} })
  await page.getByText('1 unread', { exact: true }).waitFor()
  const { checks, arrived } = await seen()
  expect(arrived).toBe(1)
  expect(checks).toBeGreaterThan(opened.checks)
  expect(checks - opened.checks).toBeLessThanOrEqual(6)
})
