// The look that a service sets for the users of an environment: it applies where the page sets nothing, and the page's own wins.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { givenNc } from '../../edge/test/support/given-nc.ts'
import { type GivenSite, givenOwnSite } from './given-site.ts'
import { mount } from './mount.ts'

const READY = 'notification-center[data-ready]'
const ACCENT = 'rgb(10, 95, 255)'
const WIDGET = {
  theme: 'dark',
  accentColor: '#0a5fff',
  texts: {
    de: { notifications: 'Neues', all: 'Alles', bell: { one: '{count} Neues', other: '{count} neue' } },
    fr: { notifications: 'Rien de neuf' },
  },
}
let site: GivenSite
let users = 0
const pages: Page[] = []

beforeAll(async () => {
  site = await givenOwnSite()
  const { edge } = site
  const cli = givenNc(edge.settings)
  const path = join(edge.dataDir, 'look.json')
  await writeFile(path, JSON.stringify({ name: 'Look', widget: WIDGET }))
  const { id } = await cli.json<{ id: string }>(`config create --org ${edge.demo.organisation.id} --from ${path}`)
  await cli.json(`env change --env ${edge.demo.environments.dev.id} --config ${id}`)
  while ((await edge.signIn('first')).appearance === null) await new Promise((resolve) => setTimeout(resolve, 50))
})

afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close()
})
afterAll(() => site?.stop())

/** A user of that locale, whose element is open on a light page. */
async function given(locale: string, attributes: Record<string, string> = {}, css = ''): Promise<Page> {
  const userId = `looker-${++users}`
  const key = site.edge.demo.environments.dev.sdkSecretKey
  await site.edge.call('PUT', `/v1/users/${userId}`, { key, body: { locale } })
  const page = await (await site.browser.newContext({ colorScheme: 'light' })).newPage()
  pages.push(page)
  await page.goto(site.host.url)
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets.push(sheet)
  }, css)
  await mount(page, site.edge, userId, attributes)
  await page.locator(READY).waitFor({ state: 'attached' })
  return page
}

/** Theme, accent and words as they are seen. */
async function looksOf(page: Page) {
  const bell = page.locator('notification-center [part~=bell]')
  const name = await bell.getAttribute('aria-label')
  await bell.click()
  const tab = page.locator('notification-center [role=tab]').first()
  await tab.waitFor()
  const scheme = await page
    .locator('notification-center [part~=panel]')
    .evaluate((panel) => getComputedStyle(panel).colorScheme)
  const accent = await tab.evaluate((tab) => getComputedStyle(tab, '::after').backgroundColor)
  const violations = await page.evaluate(() => Reflect.get(globalThis, 'violations') as string[])
  expect(violations).toEqual([])
  return { name, tab: (await tab.textContent())?.trim(), scheme, accent }
}

test('theme, accent and the texts of the user’s locale are the service’s where the page sets none', {}, async () => {
  const dark = { scheme: 'dark', accent: ACCENT }
  expect(await looksOf(await given('de-AT'))).toEqual({ name: 'Neues', tab: 'Alles', ...dark })
  expect(await looksOf(await given('fr'))).toEqual({ name: 'Rien de neuf', tab: 'All', ...dark })
})

test('a theme, an accent or texts of the page win, each for itself', async () => {
  expect(await looksOf(await given('de', { theme: 'light' }))).toMatchObject({ scheme: 'light', accent: ACCENT })
  for (const css of ['notification-center { --nc-accent: #0a7d4f }', ':root { --nc-accent: #0a7d4f }']) {
    const looks = await looksOf(await given('de', {}, css))
    expect(looks).toMatchObject({ name: 'Neues', scheme: 'dark', accent: 'rgb(10, 125, 79)' })
  }
  const page = await given('de')
  await page.evaluate(() => {
    const center = document.querySelector('notification-center')
    if (center) center.texts = { notifications: 'Post' }
  })
  await expect.poll(() => page.locator('notification-center [part~=bell]').getAttribute('aria-label')).toBe('Post')
  expect(await looksOf(page)).toEqual({ name: 'Post', tab: 'Alles', scheme: 'dark', accent: ACCENT })
})

/** One more tab of the same user, which needed no sign-in: the first one answers once its socket is up, and within 250 ms. */
async function answeredTab(page: Page): Promise<Page> {
  for (let tries = 0; tries < 10; tries++) {
    const other = await page.context().newPage()
    let signIns = 0
    other.on('request', (request) => {
      if (request.url().endsWith('/v1/users/auth')) signIns++
    })
    await other.goto(site.host.url)
    await mount(other, site.edge, `looker-${users}`)
    await other.locator(READY).waitFor({ state: 'attached' })
    if (signIns === 0) return other
    await other.close()
  }
  throw new Error('Each tab signed in by itself.')
}

test('a tab that another one answers has the look, too; a sign-out takes it away', async () => {
  const page = await given('de')
  const other = await answeredTab(page)
  expect(await looksOf(other)).toMatchObject({ name: 'Neues', scheme: 'dark', accent: ACCENT })
  await other.evaluate(() => document.querySelector('notification-center')?.signOut())
  const name = () => other.locator('notification-center [part~=bell]').getAttribute('aria-label')
  await expect.poll(name).toBe('Notifications')
  const scheme = () =>
    other.locator('notification-center [part~=panel]').evaluate((panel) => getComputedStyle(panel).colorScheme)
  await expect.poll(scheme).toBe('light dark')
})
