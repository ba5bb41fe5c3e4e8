// Tests what is checked before a draft is published, each with the place where it is mended.

import { expect, test } from 'vitest'
import { type CheckedWith, checksOf } from './checks.ts'
import { deadLinksOf } from './dead-links.ts'

const TELL = { id: 'tell', type: 'inbox', title: 'Hello', link: '/orders' }
const MAIL = { id: 'mail', type: 'email', subject: 'Hello', markdown: 'See [all](https://shop.de)' }
const known = (change: Partial<CheckedWith>): CheckedWith => ({
  draft: { key: 'c', trigger: { event: 'e' }, steps: [TELL] },
  faults: [],
  warnings: [],
  doubts: undefined,
  way: 'integration',
  categories: ['orders'],
  siteUrl: 'https://shop.de',
  ...change,
})
const words = (change: Partial<CheckedWith>) => checksOf(known(change)).map((one) => one.words)
const withSteps = (...steps: object[]) => ({ key: 'c', trigger: { event: 'e' }, steps })

test('a draft that can be meant as it is has none', () => {
  expect(checksOf(known({}))).toEqual([])
  expect(checksOf(known({ way: undefined, categories: undefined, siteUrl: undefined }))).toEqual([])
})

test('faults are errors with their places, warnings of the service are not', () => {
  const draft = withSteps({ ...TELL, locales: { fr: { title: '{{ oops' } } })
  expect(
    checksOf(
      known({
        draft,
        faults: [{ path: 'steps[0].locales.fr.title', message: 'No end.' }],
        warnings: [{ path: 'steps[0].title', line: 2, message: 'Missing.' }],
      }),
    ),
  ).toEqual([
    {
      kind: 'error',
      words: 'Title of “tell” in fr: No end.',
      path: ['steps', 0, 'locales', 'fr', 'title'],
      stepId: 'tell',
    },
    { kind: 'warning', words: 'Title of “tell”, line 2: Missing.', path: ['steps', 0, 'title'], stepId: 'tell' },
  ])
})

test('mails without a mail account', () => {
  expect(checksOf(known({ draft: withSteps(MAIL), way: 'none' }))).toMatchObject([
    { stepId: 'mail', page: 'integrations' },
  ])
  expect(words({ draft: withSteps(MAIL), way: 'mailbox' })).toHaveLength(1)
  expect(words({ draft: withSteps(TELL), way: 'none' })).toEqual([])
})

test('a category that the config does not have', () => {
  expect(words({ draft: { ...withSteps(TELL), category: 'orders' } })).toEqual([])
  expect(words({ draft: { ...withSteps(TELL), category: 'news' } })).toEqual([
    'The category “news” is not in the notification config: users cannot switch it off.',
  ])
})

test('languages that one message has and another lacks, and parts that a language lacks', () => {
  const french = { ...TELL, body: 'Text', locales: { fr: { title: 'Bonjour' }, de: null } }
  expect(words({ draft: withSteps(french, { ...MAIL, locales: { fr: { subject: 'Salut' } } }) })).toEqual([
    '“tell” lacks its body in fr: readers get the standard one.',
    '“mail” lacks its text in fr: readers get the standard one.',
  ])
  expect(words({ draft: withSteps(french, MAIL) })[1]).toBe(
    '“mail” has no texts in fr, which “tell” has: its readers get the standard ones.',
  )
})

test('a campaign that sends nothing', () => {
  expect(words({ draft: withSteps({ id: 'end', type: 'exit' }) })).toEqual(['The campaign sends no message.'])
})

test.each([
  [{ ...TELL, link: '#' }, 'leads nowhere'],
  [{ ...TELL, link: 'http://localhost:3000/a' }, 'leads to the reader’s own machine'],
  [{ ...TELL, actions: [{ label: 'a', link: 'https://www.example.com/a' }] }, 'leads to an address for examples'],
  [{ ...MAIL, markdown: '[a]()' }, 'leads nowhere'],
  [{ ...MAIL, html: '<a href="#">x</a>' }, 'leads nowhere'],
  [{ ...MAIL, markdown: '[a](/care)' }, 'is a path, and no site is set at which paths of mails begin'],
])('a dead link of %j', (step, why) => {
  expect(deadLinksOf(withSteps(step), null).map((one) => one.why)).toEqual([why])
})

test('a link that depends on the event, a path of the inbox, and others are not called dead', () => {
  const fine = [
    { ...TELL, link: '{{ event.properties.url }}' },
    { ...TELL, link: '/orders' },
    { ...TELL, link: 'https://localhosts.de' },
    { ...MAIL, html: "<a href='https://shop.de/#top'>x</a>" },
  ]
  for (const step of fine) expect(deadLinksOf(withSteps(step), null)).toEqual([])
})
