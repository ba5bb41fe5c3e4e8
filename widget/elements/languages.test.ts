// The element in other languages, in real Chromium against the real edge: words, times, direction, the page's own words.

import { assert } from 'chai'
import type { Phrase, Translations } from '../lib/translations.ts'
import { ENGLISH } from '../locales/english.ts'
import { LANGUAGES } from '../locales/languages.ts'
import {
  assertAccessible,
  fill,
  headOf,
  newUser,
  openPanel,
  part,
  parts,
  place,
  placeOpen,
  press,
  removeAll,
  track,
  until,
} from '../test/given-widget.ts'
import type { NotificationCenter } from './notification-center.ts'

/** Every phrase wrapped, so that what is not wrapped was not asked of the words. */
const PSEUDO: Translations = Object.fromEntries(
  Object.entries(ENGLISH as Translations).map(([key, phrase]) => [key, wrapped(phrase)]),
)
function wrapped(phrase: Phrase): Phrase {
  if (typeof phrase === 'string') return `⟦${phrase}⟧`
  return Object.fromEntries(Object.entries(phrase).map(([form, text]) => [form, `⟦${text}⟧`])) as Phrase
}

/** What people read or hear that no word of ours stands around: neither of a message, nor a time, nor a number. */
function strays(center: NotificationCenter, ofMessages: string[]): string[] {
  const heard = [...(center.shadowRoot?.querySelectorAll('*') ?? [])].flatMap((node) => {
    const texts = [...node.childNodes].filter((child) => child.nodeType === 3).map((child) => child.textContent ?? '')
    const names = ['aria-label', 'title', 'placeholder', 'alt'].map((name) => node.getAttribute(name) ?? '')
    return node.closest('time, .time, kbd, .day') === null ? [...texts, ...names] : []
  })
  return heard
    .map((text) => text.trim())
    .filter((text) => /\p{L}/u.test(text.replace(/⟦[^⟧]*⟧/g, '')) && !ofMessages.some((own) => text.includes(own)))
}

suite('languages', () => {
  teardown(() => {
    removeAll()
    document.documentElement.lang = 'en'
  })

  test('the page’s language is spoken by bell, panel, times and announcements', async () => {
    document.documentElement.lang = 'fr-CA'
    const user = newUser()
    await fill(user)
    const center = await place(user)
    await until('bell in French', () => part(center, 'bell')?.getAttribute('aria-label')?.includes('7 nouvelles'))
    await openPanel(center, 7)
    assert.equal(part(center, 'panel')?.getAttribute('lang'), 'fr')
    assert.include(part(center, 'tabs')?.textContent, 'Archivées')
    assert.include(part(center, 'time')?.textContent, 'à l’instant')
    await track(user, 'usage.high')
    const live = center.shadowRoot?.querySelector('[aria-live=polite]')
    await until('announced', () => live?.textContent?.startsWith('Nouvelle notification\u00a0: You have used'))
    await assertAccessible(center)
  })

  test('an element with a locale of its own runs its way; the next one stays as the page', async () => {
    const [arabic, english] = [newUser(), newUser()]
    await fill(arabic)
    const center = await place(arabic, { locale: 'ar-EG', mode: 'inline' })
    const beside = await place(english, { mode: 'inline' })
    await until('Arabic', () => part(center, 'tabs')?.textContent?.includes('الكل'))
    const direction = (one: NotificationCenter) => getComputedStyle(part(one, 'panel') as HTMLElement).direction
    assert.deepEqual([direction(center), direction(beside)], ['rtl', 'ltr'])
    await until('Arabic digits', () => center.shadowRoot?.querySelector('.count')?.textContent === '٧')
    center.locale = null
    await until('English again', () => part(center, 'tabs')?.textContent?.includes('Archived'))
    assert.equal(direction(center), 'ltr')
  })

  for (const tag of LANGUAGES) {
    test(`${tag}: nothing is cut off or runs out of the panel`, async () => {
      const { center } = await placeOpen({ locale: tag })
      await until('language', () => part(center, 'panel')?.getAttribute('lang') === tag)
      const panel = part(center, 'panel') as HTMLElement
      const { left, right } = panel.getBoundingClientRect()
      const outside = [...panel.querySelectorAll<HTMLElement>('button:not([role=tab]), h1')].filter((node) => {
        const box = node.getBoundingClientRect()
        return box.width > 0 && (box.left < left - 1 || box.right > right + 1)
      })
      const tabs = part(center, 'tabs') as HTMLElement
      const rows = center.shadowRoot?.querySelector('.scroller') as HTMLElement
      assert.equal(rows.scrollWidth, rows.clientWidth)
      tabs.querySelector<HTMLElement>('[role=tab]')?.focus()
      press(center, 'End')
      const last = tabs.querySelector('[role=tab]:last-child')?.getBoundingClientRect()
      assert.isTrue(
        last !== undefined && last.left >= left - 1 && last.right <= right + 1,
        `the last tab is reached: ${last?.left} ${last?.right} within ${left} ${right}, scrolled ${tabs.scrollLeft} of ${tabs.scrollWidth} in ${tabs.clientWidth}`,
      )
      assert.deepEqual(
        outside.map((node) => node.textContent?.trim() || node.getAttribute('aria-label')),
        [],
      )
    })
  }

  test('every word that people read or hear comes from the words', async () => {
    const user = newUser()
    await fill(user)
    const center = await place(user, { mode: 'inline' })
    center.texts = PSEUDO
    await until('rows', () => parts(center, 'row').length === 7)
    // The site's own words: its messages, and the names of its categories.
    const named = (category: string) => category.charAt(0).toUpperCase() + category.slice(1).replaceAll('-', ' ')
    const own = center.messages.flatMap(({ title, category, actions }) => [
      title,
      named(category ?? title),
      ...actions.map(({ label }) => label),
    ])
    const bodies = [
      // The initial of a category without an icon.
      'M',
      'You can',

      'I moved',
      'Shorter',
      '18 GB',
      'We could',
      'Charts',
      'Your parcel',
      'should arrive',
      'Thursday',
      'Rotterdam',
      'Walnut',
      'linen',
      'delivery',
      'tonight',
      'Your orders',
      'Invoices and payments',
    ]
    const check = (where: string) => assert.deepEqual(strays(center, [...own, ...bodies]), [], where)
    await until('the words', () => part(center, 'header')?.textContent?.includes('⟦'))
    check('list')
    part(center, 'row')?.click()
    await until('detail', () => part(center, 'detail'))
    check('detail')
    ;[...(part(center, 'detail')?.querySelectorAll<HTMLElement>('.tool') ?? [])][1]?.click()
    await until('choices', () => center.shadowRoot?.querySelector('.sheet'))
    check('snooze')
    press(center, 'Escape')
    press(center, 'Escape')
    await until('list', () => part(center, 'detail') === null)
    press(center, '?')
    await until('keys', () => center.shadowRoot?.querySelector('.keys'))
    check('keys')
    press(center, 'Escape')
    press(center, 'Home')
    press(center, 'x')
    await until('bulk', () => center.shadowRoot?.querySelector('.bulk'))
    check('selection')
    press(center, 'e')
    await until('notice', () => center.shadowRoot?.querySelector('.notice'))
    check('notice')
    const tabs = part(center, 'tabs')?.querySelectorAll<HTMLElement>('[role=tab]') ?? []
    for (const tab of tabs) {
      tab.click()
      await until('settled', () => center.shadowRoot?.querySelector('[aria-busy=true]') === null)
      check(tab.textContent ?? '')
    }
    await center.signOut()
    check('signed out')
    assert.isNumber((await headOf(user)).seq)
  })

  test('the page puts its own words in place of some', async () => {
    const { center } = await placeOpen()
    center.texts = { notifications: 'Field notes', bell: { one: '{count} fresh note', other: '{count} fresh notes' } }
    await until('heading', () => part(center, 'header')?.textContent?.includes('Field notes'))
    assert.equal(part(center, 'bell')?.getAttribute('aria-label'), `${center.unread} fresh notes`)
    assert.include(part(center, 'tabs')?.textContent, 'Archived')
  })
})
