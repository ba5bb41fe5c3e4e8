// A whole use of the widget without a mouse, in each browser: everything is reached by Tab, arrows and keys, the focus shows wherever it is, and nowhere is it lost.

import { expect, test } from 'vitest'
import type { Stage } from './stage.ts'

const ROWS = [
  'Order HG-20517 is on its way',
  'Your card was declined',
  'Ingrid Sørensen mentioned you in “Homepage copy”',
  'Order HG-20481 is on its way',
  'You have used 90 % of your storage',
  'Tomás Okafor mentioned you in “Spring launch”',
  'New: a calmer dashboard',
] as const

export function playKeyboard(stage: () => Stage): void {
  // A hundred presses, each with a look: on a machine that stands still now and then they take a minute.
  test('the whole widget is used by keyboard alone, and the focus is never lost', async () => {
    const { newUser, fill, visit, inboxOf } = stage()
    const user = newUser()
    await fill(user)
    const page = await visit(user)
    const { keys, tabTo, until } = page
    const focusIs = (focus: string) => until(`the focus on ${focus}`, (seen) => seen.focus === focus)
    const rowsLeft = (count: number) => until(`${count} rows`, ({ rows }) => rows.length === count)
    await until('ready', ({ badge }) => badge === '7')

    // In: the bell is the first thing that Tab meets, the panel takes the focus.
    await tabTo(/^bell: 7 new notifications/)
    await keys('Enter')
    expect((await rowsLeft(7)).rows).toEqual(ROWS)
    await focusIs('panel: Notifications')

    // Walking: arrows, letters, ends.
    await keys('ArrowDown', 'j', 'k', 'End')
    await focusIs(`row: ${ROWS[6]}`)
    await keys('Home', 'ArrowDown')
    const walked = await focusIs(`row: ${ROWS[1]}`)
    expect(walked.isFocusShown).toBe(true)

    // Into a message and back to its row.
    await keys('Enter')
    await until('the detail', ({ detail }) => detail === ROWS[1])
    await tabTo(/^button danger: Update card|^danger: Update card/)
    await keys('Escape')
    await focusIs(`row: ${ROWS[1]}`)
    await until('opened', ({ dots }) => !dots.includes(ROWS[1]))
    await keys('u')
    await until('unread again', ({ dots }) => dots.includes(ROWS[1]))

    // Archived and taken back, by letter and by the word that appears.
    await keys('e')
    await rowsLeft(6)
    await focusIs(`row: ${ROWS[2]}`)
    await keys('z')
    await rowsLeft(7)
    await keys('e')
    await rowsLeft(6)
    await tabTo(/^link: Undo/)
    await keys('Enter')
    const back = await rowsLeft(7)
    expect(back.focus, 'the word that had the focus is gone').not.toBe('page')

    // Snoozed: the first time has the focus, then a row again.
    await keys('Home', 'h')
    await until('the times', ({ focus }) => /^choice: In an hour/.test(focus))
    await keys('Escape')
    await focusIs(`row: ${ROWS[0]}`)
    await keys('h')
    await until('the times', ({ focus }) => /^choice: In an hour/.test(focus))
    await keys('Enter')
    await rowsLeft(6)
    expect((await page.see()).focus).not.toBe('page')

    // Several at once.
    await keys('Home', 'x', 'j', 'x')
    await until('two chosen', ({ chosen }) => chosen === '2 selected')
    await tabTo(/^icon-button: Archive/)
    await keys('Enter')
    expect((await rowsLeft(4)).focus).not.toBe('page')
    await expect.poll(async () => (await inboxOf(user, '?filter=archived')).length).toBe(2)

    // The tabs, by arrows; out of the archive.
    await tabTo(/^tab: All/, 'Shift+Tab')
    await keys('End')
    await until('the archive', ({ tab, rows }) => tab === 'Archived' && rows.length === 2)
    await tabTo(/^row: /)
    await keys('e')
    await rowsLeft(1)
    await tabTo(/^tab: Archived/, 'Shift+Tab')
    await keys('Home')
    await rowsLeft(5)

    // The keys themselves, the settings, all read.
    await keys('?')
    await until('the list of keys', ({ focus }) => /^icon-button: Dismiss/.test(focus))
    await keys('Escape')
    await focusIs('panel: Notifications')
    await tabTo(/^mark-all|: Mark all as read/)
    await keys('Enter')
    const marked = await until('no dot', ({ dots }) => dots.length === 0)
    expect(marked.focus).toMatch(/Mark all as read/)
    await tabTo(/: Notification settings/)
    await keys('Enter')
    await until('the settings', ({ switches }) => switches > 0)
    await tabTo(/^switch: /)
    await keys(' ', 'Escape')
    await until('back on the sliders', ({ focus }) => /: Notification settings/.test(focus))

    // Out: the bell has it again, and opens again.
    await keys('Escape')
    await until('closed', ({ isOpen, focus }) => !isOpen && /^bell: /.test(focus))
    await keys(' ')
    await until('open again', ({ isOpen }) => isOpen)
    await keys('Escape')
    const end = await until('closed', ({ isOpen, focus }) => !isOpen && /^bell: /.test(focus))
    expect(end.isFocusShown).toBe(true)
  })
}
