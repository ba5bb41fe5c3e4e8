// One message in full, in real Chromium against the real edge: the way to its neighbours, and the order of its buttons.

import { assert } from 'chai'
import {
  assertAccessible,
  inPanel,
  pageOf,
  part,
  parts,
  placeOpen,
  press,
  removeAll,
  until,
} from '../../../test/given-widget.ts'
import type { NotificationCenter } from '../../notification-center.ts'

const button = (center: NotificationCenter, name: string): HTMLElement =>
  inPanel(center, `.header [aria-label=${name}]`) as HTMLElement
const openTitle = (center: NotificationCenter) => inPanel(center, '.detail-title')?.textContent

async function opened(): Promise<{ user: string; center: NotificationCenter; titles: string[] }> {
  const { user, center } = await placeOpen()
  return { user, center, titles: center.messages.map(({ title }) => title) }
}

suite('detail', () => {
  teardown(removeAll)

  test('leads to the next and the previous message of its list, by button and by key', async () => {
    const { user, center, titles } = await opened()
    parts(center, 'row')[0]?.click()
    assert.equal(button(center, 'Previous').ariaDisabled, 'true')
    button(center, 'Previous').click()
    assert.equal(openTitle(center), titles[0])
    button(center, 'Next').click()
    assert.equal(openTitle(center), titles[1])
    assert.isTrue(center.shadowRoot?.activeElement?.matches('.detail-scroll'))
    await assertAccessible(center)
    press(center, 'j')
    assert.equal(openTitle(center), titles[2])
    press(center, 'k')
    button(center, 'Previous').click()
    assert.equal(openTitle(center), titles[0])
    for (let steps = 0; steps < 9; steps++) press(center, 'j')
    assert.equal(openTitle(center), titles[6])
    assert.equal(button(center, 'Next').ariaDisabled, 'true')
    press(center, 'Escape')
    await until('its row has the focus', () => center.shadowRoot?.activeElement === parts(center, 'row')[6])
    await until('all were opened', async () => (await pageOf(user)).data.every(({ openedAt }) => openedAt !== null))
  })

  test('of what leaves its list when it is opened, the one in its place is the next', async () => {
    const { center, titles } = await opened()
    inPanel(center, '[role=tab]:nth-child(2)')?.click()
    await until('unread', () => parts(center, 'row').length === 7)
    parts(center, 'row')[1]?.click()
    await until('it left', () => parts(center, 'row').length === 6)
    press(center, 'j')
    assert.equal(openTitle(center), titles[2])
    await until('it left, too', () => parts(center, 'row').length === 5)
    press(center, 'k')
    assert.equal(openTitle(center), titles[0])
  })

  test('the primary action is first, the message’s own link last', async () => {
    const { center } = await opened()
    parts(center, 'row')[0]?.click()
    const actions = [...(inPanel(center, '.detail .actions')?.children ?? [])] as HTMLElement[]
    assert.deepEqual(
      actions.map(({ textContent }) => textContent?.trim()),
      ['Track parcel', 'Contact us', 'Open'],
    )
    assert.deepEqual(
      actions.map(({ className }) => className),
      ['button primary', 'button default', 'button quiet'],
    )
  })

  test('a priority is told by a mark and by the name of the row, and in words when it is open', async () => {
    const { center, titles } = await opened()
    const [, urgent] = parts(center, 'row')
    assert.equal(urgent?.querySelector<HTMLElement>('.priority')?.title, 'Urgent')
    assert.match(urgent?.ariaLabel ?? '', new RegExp(`^Unread. Urgent. ${titles[1]}, `))
    assert.equal(parts(center, 'row')[6]?.querySelector<HTMLElement>('.priority')?.title, 'Important')
    assert.isNull(parts(center, 'row')[0]?.querySelector('.priority') ?? null)
    urgent?.click()
    assert.equal(part(center, 'detail')?.querySelector('.priority')?.textContent, 'Urgent')
  })

  test('a message without an icon shows the initial of its category', async () => {
    const { center } = await opened()
    assert.equal(parts(center, 'row')[2]?.querySelector('.avatar')?.textContent?.trim(), 'M')
  })
})
