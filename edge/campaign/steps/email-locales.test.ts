// Tests which parts of a mail users of a locale get: each falls back as the inbox's do, and the text stays with its body.

import { expect, test } from 'vitest'
import type { MailParts } from '../../../contract/resources/mail.ts'
import { parseDefinition } from '../definition.ts'
import { compileMail } from './email.ts'

const SCOPE = { event: {}, user: { email: 'ada@example.org' }, enriched: {}, events: [], campaign: {}, env: {} }
const STEP = {
  ...{ subject: 'Hello', preheader: 'Before', html: '<p>Body</p>', text: 'Text' },
  locales: {
    fr: { subject: 'Bonjour', markdown: 'Corps' },
    'fr-CA': { subject: 'Allô', text: 'Texte' },
    pt_BR: { html: '<p>Corpo</p>', preheader: 'Antes' },
    'zh-Hans': { subject: '你好' },
    nb: { text: 'Tekst' },
  },
}

function render(locale: string | null, step: object = STEP): MailParts {
  return compileMail(step as never).render(SCOPE, { category: null, locale, fallbackTitle: 'x' }).email
}

test.each([
  ['fr', 'Bonjour', 'Before', null, 'Corps', null, 'fr'],
  ['fr-FR', 'Bonjour', 'Before', null, 'Corps', null, 'fr'],
  ['FR_ca', 'Allô', 'Before', null, 'Corps', 'Texte', 'fr'],
  ['pt-BR', 'Hello', 'Antes', '<p>Corpo</p>', null, null, 'pt_BR'],
  ['zh-CN', '你好', 'Before', '<p>Body</p>', null, 'Text', null],
  ['no', 'Hello', 'Before', '<p>Body</p>', null, 'Tekst', null],
  ['de', 'Hello', 'Before', '<p>Body</p>', null, 'Text', null],
  ['-', 'Hello', 'Before', '<p>Body</p>', null, 'Text', null],
  [null, 'Hello', 'Before', '<p>Body</p>', null, 'Text', null],
])('a user of %s', (locale, subject, preheader, html, markdown, text, lang) => {
  expect(render(locale)).toMatchObject({ subject, preheader, html, markdown, text, lang })
})

test('a step without locales says no language', () => {
  expect(render('fr', { subject: 'Hello', markdown: 'Body' })).not.toHaveProperty('lang')
})

const definitionOf = (locales: unknown) => ({
  key: 'c',
  trigger: { event: 'e' },
  steps: [{ id: 'mail', type: 'email', subject: 'Hello', markdown: 'Body', locales }],
})

test('the locales of a mail are stored', () => {
  const locales = { fr: { subject: 'Bonjour', markdown: 'Corps' } }
  expect(parseDefinition(definitionOf(locales)).steps[0]).toMatchObject({ locales })
  expect(parseDefinition(definitionOf({ fr: null })).steps[0]).toMatchObject({ locales: { fr: {} } })
})

test('a locale whose hyphen a word processor wrote is stored as it is written, and found', () => {
  const locales = { 'fr\u2013CA': { subject: 'Allô' } }
  const [step = {}] = parseDefinition(definitionOf(locales)).steps
  expect(step).toMatchObject({ locales })
  expect(render('fr-CA', step)).toMatchObject({ subject: 'Allô' })
  expect(render('fr\u2011CA')).toMatchObject({ subject: 'Allô' })
})

test.each([
  [{ fr: { html: '<p>a</p>', markdown: 'a' } }, 'steps[0].locales.fr.markdown'],
  [{ fr: { html: '{{ a' } }, 'steps[0].locales.fr.html'],
  [{ fr: { markdown: '{% if %}' } }, 'steps[0].locales.fr.markdown'],
  [{ fr: { subject: ' ' } }, 'steps[0].locales.fr.subject'],
  [{ fr: { text: 7 } }, 'steps[0].locales.fr.text'],
  [{ fr: 'Bonjour' }, 'steps[0].locales.fr'],
  [{ 'not a locale': {} }, 'steps[0].locales.not a locale'],
  [Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`fr-${100 + at}`, {}])), 'steps[0].locales'],
])('faults have their path: %j', (locales, path) => {
  let details: unknown
  try {
    parseDefinition(definitionOf(locales))
  } catch (error) {
    details = (error as { extra: { details: unknown } }).extra.details
  }
  expect(details).toEqual([expect.objectContaining({ path })])
})
