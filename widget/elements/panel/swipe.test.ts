// Swiping rows away, in real Chromium against the real edge.

import { assert } from 'chai'
import { assertAccessible, pageOf, part, parts, placeOpen, removeAll, until } from '../../test/given-widget.ts'
import type { NotificationCenter } from '../notification-center.ts'

async function opened(attributes: Record<string, string> = {}): Promise<{ user: string; center: NotificationCenter }> {
  const { user, center } = await placeOpen(attributes)
  // The first touch brings the part.
  touch(parts(center, 'row')[0] as HTMLElement, 'pointerdown', 0, 0)
  touch(parts(center, 'row')[0] as HTMLElement, 'pointerup', 0, 0)
  await until('touch', () => getComputedStyle(parts(center, 'row')[0] as HTMLElement).touchAction === 'pan-y')
  return { user, center }
}

function touch(row: HTMLElement, type: string, x: number, y: number): void {
  const from = row.getBoundingClientRect()
  row.dispatchEvent(
    new PointerEvent(type, {
      pointerId: 7,
      pointerType: 'touch',
      isPrimary: true,
      clientX: from.left + from.width / 2 + x,
      clientY: from.top + 20 + y,
      bubbles: true,
      composed: true,
      cancelable: true,
    }),
  )
}

/** A finger that goes there in steps; `pointercancel` when the browser takes it for scrolling. */
function drag(row: HTMLElement, x: number, y = 0, end = 'pointerup'): void {
  const from = row.getBoundingClientRect()
  const at = (type: string, share: number): void => {
    // The row moves under the finger; the finger does not.
    const now = row.getBoundingClientRect()
    touch(row, type, x * share + from.left - now.left, y * share + from.top - now.top)
  }
  at('pointerdown', 0)
  for (const share of [0.1, 0.3, 0.6, 1]) at('pointermove', share)
  at(end, 1)
}

const archivedOf = async (user: string) => (await pageOf(user, '?filter=archived')).data.map(({ id }) => id)
const isSwiped = (center: NotificationCenter) => center.shadowRoot?.querySelector('.swiped, .beneath') !== null
const rowOf = (center: NotificationCenter, at: number): HTMLElement => parts(center, 'row')[at] as HTMLElement

suite('a swipe', () => {
  teardown(removeAll)

  test('towards the start of the line archives, with a way back', async () => {
    const { user, center } = await opened()
    const row = rowOf(center, 1)
    const { id = '' } = row.dataset
    drag(row, -row.offsetWidth * 0.6)
    assert.exists(row.parentElement?.querySelector('.beneath'), 'what it uncovers')
    await until('archived', async () => (await archivedOf(user)).includes(id))
    await until('gone', () => parts(center, 'row').length === 6)
    await assertAccessible(center)
    ;(await until('undo', () => center.shadowRoot?.querySelector<HTMLElement>('.notice .link'))).click()
    await until('back', async () => (await archivedOf(user)).length === 0)
    await until('in its place', () => rowOf(center, 1)?.dataset.id === id)
    assert.isFalse(isSwiped(center))
  })

  test('runs the other way where the line does', async () => {
    const { user, center } = await opened({ dir: 'rtl' })
    const row = rowOf(center, 0)
    drag(row, -row.offsetWidth * 0.6)
    await until('at rest', () => !isSwiped(center))
    assert.lengthOf(parts(center, 'row'), 7)
    drag(rowOf(center, 0), row.offsetWidth * 0.6)
    await until('archived', async () => (await archivedOf(user)).length === 1)
  })

  test('that is short, or taken by the browser for scrolling, puts the row back and opens nothing', async () => {
    const { user, center } = await opened()
    const row = rowOf(center, 0)
    drag(row, -30)
    row.click()
    await until('back', () => !isSwiped(center))
    drag(row, -row.offsetWidth * 0.6, 0, 'pointercancel')
    await until('back again', () => !isSwiped(center))
    drag(row, -row.offsetWidth * 0.6, 500)
    assert.isFalse(isSwiped(center), 'down is the browser’s')
    assert.isTrue(part(center, 'detail') === null)
    assert.lengthOf(await archivedOf(user), 0)
    await new Promise((resolve) => setTimeout(resolve, 60))
    row.click()
    await until('a press opens as before', () => part(center, 'detail'))
  })

  test('in the archive brings back to the inbox', async () => {
    const { user, center } = await opened()
    const row = rowOf(center, 0)
    drag(row, -row.offsetWidth * 0.6)
    await until('archived', async () => (await archivedOf(user)).length === 1)
    part(center, 'tabs')?.querySelector<HTMLElement>('[role=tab]:last-child')?.click()
    await until('the archive', () => parts(center, 'row').length === 1)
    drag(rowOf(center, 0), -rowOf(center, 0).offsetWidth * 0.6)
    await until('back', async () => (await archivedOf(user)).length === 0)
  })
})
