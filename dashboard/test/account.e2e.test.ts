// Tests the own account: one-time codes, recovery codes, passkeys and the password.

import { readFile } from 'node:fs/promises'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeAt } from '../../edge/test/support/given-second-factor.ts'
import { CHROMIUM_FLAGS, programPath } from '../../tools/programs/programs.ts'
import { findFreePort } from '../../tools/servers/server-process.ts'
import {
  findViolationsAround,
  type GivenDashboard,
  givenDashboard,
  signIn,
  visit,
  visitSignedIn,
} from './given-dashboard.ts'

let given: GivenDashboard
/** With WebAuthn, which the headless shell lacks. */
let browser: Browser

beforeAll(async () => {
  const port = String(await findFreePort())
  // Passkeys need a host name.
  given = await givenDashboard({ PORT: port, PUBLIC_URL: `http://localhost:${port}` })
  const args = [...CHROMIUM_FLAGS, '--log-level=3']
  browser = await chromium.launch({ executablePath: programPath('chromium'), args })
})
afterAll(async () => {
  await browser?.close()
  await given?.stop()
})

const dialog = (page: Page) => page.locator('wa-dialog[open]')
const account = () => given.address('account')

/** Opens the account page of a new member. */
async function openAccount(name: string) {
  const member = await given.join(`${name}@example.com`, 'viewer')
  const visited = await visitSignedIn(given, account(), 'Your account', {}, member)
  return { ...visited, member }
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

const codeField = (place: Page | Locator) => place.getByRole('textbox', { name: 'Code', exact: true })

async function prove(page: Page, password: string, code?: string): Promise<void> {
  await dialog(page).getByLabel('Your password').fill(password)
  if (code !== undefined) await codeField(dialog(page)).fill(code)
  await page.keyboard.press('Enter')
}

/** @returns The share of dark pixels of the QR code. */
const darkness = (page: Page): Promise<number> =>
  page.locator('canvas.qr-code').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
    const dark = [...data].filter((value, at) => at % 4 === 0 && value < 128)
    return dark.length / (data.length / 4)
  })

test('one-time codes are switched on by the keyboard, used, renewed and switched off; nothing secret stays in the page', async () => {
  const { page, faults, member } = await openAccount('codes')
  const codes = page.locator('nc-one-time-codes')
  await codes.getByRole('button', { name: 'Switch on' }).focus()
  await page.keyboard.press('Enter')
  await prove(page, 'not the password')
  await dialog(page).getByRole('alert').filter({ hasText: /\w/ }).waitFor()
  // A wrong password is not the end of the session.
  expect(new URL(page.url()).pathname).toContain('/app/account')
  await prove(page, member.password)
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('first-code')
  const share = await darkness(page)
  expect(share).toBeGreaterThan(0.2)
  expect(share).toBeLessThan(0.8)
  expect(await findViolationsAround(page)).toEqual([])
  const secret = (await codes.locator('.copyable code').textContent()) ?? ''
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await codes.getByRole('alert').filter({ hasText: 'wrong' }).waitFor()
  await codeField(page).fill(codeAt(secret, Date.now()))
  await page.keyboard.press('Enter')

  const shown = codes.locator('.code-list code')
  await expect.poll(() => shown.count()).toBe(10)
  expect(await page.content()).not.toContain(secret)
  expect(await findViolationsAround(page)).toEqual([])
  const recoveryCodes = await shown.allTextContents()
  const downloaded = page.waitForEvent('download')
  await codes.getByRole('button', { name: 'Download' }).click()
  expect(await readFile((await (await downloaded).path()) ?? '', 'utf8')).toBe(`${recoveryCodes.join('\n')}\n`)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: given.url })
  await codes.getByRole('button', { name: 'Copy' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${recoveryCodes.join('\n')}\n`)
  await codes.getByRole('button', { name: 'I have kept them' }).click()
  await codes.getByText('10 recovery codes are left.').waitFor()
  expect(await page.content()).not.toContain(recoveryCodes[0])

  await signOut(page)
  await page.goto(account())
  await signIn(page, given, member)
  await codeField(page).fill(recoveryCodes[0] ?? '')
  await page.keyboard.press('Enter')
  await codes.getByText('9 recovery codes are left.').waitFor()
  await codes.getByRole('button', { name: 'New recovery codes' }).click()
  await prove(page, member.password, recoveryCodes[1])
  await expect.poll(() => shown.count()).toBe(10)
  const renewed = await shown.allTextContents()
  expect(renewed).not.toContain(recoveryCodes[2])
  await codes.getByRole('button', { name: 'I have kept them' }).click()
  await codes.getByRole('button', { name: 'Switch off' }).click()
  await prove(page, member.password, recoveryCodes[2])
  await dialog(page).getByRole('alert').filter({ hasText: 'wrong' }).waitFor()
  await prove(page, member.password, renewed[0])
  await codes.getByRole('button', { name: 'Switch on' }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('a passkey is added, signs in without a password, gets another name, and is removed', async () => {
  const member = await given.join('passkey@example.com', 'viewer')
  const { page, faults } = await visit({ browser }, account(), {}, async (page) => {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const device = { protocol: 'ctap2', transport: 'internal' } as const
    const options = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...device, ...options, automaticPresenceSimulation: true },
    })
  })
  await signIn(page, given, member)
  const passkeys = page.locator('nc-passkeys')
  await passkeys.getByText('None yet.').waitFor()
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog(page).getByLabel('Name').fill('Laptop')
  await prove(page, member.password)
  await passkeys.locator('strong', { hasText: 'Laptop' }).waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  // The device has one of this account already.
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  await prove(page, member.password)
  await dialog(page).getByRole('alert').filter({ hasText: 'already' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog(page).count()).toBe(0)

  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await page.goto(account())
  await passkeys.getByText('last used').waitFor()
  await passkeys.getByRole('button', { name: 'Rename Laptop' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Desk')
  await page.keyboard.press('Enter')
  await passkeys.locator('strong', { hasText: 'Desk' }).waitFor()
  await expect.poll(() => dialog(page).count()).toBe(0)
  await passkeys.getByRole('button', { name: 'Remove Desk' }).click()
  await dialog(page).getByRole('button', { name: 'Remove' }).click()
  await passkeys.getByText('None yet.').waitFor()
  await expect.poll(() => dialog(page).count()).toBe(0)

  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('alert').filter({ hasText: 'not known' }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('a wrong password is refused in its place, and a new one ends the other sessions', async () => {
  const { page, faults, member } = await openAccount('password')
  const other = await visitSignedIn(given, account(), 'Your account', {}, member)
  const card = page.locator('nc-password')
  await card.getByLabel('Current password').fill('not the password')
  await card.getByLabel('New password').fill('another long password')
  await page.keyboard.press('Enter')
  await card.getByRole('alert').filter({ hasText: 'wrong' }).waitFor()
  await card.getByLabel('Current password').fill(member.password)
  await page.keyboard.press('Enter')
  await page.getByText('Your password is changed.').waitFor()
  await expect.poll(() => page.locator('.session').count()).toBe(1)
  await other.page.reload()
  await other.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect([...faults, ...other.faults]).toEqual([])
  await page.context().close()
  await other.page.context().close()
})
