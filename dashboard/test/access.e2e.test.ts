// Tests every page with axe, light and dark, wide and narrow, and that none scrolls sideways.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenNc } from '../../edge/test/support/given-nc.ts'
import {
  findViolations,
  findViolationsAround,
  type GivenDashboard,
  givenDashboard,
  signIn,
  visit,
} from './given-dashboard.ts'

let given: GivenDashboard
let eventId: string
let messageId: string
let invitation: string
beforeAll(async () => {
  given = await givenDashboard()
  eventId = await given.track({
    name: 'order.shipped',
    userId: 'u_1',
    properties: { orderId: 'A-1', summary: 'Monstera', total: 48 },
  })
  const { data } = await given.call<{ data: { messageId: string }[] }>('GET', '/v1/deliveries')
  messageId = data[0]?.messageId ?? ''
  const command = `member invite --org ${given.demo.organisation.id} --email new@example.com --role viewer`
  const { link } = await givenNc(given.settings).json<{ link: string }>(command)
  invitation = link.split('#')[1] ?? ''
})
afterAll(() => given?.stop())

interface Place {
  name: string
  url: () => string
  isPublic?: true
  /** Text that shows that the page is complete. */
  sign: string | RegExp
}

const dev = () => given.demo.environments.dev.id
const prod = () => given.demo.environments.prod.id

const PLACES: Place[] = [
  { name: 'sign-in', url: () => `${given.url}/sign-in`, isPublic: true, sign: 'Forgot your password?' },
  {
    name: 'continue sign-in, nothing asked',
    url: () => `${given.url}/dashboard/continue-sign-in`,
    isPublic: true,
    sign: 'Begin again',
  },
  { name: 'forgot', url: () => `${given.url}/dashboard/forgot-password`, isPublic: true, sign: 'Request a link' },
  { name: 'reset', url: () => `${given.url}/dashboard/reset-password#x`, isPublic: true, sign: 'Set the password' },
  {
    name: 'invitation, gone',
    url: () => `${given.url}/dashboard/accept-invitation#x`,
    isPublic: true,
    sign: 'Ask for another invitation.',
  },
  {
    name: 'invitation',
    // Another address before the `#`: a page that is open does not read a new token.
    url: () => `${given.url}/dashboard/accept-invitation?open#${invitation}`,
    isPublic: true,
    sign: 'Join',
  },
  { name: 'home', url: () => given.address('home'), sign: 'The same as a table' },
  { name: 'home, empty', url: () => given.address('home', { env: prod() }), sign: 'No campaign has delivered' },
  { name: 'history', url: () => given.address('inbox'), sign: '1 delivery.' },
  { name: 'history, empty', url: () => given.address('inbox', { status: 'failed' }), sign: 'No delivery matches' },
  { name: 'delivery', url: () => given.address('inbox', { message: messageId }), sign: 'Event received' },
  { name: 'campaigns', url: () => given.address('campaigns'), sign: 'Order shipped' },
  {
    name: 'campaign',
    url: () => given.address(`campaigns/${given.demo.campaigns['order-shipped']}`),
    sign: 'Your order {orderId} is on its way',
  },
  {
    name: 'campaign, a step',
    url: () => given.address(`campaigns/${given.demo.campaigns.invoice}`, { step: 'size' }),
    sign: 'As it is written',
  },
  {
    name: 'campaign, funnel',
    url: () => given.address(`campaigns/${given.demo.campaigns['order-shipped']}`, { tab: 'funnel' }),
    sign: 'Messages that were delivered in this window',
  },
  {
    name: 'campaign, messages',
    url: () => given.address(`campaigns/${given.demo.campaigns['order-shipped']}`, { tab: 'messages' }),
    sign: 'In the list',
  },
  {
    name: 'campaign, versions',
    url: () => given.address(`campaigns/${given.demo.campaigns['order-shipped']}`, { tab: 'versions' }),
    sign: 'Definition of the draft',
  },
  { name: 'events', url: () => given.address('events'), sign: 'order.shipped' },
  { name: 'event', url: () => given.address(`events/${eventId}`), sign: 'Runs and messages' },
  { name: 'given up, empty', url: () => given.address('given-up'), sign: 'Nothing was given up' },
  { name: 'users', url: () => given.address('users'), sign: /^\d+ users?\.$/ },
  { name: 'users, none found', url: () => given.address('users', { q: 'nobody' }), sign: 'No user matches' },
  { name: 'user', url: () => given.address('users/u_1'), sign: 'What happened' },
  { name: 'environments', url: () => given.address('environments'), sign: 'Latest event' },
  ...['access', 'sandbox', 'limits', 'copy'].map((tab) => ({
    name: `environment, ${tab}`,
    url: () => given.address(`environments/${dev()}`, { tab }),
    sign: 'Copy campaigns',
  })),
  {
    name: 'environment, sign-in',
    url: () => given.address(`environments/${dev()}`, { tab: 'sign-in' }),
    sign: 'Check a token',
  },
  { name: 'environment, unknown', url: () => given.address('environments/env_x'), sign: 'Nothing here' },
  { name: 'secrets', url: () => given.address(`environments/${dev()}/secrets`), sign: 'SDK secret key' },
  { name: 'configs, empty', url: () => given.address('notification-configs'), sign: 'No notification configs yet' },
  { name: 'config, unknown', url: () => given.address('notification-configs/cfg_x'), sign: 'Nothing here' },
  { name: 'suppressions', url: () => given.address('suppressions'), sign: 'Look up a user or an address' },
  { name: 'suppressions, none', url: () => given.address('suppressions', { userId: 'u_1' }), sign: 'Not suppressed' },
  { name: 'enrichers, empty', url: () => given.address('enrichers'), sign: 'No enrichers yet' },
  { name: 'texts, empty', url: () => given.address('texts'), sign: 'No snippets yet' },
  { name: 'snippet, unknown', url: () => given.address('texts/snippets/nothing'), sign: 'Nothing here' },
  { name: 'enricher, unknown', url: () => given.address('enrichers/nothing'), sign: 'Nothing here' },
  { name: 'sources', url: () => given.address('sources'), sign: 'Demo Stripe' },
  { name: 'sources, empty', url: () => given.address('sources', { env: prod() }), sign: 'No sources yet' },
  {
    name: 'source',
    url: () => given.address(`sources/${given.demo.sources.stripe?.id}`),
    sign: 'Connect Stripe',
  },
  { name: 'source, unknown', url: () => given.address('sources/src_x'), sign: 'Nothing here' },
  { name: 'email, empty', url: () => given.address('email'), sign: 'No integrations yet' },
  { name: 'integration, unknown', url: () => given.address('email/nothing'), sign: 'Nothing here' },
  { name: 'settings', url: () => given.address('settings'), sign: 'Retention in days' },
  { name: 'audit log', url: () => given.address('audit-log'), sign: 'Load more' },
  { name: 'members', url: () => given.address('members'), sign: /^You$/ },
  { name: 'account', url: () => given.address('account'), sign: 'This one' },
  { name: 'nothing', url: () => given.address('nothing'), sign: 'Nothing here' },
]

test.each([1440, 360])('no page of %i px has a violation in light or dark, or scrolls sideways', async (width) => {
  const { page, faults } = await visit(given, `${given.url}/sign-in`, { viewport: { width, height: 800 } })
  const found: string[] = []
  async function look({ name, url, sign }: Place): Promise<void> {
    await page.goto(url())
    await page.getByText(sign).first().waitFor()
    found.push(...(await findViolationsAround(page, [width])).map((violation) => `${name}: ${violation}`))
  }
  for (const place of PLACES.filter(({ isPublic }) => isPublic)) await look(place)
  await page.goto(`${given.url}/sign-in`)
  await signIn(page, given)
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  for (const place of PLACES.filter(({ isPublic }) => !isPublic)) await look(place)
  expect(found).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

test.each(['light', 'dark'] as const)('%s: no tab of a delivery has a violation', async (colorScheme) => {
  const { page, faults } = await visit(given, given.address('inbox', { message: messageId }), { colorScheme })
  await signIn(page, given)
  for (const [tab, sign] of [
    ['Message', '[part~=body]'],
    ['Trace', '.trace-step'],
    ['Event', '[aria-label^=Tracked]'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    await page.locator('nc-delivery-view').locator(sign).first().waitFor()
    expect(await findViolations(page), tab).toEqual([])
  }
  expect(faults).toEqual([])
  await page.context().close()
})

test('opened menus and dialogs have no violation, and give the focus back', async () => {
  const { page, faults } = await visit(given, given.address('members'))
  await signIn(page, given)
  const account = page.getByRole('button', { name: /^Account:/ })
  await account.click()
  await page.getByText('Dark theme').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByText('Dark theme').click()
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
  const invite = page.getByRole('button', { name: 'Invite a member' })
  await invite.click()
  await page.getByLabel('E-mail address').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('wa-dialog[open]').count()).toBe(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Invite a member')
  expect(faults).toEqual([])
  await page.context().close()
})
