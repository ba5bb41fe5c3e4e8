// A part that did not come, in Firefox, which remembers the failure of a module for as long as the page lives: it is there when it is asked for again (docs/widget.md).

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../../../edge/test/support/given.ts'
import { findProgram } from '../../../tools/programs/programs.ts'
import type { TestBrowser } from '../../../tools/test/browsers/driver.ts'
import { openPuppeteer } from '../../../tools/test/browsers/puppeteer-browser.ts'
import { type HostPage, startHostPage } from '../../gallery/host-page.ts'
import { fillInbox, publishSamples } from '../../gallery/sample-inbox.ts'
import { type Line, openLine } from './line.ts'
import { startVisit, type Visit } from './visit.ts'

const firefox = findProgram('firefox')

describe.skipIf(firefox === undefined)('Firefox', () => {
  let line: Line
  let edge: GivenEdge
  let host: HostPage
  let browser: TestBrowser

  beforeAll(async () => {
    line = await openLine()
    edge = await givenEdge({ RATE_LIMITS: 'off', PUBLIC_URL: line.url })
    line.lead(edge.url)
    // The script comes by the line, too, and so do its parts.
    host = await startHostPage(line.url)
    await publishSamples(edge)
    browser = await openPuppeteer('firefox', firefox ?? '')
  })
  afterAll(async () => {
    await browser?.close()
    await host?.close()
    await line?.close()
    await edge?.stop()
  })

  async function visit(userId: string): Promise<Visit> {
    await fillInbox(edge, userId)
    const { frontApiKey, authSecretKey } = edge.demo.environments.dev
    const token = createHmac('sha256', authSecretKey).update(userId).digest('hex')
    const attributes = { 'api-key': frontApiKey, 'user-id': userId, token }
    return startVisit(await browser.openWindow(), { url: host.url, attributes })
  }

  test('settings that did not come are there with the next press', async () => {
    const page = await visit('settings')
    await page.until('ready', ({ state }) => state === 'ready')
    await page.click('[part~=bell]')
    await page.until('rows', ({ rows }) => rows.length > 0)
    line.cut()
    await page.click('.gear')
    await page.until('a word of it', ({ notice }) => notice !== null)
    line.mend()
    await page.click('.gear')
    const { switches } = await page.until('settings', (seen) => seen.switches > 0)
    expect(switches).toBeGreaterThan(0)
    await page.close()
  })
})
