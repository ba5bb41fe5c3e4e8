// Tests which texts a locale lacks, and which locales a draft has.

import { expect, test } from 'vitest'
import { EMAIL_PARTS, INBOX_PARTS, localeName, localesInUse, missingIn } from './locale-gaps.ts'

test('a locale lacks the parts that the step has and it has not', () => {
  const step = { title: 'Hi', body: 'There' }
  expect(missingIn(step, { title: 'Salut' }, INBOX_PARTS)).toEqual(['body'])
  expect(missingIn(step, { title: ' ', body: 'Là' }, INBOX_PARTS)).toEqual(['title'])
  expect(missingIn({ title: 'Hi' }, null, INBOX_PARTS)).toEqual(['title'])
  expect(missingIn({ title: 'Hi' }, { title: 'Salut', body: 'Là' }, INBOX_PARTS)).toEqual([])
})

test('a body in another format is a body', () => {
  expect(missingIn({ subject: 'S', html: '<p>' }, { subject: 'S', markdown: 'x' }, EMAIL_PARTS)).toEqual([])
  expect(missingIn({ subject: 'S', html: '<p>', text: 't' }, {}, EMAIL_PARTS)).toEqual(['subject', 'body', 'text part'])
})

test('the locales of all steps are those in use', () => {
  const steps = [
    { type: 'inbox', locales: { de: {}, fr: {} } },
    { type: 'waitFor', then: [{ type: 'email', locales: { fr: {}, 'pt-BR': {} } }] },
  ]
  expect(localesInUse({ steps })).toEqual(['de', 'fr', 'pt-BR'])
})

test('a locale has a name in words', () => {
  expect(localeName('fr_CA')).toBe('Canadian French')
  expect(localeName('fr\u2011CA')).toBe('Canadian French')
  expect(localeName('x')).toBe('x')
})
