// Tests the way from an empty installation to the first message, another organisation, and the sign-in with a code.

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningEdge, startEdge } from '../../edge/index.ts'
import { codeAt } from '../../edge/test/support/given-second-factor.ts'
import { leaveBrowser, shareBrowser } from '../../tools/test/one-browser.ts'
import { findViolations, findViolationsAround, visit } from './given-dashboard.ts'

const EMAIL = 'ada@example.com'
const PASSWORD = 'a long password'
const ROOT = join(import.meta.dirname, '../..')
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

/** The code of a block, with the keys in it. */
const codeOf = async (page: Page, name: string) =>
  (await page.getByRole('region', { name, exact: true }).allInnerTexts())[0] ?? ''
/** By standard input: a command line would show the keys. */
async function run(code: string, program: string, ...args: string[]): Promise<void> {
  const running = promisify(execFile)(program, args, { cwd: ROOT })
  running.child.stdin?.end(code)
  await running
}
/** The card of a step. */
const card = (page: Page, name: string) => page.locator('section.card', { has: page.getByRole('heading', { name }) })
const inbox = (page: Page) => page.locator('nc-live-inbox notification-center')

/** Signs a user in as the tag does. */
async function signIn(tag: string, userId: string, token: string): Promise<number> {
  const apiKey = /api-key="([^"]+)"/.exec(tag)?.[1]
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ apiKey, userId, token })
  return (await fetch(`${edge.url}/v1/users/auth`, { method: 'POST', headers, body })).status
}

test('an empty installation is set up once, and leads from the keys to a message in the inbox beside', async () => {
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
  await site.fill('https://app.example.com')
  expect(await said.count()).toBe(0)
  await site.press('Enter')

  await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor()
  // The page shows what is not in production.
  expect(await page.getByText('dev', { exact: true }).filter({ visible: true }).count()).toBeGreaterThan(0)
  expect(await page.getByText(/^nc_front_/).count()).toBe(2)
  expect(await page.getByText(/^nc_sdk_/).count()).toBe(2)
  await inbox(page).getByRole('region', { name: 'Notifications' }).waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await page.getByRole('button', { name: 'I have copied the keys' }).click()
  await page.getByText('Copied', { exact: true }).waitFor()

  const tag = await codeOf(page, 'tag')
  const tagCard = card(page, 'The tag on your page')
  await tagCard.getByText('Waiting for the first sign-in').waitFor()
  expect(await signIn(tag, 'USER_ID', 'x')).toBe(401)
  await tagCard.getByText('its token was refused').waitFor()
  // Into a file: the output of tests has no token.
  const printed = join(dataDir, 'token')
  await run(`{ ${await codeOf(page, 'token by Shell')}\n} > '${printed}'`, 'bash')
  const token = await readFile(printed, 'utf8')
  expect(await signIn(tag, 'USER_ID', token.trim())).toBe(200)
  await tagCard.getByText(/A widget signed in/).waitFor()

  await card(page, 'A campaign').getByRole('button', { name: 'Create and publish' }).click()
  await card(page, 'A campaign').getByText('Active', { exact: true }).waitFor()
  await run(await codeOf(page, 'first event by curl'), 'bash')
  await inbox(page).getByText('Your order A-1042 is on its way').waitFor()
  await page.getByText('The message is here').waitFor()
  await card(page, 'The first event')
    .getByText(/order\.shipped came/)
    .waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  expect(faults).toEqual([])

  // A later visit has the keys no more, and all else.
  await page.reload()
  await page.getByText('The message is here').waitFor()
  expect(await page.getByText(/nc_sdk_/).count()).toBe(0)
  expect(await codeOf(page, 'first event by curl')).toContain('YOUR_SDK_SECRET_KEY')
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()

  // Production has no test user, and an empty environment leads to the gallery.
  await page.getByRole('button', { name: 'Environment: dev' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'prod (production)' }).click()
  await page.getByRole('link', { name: 'Show the inbox on your page' }).click()
  await page.getByRole('link', { name: 'Try it in dev' }).waitFor()
  await page.getByRole('link', { name: 'Campaigns', exact: true }).click()
  await page.getByRole('link', { name: 'Choose from the gallery' }).click()
  await page.getByRole('heading', { level: 1, name: 'New campaign' }).waitFor()
  expect(faults).toEqual([])
  await page.goto(`${edge.url}/dashboard/set-up`)
  await page.getByText('This installation is set up already.').waitFor()
  await page.context().close()
})

test('another organisation is founded from the menu, and its first event sent by the SDK for Node', async () => {
  const { page, faults } = await visit({ browser }, `${edge.url}/sign-in`)
  await fillIn(page, { 'E-mail address': EMAIL, Password: PASSWORD })
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await page.getByRole('button', { name: 'Organisation: Engines' }).click()
  await page.getByRole('menuitem', { name: 'New organisation' }).click()
  await page.getByRole('heading', { name: 'New organisation' }).waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await page.keyboard.type('Looms')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Welcome to Looms' }).waitFor()
  await page.getByLabel('prod').uncheck()
  await page.getByRole('button', { name: 'Create the environments' }).click()
  await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor()
  await page.getByRole('button', { name: 'Organisation: Looms' }).waitFor()

  // Steps are done in any order: without a campaign the event is there, and no message.
  await page.getByRole('radio', { name: /Welcome/ }).check()
  await card(page, 'A campaign').getByRole('button', { name: 'Create and publish' }).click()
  await card(page, 'A campaign').getByText('Active', { exact: true }).waitFor()
  await card(page, 'The first event').getByRole('button', { name: 'Node' }).click()
  await run(await codeOf(page, 'first event by Node'), process.execPath, '--input-type=module')
  await inbox(page).getByText('Welcome, Ada').first().waitFor()
  await page.getByText('The message is here').waitFor()
  // The keys have not been copied.
  page.once('dialog', (dialog) => dialog.dismiss())
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  expect(new URL(page.url()).pathname).toMatch(/first-steps$/)
  expect(faults).toEqual([])
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
