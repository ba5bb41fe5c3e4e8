// Tests what pages do without HTTPS: they say that the browser kept no cookie, and offer what they cannot copy.

import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHROMIUM_FLAGS, programPath } from '../../tools/programs/programs.ts'
import { findFreePort } from '../../tools/servers/server-process.ts'
import { findViolationsAround, type GivenDashboard, givenDashboard, signIn, visit } from './given-dashboard.ts'

let given: GivenDashboard
/** Finds the name of another machine at this one: browsers keep no `Secure` cookie of it. */
let browser: Browser
let port: string

beforeAll(async () => {
  port = String(await findFreePort())
  given = await givenDashboard({ PORT: port, PUBLIC_URL: `http://nc.test:${port}` })
  const args = [...CHROMIUM_FLAGS, '--host-resolver-rules=MAP nc.test 127.0.0.1']
  browser = await chromium.launch({ executablePath: programPath('headlessChromium'), args })
})
afterAll(async () => {
  await browser?.close()
  await given?.stop()
})

test('a sign-in whose cookie the browser did not keep says so, with the way out', async () => {
  const { page, faults } = await visit({ browser }, `${given.url}/sign-in`)
  await signIn(page, given)
  await page.getByRole('alert').filter({ hasText: 'did not keep the cookie' }).waitFor()
  await page.getByRole('alert').filter({ hasText: 'PUBLIC_URL' }).waitFor()
  expect(await page.locator('.access').evaluate((form) => (form as HTMLElement).offsetWidth)).toBe(360)
  expect(await findViolationsAround(page)).toEqual([])
  // The browser says itself that it takes no such policy without HTTPS.
  expect(faults.filter((fault) => !fault.includes('Cross-Origin-Opener-Policy'))).toEqual([])
  await page.context().close()
})
