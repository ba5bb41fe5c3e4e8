// Tests the service below a path of a host, behind a real proxy that removes the path and one that keeps it.

import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { givenNc } from '../../edge/test/support/given-nc.ts'
import { CONFIG, createProxy, type RunningProxy } from '../../tools/cluster/proxy.ts'
import { findFreePort } from '../../tools/servers/server-process.ts'
import { type GivenDashboard, givenDashboard, signIn, visit } from './given-dashboard.ts'

const PATH = '/notify'
const RULE = '  http-request set-header X-Forwarded-For %[src]\n'
/** Nothing outside of the path reaches the service. */
const CLOSED = `  http-request deny deny_status 404 unless { path ${PATH} } or { path_beg ${PATH}/ }\n`
const PROXIES = {
  keeps: CLOSED,
  removes: `${CLOSED}  http-request replace-path ${PATH}(/.*)? \\1\n`,
}

describe.each(Object.entries(PROXIES))('behind a proxy that %s the path', (_, rules) => {
  let given: GivenDashboard
  let proxy: RunningProxy
  beforeAll(async () => {
    const [own, port] = [await findFreePort(), await findFreePort()]
    given = await givenDashboard({
      PORT: String(own),
      PUBLIC_URL: `http://127.0.0.1:${port}${PATH}`,
      TRUSTED_PROXIES: '1',
    })
    proxy = await createProxy({ port, nodes: [own], config: CONFIG.replace(RULE, RULE + rules) })
    await vi.waitUntil(async () => (await proxy.ready()) === 1, { timeout: 60_000 })
  })
  afterAll(async () => {
    await proxy?.close()
    await given?.stop()
  })

  /** Notes each answer that is no success, and each call beside the path. */
  function noteStrays(page: Page, strays: string[]): void {
    page.on('response', (answer) => {
      const { pathname } = new URL(answer.url())
      const isRefused = answer.status() >= 400 && !pathname.endsWith('/auth/me')
      if (isRefused || !pathname.startsWith(PATH)) strays.push(`${answer.status()} ${answer.url()}`)
    })
  }

  test('people sign in, go from page to page and come back, and the cookie is for the path alone', async () => {
    const strays: string[] = []
    const { page, faults } = await visit(given, `${given.url}/sign-in`, {}, async (one) => noteStrays(one, strays))
    await signIn(page, given)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`${PATH}/org/${given.demo.organisation.id}/app/home`)
    expect(new Set((await page.context().cookies()).map(({ path }) => path))).toEqual(new Set([PATH]))
    await page.getByRole('link', { name: 'Campaigns' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
    await page.goto(`${given.url}/dashboard`)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect([faults, strays]).toEqual([[], []])
    await page.context().close()
  })

  test('an invitation leads to its page, and somebody without a session to the sign-in and on', async () => {
    const command = `member invite --org ${given.demo.organisation.id} --email ada@example.com --role viewer`
    const { link } = await givenNc(given.settings).json<{ link: string }>(command)
    const { page } = await visit(given, link)
    await page.getByText('ada@example.com').first().waitFor()
    await page.goto(given.address('users'))
    await signIn(page, given)
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    await page.context().close()
  })

  test('the API reference opens, and its document names the address with the path', async () => {
    const strays: string[] = []
    const { page } = await visit(given, `${given.url}/docs`, {}, async (one) => noteStrays(one, strays))
    await page.getByRole('heading', { level: 1, name: 'Notification service' }).first().waitFor()
    const document = (await (await fetch(`${given.url}/openapi.json`)).json()) as { servers: unknown }
    expect(document.servers).toEqual([{ url: given.url }])
    expect(strays).toEqual([])
    await page.context().close()
  })

  test('a page with the script alone has its inbox, and a push reaches it', async () => {
    const strays: string[] = []
    const { page } = await visit(given, 'about:blank', {}, async (one) => noteStrays(one, strays))
    const { frontApiKey, authSecretKey } = given.demo.environments.dev
    const token = createHmac('sha256', authSecretKey).update('ada').digest('hex')
    const html = `<!doctype html><script src="${given.url}/widget/notification-center.js" async></script>
      <notification-center api-key="${frontApiKey}" user-id="ada" token="${token}"></notification-center>`
    const shop = `${new URL(given.url).origin}/shop/`
    await page.route(shop, (route) => route.fulfill({ contentType: 'text/html', body: html }))
    const opened = page.waitForEvent('websocket')
    await page.goto(shop)
    expect(new URL((await opened).url()).pathname).toBe(`${PATH}/v1/realtime/`)
    const { id } = await given.call<{ id: string }>('POST', '/v1/campaigns', {
      key: 'pushed',
      name: 'Pushed',
      trigger: { event: 'pushed.now' },
      steps: [{ id: 'tell', type: 'inbox', title: 'Pushed to you' }],
    })
    await given.call('POST', `/v1/campaigns/${id}/publish`)
    await given.track({ name: 'pushed.now', userId: 'ada' })
    await page.locator('notification-center').click()
    await page.getByText('Pushed to you').first().waitFor()
    expect(strays.filter((stray) => !stray.includes('/shop/'))).toEqual([])
    await page.context().close()
  })
})
