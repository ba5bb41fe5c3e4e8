// Tests the shop below a path of a host: its pages, its backend, the bell and what links of messages open.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findFreePort } from '../tools/servers/server-process.ts'
import { leaveBrowser, shareBrowser } from '../tools/test/one-browser.ts'
import { startDemo } from './start.ts'
import { visit } from './test/browser.ts'

test('the shop works below the path of PUBLIC_URL, and asks nothing beside it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-path-'))
  const PORT = String(await findFreePort())
  const url = `http://127.0.0.1:${PORT}/notify`
  const edge = await startDemo({
    DATA_DIR: dataDir,
    PORT,
    PUBLIC_URL: url,
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    SEED_DEMO: 'plain',
  })
  const browser = await shareBrowser()
  try {
    const { page, faults } = await visit(browser, `${url}/`)
    const strays: string[] = []
    page.on('request', (request) => {
      if (!new URL(request.url()).pathname.startsWith('/notify/')) strays.push(request.url())
    })
    // Of pages of the shop, also as a new tab opens them.
    const links = await page.evaluate(() =>
      [...document.querySelectorAll('a[href^="/"]')].map((one) => one.getAttribute('href')),
    )
    expect(links.filter((href) => !href?.startsWith('/notify/'))).toEqual([])
    expect(links).toContain('/notify/care')
    await page.getByRole('link', { name: 'Care guide' }).first().click()
    expect(page.url()).toBe(`${url}/care`)
    await page.reload()
    await page.locator('#widget-state[data-state="ready"]').waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('link', { name: 'dashboard' }).click()
    await page.waitForURL(`${url}/sign-in`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(`${url}/themes`)
    await page.getByText('Meadow', { exact: true }).click()
    await page.goto(`${url}/gallery`)
    await page.locator('iframe').first().waitFor()
    expect([faults, strays]).toEqual([[], []])
  } finally {
    await leaveBrowser()
    await edge.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
