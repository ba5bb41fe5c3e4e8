// Tests which texts are addresses of mail, and which of them are one.

import { expect, test } from 'vitest'
import { asciiDomain, isAddress, needsUtf8, spellingsOf, withAsciiDomain } from './mail-address.ts'

test.each([
  'ada@example.org',
  'a.b+c@example.org',
  'ada@bücher.example',
  'ada@xn--bcher-kva.example',
  'jürgen@例え.jp',
  `ada@${'a'.repeat(63)}.example`,
  'ada@1.example',
  'ada@example.xn--p1ai',
  'ada@example.рф',
])('takes %s', (text) => {
  expect(isAddress(text)).toBe(true)
})

test.each([
  'a..b@example.org',
  '.a@example.org',
  'a.@example.org',
  'ada@example.org.',
  'ada@.example.org',
  'ada@example..org',
  'ada@localhost',
  'a@b@example.org',
  'ada\u200b@example.org',
  'ada@exam\u00adple.org',
  'ada\ufe0f@example.org',
  'ada\u034f@example.org',
  'ada\u3164@example.org',
  'ada@example\u115f.org',
  'ada\u2800@example.org',
  'ada\u202e@example.org',
  'ada\u00a0b@example.org',
  `${'a'.repeat(65)}@example.org`,
  'ada@xn--a.example',
  'ada@-example.org',
  'ada@example-.org',
  `ada@${'a'.repeat(64)}.example`,
  `ada@${'ü'.repeat(60)}.example`,
  'ada@192.0.2.1',
  'ada@example.123',
])('refuses %j', (text) => {
  expect(isAddress(text)).toBe(false)
})

test.each([
  ['Ada@Bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@BÜCHER.EXAMPLE', 'ada@xn--bcher-kva.example'],
  ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
  ['ada@XN--BCHER-KVA.example', 'ada@xn--bcher-kva.example'],
  [' ada@mail.bücher.example ', 'ada@mail.xn--bcher-kva.example'],
  ['ada@straße.example', 'ada@xn--strae-oqa.example'],
  ['ADA@例え.JP', 'ada@xn--r8jz45g.jp'],
  ['Jürgen@Example.ORG', 'jürgen@example.org'],
  ['Ju\u0308rgen@Example.ORG', 'jürgen@example.org'],
  ['ada@example.org', 'ada@example.org'],
  ['ada@1.2', 'ada@1.2'],
  ['ada@a/b.example', 'ada@a/b.example'],
  ['ada@xn--a.example', 'ada@xn--a.example'],
])('%s is compared as %s', (text, compared) => {
  expect(spellingsOf(text)[0]).toBe(compared)
})

test('an address is also found as it was stored before domains were compared in ASCII', () => {
  const ascii = 'ada@xn--bcher-kva.example'
  expect(spellingsOf(ascii)).toEqual([ascii, 'ada@bücher.example'])
  expect(spellingsOf('ada@bücher.example')).toEqual([ascii, 'ada@bücher.example'])
  // A decomposed letter was stored as it came.
  expect(spellingsOf('ada@bu\u0308cher.example')).toEqual([ascii, 'ada@bücher.example', 'ada@bu\u0308cher.example'])
  expect(spellingsOf('ju\u0308rgen@example.org')).toEqual(['jürgen@example.org', 'ju\u0308rgen@example.org'])
  expect(spellingsOf('ada@example.org')).toEqual(['ada@example.org'])
})

test('a domain alone and an address for the wire have one spelling of the domain, and the local part as it is', () => {
  expect(asciiDomain('Bücher.Example')).toBe('xn--bcher-kva.example')
  expect(asciiDomain('Example.ORG')).toBe('example.org')
  expect(withAsciiDomain('Jürgen.Ada@Bücher.example')).toBe('Jürgen.Ada@xn--bcher-kva.example')
})

test('only a local part beyond ASCII needs a server with SMTPUTF8', () => {
  expect(needsUtf8('jürgen@example.org')).toBe(true)
  expect(needsUtf8('ada@bücher.example')).toBe(false)
})
