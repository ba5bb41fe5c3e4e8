// What is tried in each browser that the other tests of the dashboard do not use: sign in, see every page, edit a campaign and publish it.

import { expect, test } from 'vitest'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import type { BrowserWindow, TestBrowser } from '../../../tools/test/browsers/driver.ts'
import { type GivenDashboard, givenDashboard } from '../given-dashboard.ts'

export interface Walk {
  given: GivenDashboard
  window: BrowserWindow
  close(): Promise<void>
}

export async function openWalk(openBrowser: () => Promise<TestBrowser>): Promise<Walk> {
  const given = await givenDashboard()
  const browser = await openBrowser()
  const window = await browser.openWindow()
  return {
    given,
    window,
    close: async () => {
      await browser.close()
      await given.stop()
    },
  }
}

const WAIT_MS = 30_000
const LOOK_EACH_MS = 50

const CAMPAIGN = {
  key: 'walked',
  name: 'Walked through',
  trigger: { event: 'order.walked' },
  steps: [{ id: 'tell', type: 'inbox', title: 'Before' }],
}

const TITLE = 'After {{ event.properties.number }}'

export function playDashboard(walk: () => Walk): void {
  test('signs in, and shows each page of the navigation without a fault', async () => {
    const { given, window } = walk()
    const { email, password } = given.demo.dashboard
    await window.goto(`${given.url}/dashboard/`)
    await window.evaluate(noteFaults)
    await write(window, 'E-mail address', email)
    await write(window, 'Password', password)
    await window.press('Enter')
    await untilHeading(window, 'Home')
    const pages = await window.evaluate(listPages)
    expect(pages.length).toBeGreaterThan(10)
    for (const page of pages) {
      await press(window, page)
      await untilSo(`${page} is shown`, () => window.evaluate(isCurrent, page))
      await untilSo(`${page} is loaded`, () => window.evaluate(isLoaded))
      expect(await window.evaluate(listFaults), page).toEqual([])
    }
  })

  test('a campaign is edited, published, and its message has the new title', async () => {
    const { given, window } = walk()
    const { id } = await given.call<CampaignAnswer>('POST', '/v1/campaigns', CAMPAIGN)
    const read = () => given.call<CampaignAnswer>('GET', `/v1/campaigns/${id}`)
    await window.goto(given.address(`campaigns/${id}/edit`))
    await untilHeading(window, CAMPAIGN.name)
    await window.evaluate(noteFaults)
    await press(window, 'Before', '[role=tree]')
    await write(window, 'Title', TITLE)
    await expect.poll(async () => (await read()).draft.steps, { timeout: WAIT_MS }).toMatchObject([{ title: TITLE }])
    await press(window, 'Publish')
    await press(window, 'Publish', 'wa-dialog[open]')
    await expect.poll(async () => (await read()).currentVersion, { timeout: WAIT_MS }).toBe(1)
    await given.track({ name: CAMPAIGN.trigger.event, userId: 'u_walked', properties: { number: 7 } })
    const titles = async () =>
      (await given.call<{ data: { title: string }[] }>('GET', '/v1/deliveries?userId=u_walked')).data.map(
        ({ title }) => title,
      )
    await expect.poll(titles, { timeout: WAIT_MS }).toEqual(['After 7'])
    expect(await window.evaluate(listFaults)).toEqual([])
  })
}

async function untilSo(what: string, isSo: () => Promise<boolean>): Promise<void> {
  await expect.poll(isSo, { message: what, timeout: WAIT_MS, interval: LOOK_EACH_MS }).toBe(true)
}

const untilHeading = (window: BrowserWindow, heading: string) =>
  untilSo(`the heading ${heading}`, () => window.evaluate(hasHeading, heading))

async function press(window: BrowserWindow, name: string, within = 'body'): Promise<void> {
  const { x, y } = await window.evaluate(placeOf, name, 'a, button, wa-button, [role=treeitem]', within)
  await window.clickAt(x, y)
}

/** Replaces what the field has, as a person does. */
async function write(window: BrowserWindow, label: string, text: string): Promise<void> {
  const { x, y } = await window.evaluate(placeOf, label, 'input, textarea, [role=textbox]', 'body')
  await window.clickAt(x, y)
  await window.press('Control+a')
  for (const char of text) await window.press(char)
}

/** Runs in the page: keeps what it refuses or does not catch. */
function noteFaults(): void {
  const faults: string[] = []
  Reflect.set(globalThis, 'faults', faults)
  addEventListener('error', ({ message }) => faults.push(message))
  addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason)))
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    faults.push(`${violatedDirective} ${blockedURI}`),
  )
}

/** Runs in the page. */
const listFaults = () => Reflect.get(globalThis, 'faults') as string[]

/** Runs in the page: the names of the navigation. */
const listPages = () => [...document.querySelectorAll('.nav-link span')].map(({ textContent }) => textContent ?? '')

/** Runs in the page. */
const isCurrent = (page: string) => document.querySelector('.nav-link[aria-current=page]')?.textContent?.trim() === page

/** Runs in the page: it has a heading, nothing is a placeholder, and no failure is shown. */
const isLoaded = () =>
  (document.querySelector('main h1')?.textContent ?? '') !== '' &&
  document.querySelector('main .bone, main .failure') === null

/** Runs in the page. */
const hasHeading = (heading: string) =>
  [...document.querySelectorAll('h1')].some(({ textContent }) => textContent?.includes(heading))

/** Runs in the page, once the thing is there and stands still: where a finger would press it. */
async function placeOf(name: string, selector: string, within: string): Promise<{ x: number; y: number }> {
  const listAll = (root: Document | ShadowRoot | Element): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => [each, ...(each.shadowRoot ? listAll(each.shadowRoot) : [])])
  const nameOf = (each: Element): string => {
    const labels =
      each instanceof HTMLInputElement || each instanceof HTMLTextAreaElement ? [...(each.labels ?? [])] : []
    const by =
      each
        .getAttribute('aria-labelledby')
        ?.split(' ')
        .map((id) => (each.getRootNode() as Document).getElementById(id)) ?? []
    const said = each.getAttribute('aria-label') ?? [...labels, ...by][0]?.textContent ?? each.textContent
    return said?.replace(/\s+/g, ' ').trim() ?? ''
  }
  const find = (): Element | undefined => {
    const found = [...document.querySelectorAll(within)]
      .flatMap(listAll)
      .filter((each) => each.matches(selector) && each.checkVisibility({ visibilityProperty: true }))
    return found.find((each) => nameOf(each) === name) ?? found.findLast((each) => nameOf(each).includes(name))
  }
  let [x, y, stillMs] = [0, 0, 0]
  for (const end = performance.now() + 25_000; stillMs < 200; ) {
    if (performance.now() > end) throw new Error(`There is no ${name}, it is off, or it does not stand still.`)
    const found = find()
    found?.scrollIntoView({ block: 'nearest' })
    const { left, top, width, height } = found?.getBoundingClientRect() ?? new DOMRect()
    const now = { x: left + width / 2, y: top + height / 2 }
    const isReady =
      width > 0 && now.x === x && now.y === y && found?.matches(':disabled, [aria-disabled=true]') === false
    stillMs = isReady ? stillMs + 25 : 0
    ;({ x, y } = now)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return { x, y }
}
