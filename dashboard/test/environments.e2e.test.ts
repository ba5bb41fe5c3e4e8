// Tests the pages of environments: creation, settings, typed confirmations, the check of tokens, copies, and where people begin.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NotificationClient } from '../../sdk/node/index.ts'
import { findViolations, type GivenDashboard, givenDashboard, signIn, visit, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click()
const dialog = (page: Page) => page.locator('wa-dialog[open]')
const dev = () => given.demo.environments.dev.id
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('without an environment in the address, people begin where events are, then where they were last', async () => {
  const start = `${given.url}/org/${given.demo.organisation.id}/app/inbox`
  const { page, faults } = await visit(given, start)
  await given.track({ name: 'order.shipped', userId: 'u_1', properties: { orderId: 'A-1', summary: 'Fern', total: 4 } })
  await signIn(page, given)
  await page.getByRole('button', { name: 'Environment: dev' }).waitFor()
  await page.getByRole('button', { name: 'Environment: dev' }).click()
  await page.getByText('prod (production)').click()
  await page.getByRole('button', { name: 'Environment: prod' }).waitFor()
  await page.goto(start)
  await page.getByRole('button', { name: 'Environment: prod' }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('an environment is created; its keys are shown once, and are nowhere afterwards', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('environments'), 'Environments')
  await page.getByRole('button', { name: 'Create an environment' }).click()
  await dialog(page).getByLabel('Name').fill('staging')
  await dialog(page).getByLabel('Allowed origins').fill('no origin')
  await dialog(page).getByRole('button', { name: 'Create' }).click()
  await dialog(page).getByText('is no origin such as').waitFor()
  await dialog(page).getByLabel('Allowed origins').fill('https://a.example\nhttps://*.b.example')
  // The name of another one is a fault of its field, whatever its case.
  await dialog(page).getByLabel('Name').fill(' DEV')
  await dialog(page).getByRole('button', { name: 'Create' }).click()
  const fault = 'Another environment of this organisation has that name.'
  const isAtName = () =>
    dialog(page)
      .getByLabel('Name')
      .and(page.getByRole('textbox', { description: fault }))
      .count()
  await expect.poll(isAtName).toBe(1)
  expect(await findViolations(page)).toEqual([])
  await dialog(page).getByLabel('Name').fill('staging')
  await expect.poll(isAtName).toBe(0)
  await dialog(page).getByRole('button', { name: 'Create' }).click()
  const key = dialog(page).getByText(/^nc_sdk_/)
  await page.setViewportSize({ width: 360, height: 800 })
  await key.waitFor()
  const value = (await key.textContent()) ?? ''
  expect(await findViolations(page)).toEqual([])
  const box = await page.getByRole('dialog').boundingBox()
  expect([(box?.x ?? -1) >= 0, (box?.x ?? 0) + (box?.width ?? 999) <= 360]).toEqual([true, true])
  await page.setViewportSize({ width: 1440, height: 900 })
  // A slip does not lose the keys.
  await page.keyboard.press('Escape')
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => dialog(page).count()).toBe(0)
  expect(await page.content()).not.toContain(value)
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(value)
  const answer = await fetch(`${given.url}/v1/campaigns`, { headers: { authorization: `Bearer ${value}` } })
  expect(answer.status).toBe(200)

  await page.getByRole('link', { name: 'staging', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'staging' }).waitFor()
  expect(await page.getByLabel('Allowed origins').inputValue()).toBe('https://a.example\nhttps://*.b.example')
  await page.getByRole('button', { name: 'Environment: staging' }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('settings and limits are changed, a wrong one is explained, and the name is everywhere', async () => {
  const { page, faults } = await visitSignedIn(given, given.address(`environments/${dev()}`), 'dev')
  const access = card(page, 'Access')
  await access.getByLabel('Tokens must expire').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The access is changed.').waitFor()
  await tab(page, 'Limits')
  const limits = card(page, 'Limits')
  await limits.getByLabel('Sign-ins of the widget').fill('many')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await limits.getByText('enter a whole number from 1').waitFor()
  await limits.getByLabel('Sign-ins of the widget').fill('off')
  await limits.getByLabel('Recipients of tracked events').fill('5000')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The limits are changed.').waitFor()
  await page.getByRole('button', { name: 'Rename' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('develop')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'develop' }).waitFor()
  await page.getByRole('button', { name: 'Environment: develop' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'develop' }).waitFor()
  expect(await limits.getByLabel('Sign-ins of the widget').inputValue()).toBe('off')
  expect(await limits.getByLabel('Recipients of tracked events').inputValue()).toBe('5000')
  await tab(page, 'Access')
  expect(await access.getByLabel('Tokens must expire').isChecked()).toBe(true)
  await access.getByLabel('Tokens must expire').uncheck()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The access is changed.').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('disabling wants the name typed, refuses keys, and is taken back', async () => {
  const { id, sdkSecretKey } = given.demo.environments.prod
  const statusOf = async () =>
    (await fetch(`${given.url}/v1/campaigns`, { headers: { authorization: `Bearer ${sdkSecretKey}` } })).status
  const { page, faults } = await visitSignedIn(given, given.address(`environments/${id}`), 'prod')
  await page.getByRole('button', { name: 'Disable' }).click()
  const disable = dialog(page).getByRole('button', { name: 'Disable' })
  expect(await disable.isDisabled()).toBe(true)
  await dialog(page).getByLabel(/^Type/).fill('prod')
  await disable.click()
  await page.getByText('prod is disabled.').waitFor()
  expect(await findViolations(page)).toEqual([])
  await expect.poll(statusOf).toBe(401)
  await page.getByRole('button', { name: 'Enable' }).click()
  await dialog(page).getByLabel(/^Type/).fill('prod')
  await dialog(page).getByRole('button', { name: 'Enable' }).click()
  await page.getByText('prod is enabled.').waitFor()
  await expect.poll(statusOf).toBe(200)
  expect(faults).toEqual([])
  await page.context().close()
})

test('a token is checked: accepted with its user, or refused with the precise reason', async () => {
  const { authSecretKey, sdkSecretKey } = given.demo.environments.dev
  const client = new NotificationClient({ authSecretKey, sdkSecretKey, baseUrl: given.url })
  const token = client.generateHashedToken('u_7', { expiresAt: Date.now() + 3_600_000 })
  const { page, faults } = await visitSignedIn(given, given.address(`environments/${dev()}`), /^dev/)
  await tab(page, 'Sign-in')
  const check = card(page, 'Check a token')
  await check.getByLabel('User ID').fill('u_7')
  await check.getByLabel('Token', { exact: true }).fill(token)
  await check.getByRole('button', { name: 'Check' }).click()
  await check.locator('.badge', { hasText: 'Accepted' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await check.getByLabel('User ID').fill('u_8')
  await check.getByRole('button', { name: 'Check' }).click()
  await check.locator('.badge', { hasText: 'Refused' }).waitFor()
  await check.getByText('auth/').waitFor()
  // Another type asks for no user ID.
  await check.getByLabel('Type').selectOption('jwt')
  await expect.poll(() => check.getByLabel('User ID').count()).toBe(0)
  await check.getByRole('button', { name: 'Check' }).click()
  await check.locator('.badge', { hasText: 'Refused' }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('a public key is registered, refused with the reason when it is wrong, and removed after a question', async () => {
  const { page, faults } = await visitSignedIn(
    given,
    given.address(`environments/${given.demo.environments.prod.id}`),
    'prod',
  )
  await tab(page, 'Sign-in')
  const key = card(page, 'Public key')
  await key.getByLabel('Algorithm').fill('ES256')
  await key.getByLabel('Key', { exact: true }).fill('no key')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await key.locator('.field-fault').waitFor()
  const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  await key.getByLabel('Key', { exact: true }).fill(JSON.stringify(await crypto.subtle.exportKey('jwk', publicKey)))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The public key is saved.').waitFor()
  await key.getByRole('button', { name: 'Remove' }).click()
  await dialog(page).getByRole('button', { name: 'Remove' }).click()
  await page.getByText('The public key is removed.').waitFor()
  expect(await key.getByLabel('Key', { exact: true }).inputValue()).toBe('')
  expect(faults).toEqual([])
  await page.context().close()
})

/** An admin asks for the approval of a campaign there. */
async function askInProd(key: string): Promise<void> {
  const account = await given.join('asker@example.com', 'admin')
  const { page } = await visitSignedIn(given, given.address(`environments/${dev()}`), /^dev/, {}, account)
  const prod = `${given.url}/v1/dashboard/environments/${given.demo.environments.prod.id}`
  const options = { headers: { 'x-nc-request': '1' } }
  await page.request.put(prod, { ...options, data: { requirePublishApproval: true } })
  const found = await page.request.get(`${prod}/campaigns?q=${key}`)
  const { data } = (await found.json()) as { data: { id: string; key: string }[] }
  const id = data.find((one) => one.key === key)?.id
  expect((await page.request.post(`${prod}/campaigns/${id}/publish`, options)).status()).toBe(200)
  await page.context().close()
}

test('campaigns are compared with another environment, then copied there', async () => {
  const { page, faults } = await visitSignedIn(given, given.address(`environments/${dev()}`), /^dev/)
  const id = given.demo.campaigns['order-shipped'] ?? ''
  const { draft } = await given.call<{ draft: object }>('GET', `/v1/campaigns/${id}`)
  await given.call('PUT', `/v1/campaigns/${id}`, { ...draft, name: 'Order on its way' })
  await given.call('POST', `/v1/campaigns/${id}/publish`)
  await askInProd('order-shipped')
  await tab(page, 'Copy campaigns')
  const copy = card(page, 'Copy campaigns')
  await copy.getByLabel('To', { exact: true }).selectOption('prod')
  await copy.getByRole('button', { name: 'Compare' }).click()
  await copy.getByText('Difference to prod').waitFor()
  const row = copy.locator('.difference tbody tr')
  await expect
    .poll(() => row.allInnerTexts())
    .toEqual([expect.stringMatching(/Changed\s+name\s+"Order shipped"\s+"Order on its way"/)])
  expect(await findViolations(page)).toEqual([])
  await copy.getByText('Ends the request of asker@example.com to publish it.').waitFor()
  await copy.getByRole('button', { name: 'Copy 1 campaign to prod' }).click()
  await dialog(page).getByText('The request of asker@example.com to publish ends').waitFor()
  await dialog(page).getByRole('button', { name: 'Copy' }).click()
  await copy.getByText('Copied to prod').waitFor()
  await expect.poll(() => dialog(page).count()).toBe(0)
  await copy.getByRole('button', { name: 'Compare' }).click()
  await copy.getByText('Difference to prod').waitFor()
  await expect.poll(() => row.count()).toBe(0)
  await copy.getByText('the same in both').waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

test('an environment is deleted by its typed name, with what that means in numbers', async () => {
  const { page, faults } = await visitSignedIn(given, given.address('environments'), 'Environments')
  await page.getByRole('button', { name: 'Create an environment' }).click()
  await dialog(page).getByLabel('Name').fill('short lived')
  await dialog(page).getByRole('button', { name: 'Create' }).click()
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'short lived', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'short lived' }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog(page).getByText('0 users, 0 messages, 0 campaigns').waitFor()
  const button = dialog(page).getByRole('button', { name: 'Delete' })
  expect(await button.isDisabled()).toBe(true)
  await dialog(page).getByLabel('to confirm').fill('short lived')
  expect(await findViolations(page)).toEqual([])
  await button.click()
  await page.getByText('short lived is deleted.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Environments' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'short lived', exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Environment: dev' }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})
