// Tests the way from an empty installation to the dashboard: set-up, onboarding, keys; and the sign-in with a code.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningEdge, startEdge } from '../../edge/index.ts'
import { codeAt } from '../../edge/test/support/given-second-factor.ts'
import { leaveBrowser, shareBrowser } from '../../tools/test/one-browser.ts'
import { findViolations, visit } from './given-dashboard.ts'

const EMAIL = 'ada@example.com'
const PASSWORD = 'a long password'
let dataDir: string
let edge: RunningEdge
let browser: Browser

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'first-steps-'))
  const settings = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', RATE_LIMITS: 'off', SEED_DEMO: 'false' }
  edge = await startEdge(settings)
  browser = await shareBrowser()
})

afterAll(async () => {
  await leaveBrowser()
  await edge?.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function fillIn(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value)
}

/** Calls the API with the session of the page. */
const callAs = <T>(page: Page, path: string, body: object): Promise<T> =>
  page.evaluate(
    async ([path, body]) => {
      const headers = { 'content-type': 'application/json', 'x-nc-request': '1' }
      const answer = await fetch(`/v1/dashboard/auth/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!answer.ok) throw new Error(await answer.text())
      return answer.json()
    },
    [path, body] as const,
  )

test('an empty installation is set up once, leads through its first steps, and shows the keys', async () => {
  const { page, faults } = await visit({ browser }, `${edge.url}/sign-in`)
  await page.getByRole('heading', { name: 'Set up' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await fillIn(page, { Organisation: 'Engines', 'Your name': 'Ada', 'E-mail address': EMAIL, Password: PASSWORD })
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { name: 'Welcome to Engines' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  const site = page.getByLabel('Address of your site')
  await site.fill('app.example.com')
  await site.press('Enter')
  // At its field, once.
  const said = page.getByText(/is no origin such as/).filter({ visible: true })
  await said.first().waitFor()
  expect([await said.count(), await site.getAttribute('aria-invalid')]).toEqual([1, 'true'])
  await site.fill('')
  expect(await said.count()).toBe(0)
  await site.press('Enter')

  await page.getByRole('heading', { name: 'The keys of dev and prod' }).waitFor()
  expect(await page.getByText(/^nc_front_/).count()).toBe(2)
  expect(
    await page
      .getByText(/^<script src="http/)
      .first()
      .textContent(),
  ).toContain('api-key="nc_front_')
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Go to the dashboard' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  // The first visit shows what is not in production.
  await page.getByText('dev', { exact: true }).filter({ visible: true }).first().waitFor()
  expect(faults).toEqual([])

  await page.goto(`${edge.url}/dashboard/set-up`)
  await page.getByText('This installation is set up already.').waitFor()
  await page.context().close()
})

test('a person with one-time codes gives one after the password; a wrong one is refused', async () => {
  const first = await visit({ browser }, `${edge.url}/sign-in`)
  await fillIn(first.page, { 'E-mail address': EMAIL, Password: PASSWORD })
  await first.page.keyboard.press('Enter')
  await first.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  const { secret } = await callAs<{ secret: string }>(first.page, 'totp', { password: PASSWORD })
  const { recoveryCodes } = await callAs<{ recoveryCodes: string[] }>(first.page, 'totp/confirm', {
    code: codeAt(secret, Date.now()),
  })
  await first.page.context().close()

  const { page, faults } = await visit({ browser }, `${edge.url}/sign-in`)
  await fillIn(page, { 'E-mail address': EMAIL, Password: PASSWORD })
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('code')
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.type('not-a-code')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
  await page.getByLabel('Code').fill(recoveryCodes[0] as string)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})
