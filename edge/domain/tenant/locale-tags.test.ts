// Tests the fallbacks of language tags: prefixes, legacy codes, likely scripts and regions, and texts that are no tags.

import { expect, test } from 'vitest'
import { fallbackTags, isKnownLocale, languageTag, normalizeTag } from './locale-tags.ts'

test.each([
  ['de-AT', 'de-at de-latn-at de-latn de de-de'],
  ['zh-CN', 'zh-cn zh-hans-cn zh-hans zh'],
  ['zh_TW', 'zh-tw zh-hant-tw zh-hant zh'],
  ['zh-Hant-HK', 'zh-hant-hk zh-hant zh-hk zh zh-tw'],
  ['zh', 'zh-hans-cn zh-hans zh zh-cn'],
  ['pt', 'pt-latn-br pt-latn pt pt-br'],
  ['sr-Latn', 'sr-latn sr-latn-rs sr'],
  ['no', 'nb-latn-no nb-latn nb nb-no'],
  ['no-NO', 'nb-no nb-latn-no nb-latn nb'],
  ['nn', 'nn-latn-no nn-latn nn nb nn-no'],
  ['iw', 'he-hebr-il he-hebr he he-il'],
  [' de AT ', 'de-at de-latn-at de-latn de de-de'],
  ['(none)', '(none)'],
  ['', ''],
])('%s: %s', (locale, tags) => {
  expect(fallbackTags(locale).join(' ')).toBe(tags)
})

test.each([
  ['zh-CN', 'zh-Hans'],
  ['zh-Hans', 'zh-CN'],
  ['zh-HK', 'zh-Hant'],
  ['zh-SG', 'zh_Hans'],
  ['no', 'nb'],
  ['nb-NO', 'no'],
  ['in', 'id'],
  ['he-IL', 'iw'],
  ['tl', 'fil'],
  ['sh', 'sr-Latn'],
  ['mo', 'ro'],
  ['en_US', 'en'],
  ['pt', 'pt-BR'],
  ['pt-AO', 'pt-BR'],
  ['zh-SG', 'zh-CN'],
  ['en-AU', 'en-US'],
  ['es-MX', 'es-419'],
  ['es_AR', 'es'],
  ['pt-AO', 'pt-PT'],
  ['en-IN', 'en-GB'],
  ['pt_PT.UTF-8', 'pt-PT'],
  ['zh_TW.UTF-8', 'zh-Hant'],
  ['de_AT@euro', 'de-AT'],
  ['sr_RS.UTF-8@latin', 'sr-Latn'],
  ['zh_TW_#Hant', 'zh-Hant'],
  ['sr_RS_#Latn', 'sr-Latn-RS'],
  ['zh__#Hant', 'zh-TW'],
  ['th_TH_TH_#u-nu-thai', 'th-TH'],
  ['zh-CHT', 'zh-TW'],
  ['zh-CHS', 'zh-Hans'],
  ['zh-cmn-Hant-TW', 'zh-Hant'],
  ['fr-CH, fr;q=0.9, en;q=0.8', 'fr-CH'],
])('%s finds %s', (user, written) => {
  expect(fallbackTags(user)).toContain(normalizeTag(written))
})

test.each([
  ['zh-TW', 'zh-Hans'],
  ['sr-Latn', 'sr-RS'],
  ['de', 'de-AT'],
  ['pt', 'pt-PT'],
  ['pt-BR', 'pt-PT'],
  ['es-ES', 'es-419'],
  ['es', 'es-419'],
  ['en-CA', 'en-GB'],
  ['sr-Latn', 'sr-Cyrl'],
  ['zh_TW.UTF-8', 'zh-Hans'],
  ['zh-CHT', 'zh-CN'],
])('%s does not find %s', (user, written) => {
  expect(fallbackTags(user)).not.toContain(normalizeTag(written))
})

test.each([...'\u2010\u2011\u2012\u2013\u2014\u2212\uff0d'])('the hyphen %s of word processors is one', (hyphen) => {
  expect(fallbackTags(`de${hyphen}AT`)).toEqual(fallbackTags('de-AT'))
  expect(languageTag(`zh${hyphen}Hant${hyphen}HK`)).toBe('zh-Hant-HK')
  expect(languageTag(`sr${hyphen}Latn`, 'language')).toBe('sr-Latn')
  expect(isKnownLocale(`de${hyphen}AT`)).toBe(true)
})
