// Categories as tabs, in real Chromium against the real edge.

import { assert } from 'chai'
import {
  assertAccessible,
  flood,
  newUser,
  openPanel,
  part,
  parts,
  place,
  press,
  removeAll,
  until,
} from '../../test/given-widget.ts'
import type { NotificationCenter } from '../notification-center.ts'

const tabs = (center: NotificationCenter): HTMLElement[] => [
  ...(part(center, 'tabs')?.querySelectorAll<HTMLElement>('[role=tab]') ?? []),
]
const names = (center: NotificationCenter) => tabs(center).map((tab) => tab.textContent?.trim())
const titles = (center: NotificationCenter) =>
  parts(center, 'row').map((row) => row.querySelector('.title')?.textContent)

suite('categories', () => {
  teardown(removeAll)

  test('several are tabs between the filters, by the names that people gave them; a tab has its own pages', async () => {
    const user = newUser()
    await flood(user, 3, 'product-news')
    await flood(user, 2, 'billing')
    await flood(user, 30, 'orders')
    const center = await place(user)
    await openPanel(center, 5)
    await until('names', () => names(center).includes('All') === true)
    // The first page has orders alone.
    assert.lengthOf(tabs(center), 4)
    press(center, 'End')
    await until('categories', () => tabs(center).length === 7)
    await until('names', () => names(center).includes('Invoices and payments'))
    assert.deepEqual(names(center).slice(2, 5), ['Invoices and payments', 'Product news', 'Your orders'])
    await assertAccessible(center)

    tabs(center)[3]?.click()
    await until('news alone', () => parts(center, 'row').length === 3)
    assert.deepEqual(titles(center), ['Number 3', 'Number 2', 'Number 1'])
    assert.equal(tabs(center)[3]?.getAttribute('aria-selected'), 'true')
    await flood(user, 1, 'billing')
    await until('an arrival of another category', () => center.messages.length === 36)
    assert.lengthOf(parts(center, 'row'), 3)
    await flood(user, 1, 'product-news')
    await until('an arrival of this one', () => parts(center, 'row').length === 4)
    await assertAccessible(center)
  })

  test('where there is no room, keys and the wheel reach every tab', async () => {
    const user = newUser()
    for (const name of ['product-news', 'billing', 'orders']) await flood(user, 1, name)
    const center = await place(user)
    center.style.setProperty('--nc-panel-width', '300px')
    await openPanel(center, 3)
    await until('tabs', () => tabs(center).length === 7)
    // Names that come later put the tabs into another order.
    await until('names', () => names(center).includes('Invoices and payments'))
    const line = part(center, 'tabs') as HTMLElement
    assert.isAbove(line.scrollWidth, line.clientWidth)
    const isInside = (tab: HTMLElement): boolean => {
      const [box, room] = [tab.getBoundingClientRect(), line.getBoundingClientRect()]
      return box.left >= room.left - 1 && box.right <= room.right + 1
    }
    tabs(center)[0]?.focus()
    for (let at = 1; at < 7; at++) {
      press(center, 'ArrowRight')
      const tab = center.shadowRoot?.activeElement as HTMLElement
      assert.equal(tabs(center).indexOf(tab), at)
      await until(`tab ${at} in view`, () => isInside(tab))
    }
    press(center, 'Home')
    await until('the first', () => isInside(tabs(center)[0] as HTMLElement))
    line.dispatchEvent(new WheelEvent('wheel', { deltaY: 2000, bubbles: true }))
    await until('the last', () => isInside(tabs(center).at(-1) as HTMLElement))
  })

  test('one category alone makes no tab', async () => {
    const user = newUser()
    await flood(user, 2, 'orders')
    const center = await place(user)
    await openPanel(center, 2)
    assert.lengthOf(tabs(center), 4)
  })
})
