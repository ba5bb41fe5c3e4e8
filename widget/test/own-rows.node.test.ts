// Rows that the page draws, in the built element: what is typed in them stays, whatever happens in the inbox meanwhile.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillInbox } from '../gallery/sample-inbox.ts'
import { type GivenSite, givenSite } from './given-site.ts'
import { mount } from './mount.ts'

let site: GivenSite

beforeAll(async () => {
  site = await givenSite()
})

afterAll(() => site?.stop())

/** Runs in the page: each row has a field for an answer, as chat-like sites have it, and the times it was drawn. */
function drawFields(): void {
  const drawn: Record<string, number> = {}
  Reflect.set(globalThis, 'drawn', drawn)
  const center = document.querySelector('notification-center')
  Reflect.set(center ?? {}, 'renderRow', ({ id, title }: { id: string; title: string }) => {
    drawn[id] = (drawn[id] ?? 0) + 1
    const all = document.createDocumentFragment()
    const [words, field, editor] = ['p', 'input', 'div'].map((tag) => document.createElement(tag))
    if (!words || !field || !editor) return all
    words.textContent = title
    field.className = 'answer'
    editor.className = 'editor'
    editor.contentEditable = 'true'
    all.append(words, field, editor)
    return all
  })
}

async function opened(userId: string): Promise<Page> {
  const { browser, edge, host } = site
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await page.goto(host.url)
  await fillInbox(edge, userId)
  await mount(page, edge, userId)
  await page.evaluate(drawFields)
  await page.locator('notification-center [part~=bell]').click()
  await page.locator('notification-center article.row').nth(6).waitFor()
  return page
}
async function markAllRead(page: Page): Promise<void> {
  await page.evaluate(`document.querySelector('notification-center').markAllRead()`)
  await page.locator('notification-center .mark-all[aria-disabled]').waitFor()
  // One frame more, in which the last change is drawn.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}
/** Which rows are in view at once depends on the fonts of the machine. */
async function allSeen(page: Page): Promise<void> {
  await rowsOf(page).last().scrollIntoViewIfNeeded()
  const unread = () =>
    page.evaluate(`document.querySelector('notification-center').messages.filter((m) => !m.readAt).length`)
  await expect.poll(unread).toBe(0)
  await rowsOf(page).first().scrollIntoViewIfNeeded()
}
const rowsOf = (page: Page) => page.locator('notification-center article.row')
const track = (userId: string) => site.edge.track({ name: 'usage.high', userId, properties: {} })

test.each(['.answer', '.editor'])(
  'what is typed in %s of a row stays, with the focus, while messages come and are read',
  async (selector) => {
    const userId = `typing${selector}`
    const page = await opened(userId)
    const id = await rowsOf(page).nth(1).getAttribute('data-id')
    const field = page.locator(`notification-center article.row[data-id="${id}"] ${selector}`)
    const words = () => field.evaluate((each) => (each instanceof HTMLInputElement ? each.value : each.textContent))
    await field.click()
    await page.keyboard.type('eeuhx')
    await track(userId)
    await rowsOf(page).nth(7).waitFor()
    await page.keyboard.type('?z')
    // The message itself changes: it was opened, or marked, in another tab.
    await markAllRead(page)
    await page.keyboard.type('eej')
    expect(await words()).toBe('eeuhx?zeej')
    expect(await rowsOf(page).count()).toBe(8)
    expect(await page.locator('notification-center [part~=detail]').count()).toBe(0)
    expect(await page.locator('notification-center .notice, notification-center .sheet').count()).toBe(0)
    await page.context().close()
  },
)

test('a row is drawn once for its message, and what was typed in it waits while another has the focus', {}, async () => {
  const userId = 'drawn-once'
  const page = await opened(userId)
  await allSeen(page)
  await markAllRead(page)
  const ids = await rowsOf(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id') ?? ''))
  const drawn = () => page.evaluate<Record<string, number>>('({ ...drawn })')
  const before = await drawn()
  await page.locator('notification-center .answer').nth(1).fill('wait for me')
  await rowsOf(page).nth(3).focus()
  await track(userId)
  await rowsOf(page).nth(7).waitFor()
  // Into the detail of another message, and back; into another tab, and back.
  await rowsOf(page).nth(4).locator('p').click()
  await page.locator('notification-center [part~=detail]').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('notification-center [role=tab]').nth(1).click()
  await page.locator('notification-center [role=tab]').first().click()
  await rowsOf(page).nth(7).waitFor()
  expect(await page.locator('notification-center .answer').nth(2).inputValue()).toBe('wait for me')
  const now = await drawn()
  // The opened one is another message to the page.
  const changed = await rowsOf(page).nth(4).getAttribute('data-id')
  for (const id of ids) if (id !== changed) expect(now[id], id).toBe(before[id])
  // Another function draws all of them anew.
  await page.evaluate(drawFields)
  await expect.poll(() => page.locator('notification-center .answer').nth(2).inputValue()).toBe('')
  await page.context().close()
})
