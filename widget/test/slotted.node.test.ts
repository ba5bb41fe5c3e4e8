// What a page puts into slots and rows: its keys are its own, and the focus that it has is not lost.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NotificationCenter } from '../elements/notification-center.ts'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { mount } from './mount.ts'

let site: GivenSite
let users = 0

beforeAll(async () => {
  site = await givenSite()
})

afterAll(() => site?.stop())

/** What stands in a slot: elements by their names, `own-…` with a shadow root of their own. */
type Slotted = Record<string, string[]>

/** The element of a user with these things in its slots; `messages`: some, or none. */
async function placed(slotted: Slotted, messages = true): Promise<{ page: Page; userId: string }> {
  const userId = `slotted-${++users}`
  if (messages) await fillInbox(site.edge, userId)
  const page = await (await site.browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(site.host.url)
  await page.evaluate(defineOwn)
  await mount(page, site.edge, userId)
  await page.evaluate(fillSlots, slotted)
  await page.locator('notification-center[data-ready]').waitFor({ state: 'attached' })
  return { page, userId }
}

/** Runs in the page. */
function defineOwn(): void {
  for (const [name, mode] of Object.entries({ 'own-open': 'open', 'own-closed': 'closed' } as const)) {
    customElements.define(
      name,
      class extends HTMLElement {
        constructor() {
          super()
          this.attachShadow({ mode }).append(document.createElement('button'), document.createElement('input'))
        }
      },
    )
  }
}

/** Runs in the page. */
function fillSlots(slotted: Slotted): void {
  for (const [slot, names] of Object.entries(slotted)) {
    for (const name of names) {
      const made = document.createElement(name)
      made.slot = slot
      made.append('Own')
      document.querySelector('notification-center')?.append(made)
    }
  }
}

async function open(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector<NotificationCenter>('notification-center')?.show())
  await page.locator('notification-center [role=tab]').first().waitFor()
}

/** Where the focus is, through all shadow roots that can be seen into. */
const focus = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const path: string[] = []
    for (let at = document.activeElement; at; at = at.shadowRoot?.activeElement ?? null)
      path.push(at.getAttribute('part') ?? at.localName)
    return path.join(' ')
  })

test('the focus goes back to the bell from what stands in a slot', async () => {
  const { page } = await placed({ header: ['button'], footer: ['own-open'] })
  for (const own of ['button[slot=header]', 'own-open[slot=footer] button']) {
    await open(page)
    await page.locator(own).focus()
    await page.keyboard.press('Escape')
    await expect.poll(() => focus(page)).toBe('notification-center bell')
  }
  await page.context().close()
})

test('the focus in an own picture of an empty list stays in the panel when a message takes its place', {}, async () => {
  const { page, userId } = await placed({ empty: ['button'] }, false)
  await open(page)
  await page.locator('button[slot=empty]').focus()
  await site.edge.track({ name: 'usage.high', userId, properties: {} })
  await page.locator('notification-center article.row').waitFor()
  await expect.poll(() => focus(page)).toBe('notification-center panel')
  await page.keyboard.press('Escape')
  await expect.poll(() => focus(page)).toBe('notification-center bell')
  await page.context().close()
})

test.each([
  ['a bell with a shadow root of its own', ['own-open'], 'own-open button', 'own-open button'],
  ['the second of two bells', ['span', 'button'], 'button[slot=bell]', 'button'],
])('the focus goes back to %s', async (_name, bell, pressed, back) => {
  const { page } = await placed({ bell })
  await page.locator(pressed).click()
  await expect.poll(() => focus(page)).toBe('notification-center panel')
  await page.keyboard.press('Escape')
  await expect.poll(() => focus(page)).toBe(back)
  // One that is taken away is not waited for.
  await page.evaluate(() => {
    for (const own of document.querySelectorAll('[slot=bell]')) own.slot = ''
  })
  await open(page)
  await page.keyboard.press('Escape')
  await expect.poll(() => focus(page)).toBe('notification-center bell')
  await page.context().close()
})

test('what is typed in a slot is the page’s, also where nobody can see into', async () => {
  const { page } = await placed({ header: ['own-closed'] })
  await open(page)
  await page.locator('notification-center article.row').first().waitFor()
  // Its fields are reached by Tab alone.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  for (const key of ['?', 'x', 'j']) await page.keyboard.press(key)
  expect(await focus(page)).toBe('own-closed')
  await expect(page.locator('notification-center').locator('.keys, .bulk').count()).resolves.toBe(0)
  await page.context().close()
})

test('arrow keys go on from a control within an own row, whatever its class', async () => {
  const { page } = await placed({})
  for (const name of ['div', 'own-open']) {
    await page.evaluate((name) => {
      const center = document.querySelector<NotificationCenter>('notification-center')
      if (center === null) return
      center.renderRow = () => {
        const own = document.createElement(name)
        own.className = 'row'
        if (name === 'div') own.append(document.createElement('button'))
        return own
      }
    }, name)
    await open(page)
    await page.locator(`notification-center ${name}.row button`).nth(2).focus()
    await page.keyboard.press('ArrowDown')
    const place = () =>
      page.evaluate(() => {
        const shadow = document.querySelector('notification-center')?.shadowRoot
        return shadow?.activeElement?.getAttribute('aria-posinset')
      })
    await expect.poll(place).toBe('4')
  }
  await page.context().close()
})
