// Tests the journey from a tracked event to the funnel in a real browser against a real server.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leaveBrowser, shareBrowser } from '../tools/test/one-browser.ts'
import { findOrder } from './backend/orders.ts'
import { badge, bell, findViolations, type GivenDemo, givenDemo, rows, visit } from './test/browser.ts'

let given: GivenDemo
let browser: Browser

beforeAll(async () => {
  given = await givenDemo()
  browser = await shareBrowser()
})

afterAll(async () => {
  await leaveBrowser()
  await given?.stop()
})

interface Stats {
  steps: { step: string; count: number; percentOfPrevious: number | null }[]
}

async function funnel(key: string): Promise<string[]> {
  const answer = await given.dev.get(`/v1/campaigns/${given.demo.campaigns[key]}/stats`)
  return (answer.body as Stats).steps.map(
    ({ step, count, percentOfPrevious }) => `${step} ${count} ${percentOfPrevious}`,
  )
}

/** Waits until the page's own funnel shows these counts. */
async function seeFunnel(page: Page, campaign: string, counts: string[]): Promise<void> {
  await page.getByRole('tab', { name: 'Funnel' }).click()
  await page.locator('#funnel-campaign option').first().waitFor({ state: 'attached' })
  await page.locator('#funnel-campaign').selectOption({ label: campaign })
  await expect.poll(() => page.locator('table.funnel').first().locator('.count').allTextContents()).toEqual(counts)
}

const order = (orderId: string, userId = 'u_42') => ({
  name: 'order.shipped',
  userId,
  properties: { orderId, summary: 'Monstera', total: 48 },
})

describe('the main job', () => {
  test('a tracked event becomes badge, read, opened and clicked, and the funnel says 100 % each', async () => {
    const { page, faults } = await visit(browser, given.edge.url)
    await page.locator('#send').click()
    await expect.poll(() => badge(page).textContent()).toBe('1')
    await page.getByText('1 message.').waitFor()

    await bell(page).click()
    await rows(page).first().waitFor()
    await expect.poll(() => badge(page).isVisible()).toBe(false)
    await expect
      .poll(() => funnel('order-shipped'))
      .toEqual(['delivery 1 null', 'read 1 100', 'opened 0 0', 'clicked 0 null'])

    await rows(page).first().locator('[part~="title"]').click()
    await page.locator('#bell [part~="detail"]').waitFor()
    await expect
      .poll(() => funnel('order-shipped'))
      .toEqual(['delivery 1 null', 'read 1 100', 'opened 1 100', 'clicked 0 0'])

    await page.locator('#bell [part~="detail"] a[href^="/orders/"]:not([href*="#"])').click()
    await page.getByRole('heading', { level: 1, name: /^Order L-/ }).waitFor()
    await expect
      .poll(() => funnel('order-shipped'))
      .toEqual(['delivery 1 null', 'read 1 100', 'opened 1 100', 'clicked 1 100'])

    await seeFunnel(page, 'Order shipped', ['1', '1', '1', '1'])
    expect(await page.locator('table.funnel').first().locator('.percent').allTextContents()).toEqual([
      '–',
      '100.0 %',
      '100.0 %',
      '100.0 %',
    ])
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('what goes by is shown: tracked event, requests, frames, delivery events and the element’s own', async () => {
    const { page } = await visit(browser, given.edge.url, 'u_watch')
    await page.locator('#send').click()
    await expect.poll(() => badge(page).textContent()).toBe('1')
    await bell(page).click()
    await page.getByRole('tab', { name: 'Watch' }).click()
    for (const text of [
      'order.shipped',
      'POST /v1/users/auth',
      '↓ inbox',
      /^send · msg_/,
      /^read · msg_/,
      'nc-arrive',
    ]) {
      await page.locator('#entries .title', { hasText: text }).first().waitFor()
    }
    const everything = await page.locator('#entries').textContent()
    expect(everything).not.toMatch(/"sessionToken":\s*"(?!•)/)
    expect(everything).not.toContain('nc_sdk_')
    await page.context().close()
  })
})

test('the workbench counts in the words of the element, and its funnel shows the campaign that was sent last', async () => {
  const { page, faults } = await visit(browser, given.edge.url, 'u_words')
  await given.dev.track(order('W-1', 'u_words'))
  await page.getByText('1 new · 1 unread', { exact: true }).waitFor()
  await bell(page).click()
  await page.getByText('0 new · 1 unread', { exact: true }).waitFor()
  await bell(page).click()

  const shownCampaign = () => page.locator('#funnel-campaign option:checked').textContent()
  await page.getByRole('tab', { name: 'Funnel' }).click()
  await page.locator('#funnel-campaign').selectOption({ label: 'Thirsty plant' })
  for (const [preset, name] of [
    ['Order shipped', 'Order shipped'],
    ['Invoice', 'Invoice (with branches)'],
  ] as const) {
    await page.getByRole('tab', { name: 'Send' }).click()
    await page.getByRole('button', { name: preset, exact: true }).click()
    await page.locator('#send').click()
    await page.getByText(/\d+ messages?\./).waitFor()
    await page.getByRole('tab', { name: 'Funnel' }).click()
    await expect.poll(shownCampaign).toBe(name)
  }
  // What a person chooses stays, until something else is sent.
  await page.locator('#funnel-campaign').selectOption({ label: 'Welcome' })
  await page.getByRole('tab', { name: 'Watch' }).click()
  await page.getByRole('tab', { name: 'Funnel' }).click()
  await expect.poll(shownCampaign).toBe('Welcome')
  expect(faults).toEqual([])
  await page.context().close()
})

describe('a demo with a month', () => {
  let lived: GivenDemo
  beforeAll(async () => {
    lived = await givenDemo('true')
  })
  afterAll(() => lived?.stop())

  test('its inbox is not empty, and what is sent goes on from there, to badge, list and funnel', async () => {
    const counts = async () =>
      ((await lived.dev.get(`/v1/campaigns/${lived.demo.campaigns['order-shipped']}/stats`)).body as Stats).steps.map(
        ({ count }) => count,
      )
    const [delivered = 0, read = 0, opened = 0, clicked = 0] = await counts()
    expect(delivered).toBeGreaterThan(100)
    const { page, faults } = await visit(browser, lived.edge.url)
    const before = Number(await badge(page).textContent())
    expect(before).toBeGreaterThan(1)
    await page.locator('#send').click()
    await expect.poll(() => badge(page).textContent()).toBe(String(before + 1))
    await bell(page).click()
    // Those in view are drawn: five or six, by the length of their texts, which the moment of the start chooses.
    await expect.poll(() => rows(page).count()).toBeGreaterThan(3)
    await expect.poll(async () => (await counts())[0]).toBe(delivered + 1)
    await rows(page).first().locator('[part~="title"]').click()
    await page.locator('#bell [part~="detail"] a[href^="/orders/"]:not([href*="#"])').click()
    await expect.poll(async () => (await counts())[3]).toBe(clicked + 1)
    const [, readNow = 0, openedNow] = await counts()
    expect(openedNow).toBe(opened + 1)
    expect(readNow).toBeGreaterThan(read)
    expect(faults).toEqual([])
    await page.context().close()
  })
})

describe('two users', () => {
  test('the second sees nothing of the first, on the same page and in a browser of their own', async () => {
    const first = await visit(browser, given.edge.url, 'u_7')
    await first.page.getByRole('tab', { name: 'Sign-in' }).click()
    await first.page.locator('#second').selectOption('u_108')
    const second = first.page.locator('#second-bell [part~="badge"]')
    const elsewhere = await visit(browser, given.edge.url, 'u_108')

    await given.dev.track(order('T-1', 'u_7'))
    await expect.poll(() => badge(first.page).textContent()).toBe('1')
    await first.page.locator('#second-bell [part~="bell"]').click()
    await bell(elsewhere.page).click()
    await elsewhere.page.locator('#bell [part~="empty"]').waitFor()
    await first.page.locator('#second-bell [part~="empty"]').waitFor()
    expect(await second.isVisible()).toBe(false)

    await given.dev.track(order('T-2', 'u_108'))
    await rows(elsewhere.page).first().waitFor()
    expect(await rows(elsewhere.page).count()).toBe(1)
    expect(await rows(elsewhere.page).first().textContent()).toContain('T-2')
    expect([...first.faults, ...elsewhere.faults]).toEqual([])
    await first.page.context().close()
    await elsewhere.page.context().close()
  })
})

describe('offline and back', () => {
  test('nothing is lost: what was opened meanwhile is reported, what arrived meanwhile is shown', async () => {
    const { page, faults } = await visit(browser, given.edge.url, 'u_offline')
    await given.dev.track(order('O-1', 'u_offline'))
    await expect.poll(() => badge(page).textContent()).toBe('1')
    const before = await funnel('order-shipped')

    await page.locator('#cut').click()
    await page.locator('#widget-state[data-state="offline"]').waitFor()
    await given.dev.track(order('O-2', 'u_offline'))
    await bell(page).click()
    await rows(page).first().locator('[part~="title"]').click()
    await page.locator('#bell [part~="detail"]').waitFor()
    const [delivery, , opened] = before.map((line) => Number(line.split(' ')[1]))
    expect(await funnel('order-shipped')).toContain(`delivery ${(delivery ?? 0) + 1} null`)

    await page.locator('#cut').click()
    await page.locator('#widget-state[data-state="ready"]').waitFor()
    await expect.poll(() => badge(page).textContent()).toBe('1')
    await bell(page).click()
    await expect.poll(() => rows(page).count()).toBe(2)
    const openedNow = async () => Number((await funnel('order-shipped'))[2]?.split(' ')[1])
    await expect.poll(openedNow).toBe((opened ?? 0) + 1)
    expect(faults).toEqual([])
    await page.context().close()
  })
})

describe('sign-in', () => {
  test.each(['backendToken', 'backendTokenV2', 'jwt', 'signedJwt'])(
    '%s signs in where it is registered',
    async (strategy) => {
      const { page, faults } = await visit(browser, given.edge.url)
      await page.getByRole('tab', { name: 'Sign-in' }).click()
      await page.locator('#strategy').selectOption(strategy)
      await page.getByRole('button', { name: /Aiko Tanaka/ }).click()
      await page.locator('#widget-state[data-state="ready"]').waitFor()
      await given.dev.track({
        name: 'plant.thirsty',
        userId: 'u_108',
        properties: { plant: strategy, slug: `plant-${strategy}` },
      })
      await bell(page).click()
      await rows(page)
        .filter({ hasText: `Your ${strategy} is thirsty` })
        .waitFor()
      expect(faults).toEqual([])
      await page.context().close()
    },
  )

  test('prod refuses a token of the identity provider, and the page says why', async () => {
    const { page } = await visit(browser, given.edge.url)
    await page.getByRole('tab', { name: 'Sign-in' }).click()
    await page.locator('#strategy').selectOption('jwt')
    await page.getByRole('radio', { name: 'prod' }).check()
    await page.locator('#banner', { hasText: 'auth/no-public-key-registered' }).waitFor()
    await page.locator('#widget-state[data-state="error"]').waitFor()
    await page.context().close()
  })
})

describe('an enricher of the shop', () => {
  test('an event that says a number alone ends as a message with what was bought', async () => {
    const { page, faults } = await visit(browser, given.edge.url, 'u_door')
    await page.getByRole('button', { name: 'Order delivered' }).click()
    const { orderId } = JSON.parse(await page.locator('#event-properties').inputValue()) as { orderId: string }
    await page.locator('#send').click()
    await expect.poll(() => badge(page).textContent()).toBe('1')
    await bell(page).click()
    await rows(page).first().locator('[part~="title"]').click()
    const order = findOrder(orderId)
    const bought = order?.lines.map(({ count, plant }) => `${count} × ${plant}`).join(', ')
    const detail = await page.locator('#bell [part~="detail"]').textContent()
    expect(detail).toContain(`Your order ${orderId} is at your door`)
    expect(detail).toContain(`${bought}: ${order?.total} EUR.`)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an order that the shop does not know is told without details, and the run says why', async () => {
    await given.dev.track({ name: 'order.delivered', userId: 'u_unknown', properties: { orderId: 'none' } })
    const { page } = await visit(browser, given.edge.url, 'u_unknown')
    await expect.poll(() => badge(page).textContent()).toBe('1')
    await bell(page).click()
    await rows(page).first().waitFor()
    expect(await rows(page).first().textContent()).toContain('Open it today')
    const { data } = (await given.dev.get('/v1/events?userId=u_unknown')).body as {
      data: { runs: { runId: string }[] }[]
    }
    const run = (await given.dev.get(`/v1/runs/${data[0]?.runs[0]?.runId}`)).body as { steps: object[] }
    expect(run.steps).toContainEqual(
      expect.objectContaining({ stepId: 'details', reason: expect.stringContaining('handler-error') }),
    )
    await page.context().close()
  })
})

describe('hostile text', () => {
  test('is shown as text, and its links are dropped', async () => {
    const { page, faults } = await visit(browser, given.edge.url, 'u_hostile')
    await page.getByRole('button', { name: 'Hostile text' }).click()
    await page.locator('#send').click()
    await bell(page).click()
    await rows(page).first().waitFor()
    expect(await rows(page).first().textContent()).toContain('<img src=x onerror=alert(1)>')
    expect(await page.locator('#bell a[href^="javascript"], #bell img[src^="javascript"]').count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })
})

describe('accessibility', () => {
  test('axe finds nothing in any tab of the workbench, light and dark, nor with the bell open', async () => {
    const { page } = await visit(browser, given.edge.url, 'u_axe')
    await page.locator('#send').click()
    await expect.poll(() => badge(page).textContent()).toBe('1')
    // A changed colour has its old value until the next frame, so the check repeats.
    const isAccessible = (where: string) => expect.poll(() => findViolations(page), { message: where }).toEqual([])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      for (const tab of ['Send', 'Watch', 'Mail', 'Funnel', 'Sign-in']) {
        await page.locator('.workbench').getByRole('tab', { name: tab }).click()
        await isAccessible(`${tab}, ${colorScheme}`)
      }
      await bell(page).click()
      await rows(page).first().waitFor()
      await isAccessible(`bell, ${colorScheme}`)
      await page.keyboard.press('Escape')
    }
    await page.context().close()
  })
})
