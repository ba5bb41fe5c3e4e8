// Tests that `npm run dev` serves the demo's page and that edited modules of page and widget reach it.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { CHROMIUM_FLAGS, programPath } from './programs/programs.ts'
import { findFreePort } from './servers/server-process.ts'

const root = resolve(import.meta.dirname, '..')
const PARTS = ['contract', 'dashboard', 'demo', 'edge', 'sdk', 'tools', 'widget']
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts']

/** Copies the checkout with its times, so that the copy's build is fresh: the test edits sources that other tests read. */
function copyCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), 'nc-dev-'))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  expect(spawnSync('cp', ['-a', ...PARTS, ...FILES, copy], { cwd: root }).status).toBe(0)
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

async function startDev(copy: string): Promise<string> {
  const port = await findFreePort()
  const env = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: join(copy, 'data'),
    LOG_LEVEL: 'error',
    SEED_DEMO: 'plain',
  }
  const dev = spawn(process.execPath, ['--import', 'tsx', 'tools/dev.ts'], { cwd: copy, env, stdio: 'ignore' })
  onTestFinished(async () => {
    dev.kill()
    if (dev.exitCode === null) await once(dev, 'exit')
  })
  const url = `http://127.0.0.1:${port}`
  const isThere = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isThere, { interval: 100 }).toBe(true)
  return url
}

function edit(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  writeFileSync(path, text.replace(from, to))
}

test('the page is served from sources, and an edit of the page or of the widget shows', async () => {
  const copy = copyCheckout()
  const url = await startDev(copy)
  const browser = await chromium.launch({ executablePath: programPath('headlessChromium'), args: CHROMIUM_FLAGS })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(40_000)
  await page.goto(url)
  // Signed in through the server behind, by the element that runs from its sources.
  await page.locator('#widget-state[data-state="ready"]').waitFor()
  expect(await page.locator('script[src*="widget/define.ts"]').count()).toBe(1)
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()

  edit(join(copy, 'widget/locales/en-bell.ts'), `notifications: 'Notifications'`, `notifications: 'Post'`)
  await page.getByRole('button', { name: 'Post', exact: true }).waitFor()

  edit(join(copy, 'demo/page/shop/home.ts'), 'Something green', 'Something blue')
  await page.getByRole('heading', { name: /^Something blue/ }).waitFor()
})
