// Tests the language and the direction that a page of a mail gets: those of its body's locale, unless its author wrote some.

import { expect, test } from 'vitest'
import { languageOf, withLanguage } from './page-language.ts'

test.each([
  [undefined, 'de-AT', 'de'],
  [undefined, 'zh-TW', 'zh-Hant'],
  [undefined, 'zh_CN', 'zh'],
  [undefined, 'iw', 'he'],
  [undefined, 'sr-Latn-RS', 'sr-Latn'],
  [undefined, null, undefined],
  [undefined, '"><script>', undefined],
  [undefined, 'constructor', undefined],
  ['pt_BR', 'pt', 'pt-BR'],
  ['ar', 'ar-EG', 'ar'],
  [null, 'ar', undefined],
])('the body of %s for a user of %s is in %s', (lang, userLocale, found) => {
  expect(languageOf(lang === undefined ? {} : { lang }, userLocale)).toBe(found)
})

const AR = ' lang="ar" dir="rtl"'

test.each([
  ['<html><head></head><body>x</body></html>', `<html${AR}><head></head><body${AR}>x</body></html>`],
  ['<!doctype html>\n<HTML class="a"><Body style="b">', `<!doctype html>\n<HTML${AR} class="a"><Body${AR} style="b">`],
  ['<html lang="fr"><body>', `<html dir="rtl" lang="fr"><body${AR}>`],
  [`<html dir='ltr' lang=''><body>`, `<html lang="ar" dir='ltr'><body${AR}>`],
  ['<html lang="und" dir="auto"><body>', `<html${AR}><body${AR}>`],
  ['<html data-x=" lang=" title="<body>"><body>', `<html${AR} data-x=" lang=" title="<body>"><body${AR}>`],
  ['<body>a<pre>&lt;body></pre><body>', `<body${AR}>a<pre>&lt;body></pre><body>`],
  ['<!-- <html> --><title><body></title><body>', `<!-- <html> --><title><body></title><body${AR}>`],
  ['<p>no page</p>', '<p>no page</p>'],
])('%j', (html, page) => {
  expect(withLanguage(html, 'ar')).toBe(page)
})

test('other languages are written from left to right', () => {
  expect(withLanguage('<html><body>', 'de')).toBe('<html lang="de" dir="ltr"><body>')
  expect(withLanguage('<html><body>', undefined)).toBe('<html><body>')
  for (const lang of ['fa', 'ur-PK', 'he', 'yi', 'dv', 'ku-Arab', 'az-Arab']) {
    expect(withLanguage('<html>', lang)).toContain('dir="rtl"')
  }
  for (const lang of ['ku', 'az', 'ar-Latn', 'ja']) expect(withLanguage('<html>', lang)).toContain('dir="ltr"')
})
