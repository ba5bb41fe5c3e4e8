// Tests that the hashes of texts name exactly what would be printed otherwise.

import { expect, test } from 'vitest'
import type { CampaignTexts } from '../../domain/campaign-texts.ts'
import { changedTexts, hashTexts } from './hash-texts.ts'

const TEXTS: CampaignTexts = {
  translations: { en: { a: '1', b: '2' }, 'de-at': { a: '1' }, fr: {} },
  fallback: 'en',
  snippets: { footer: 'x', __proto__x: 'y' },
  isOpen: false,
}
const changedIn = (change: Partial<CampaignTexts>) => changedTexts(hashTexts(TEXTS), hashTexts({ ...TEXTS, ...change }))

test('a definition without texts has no hashes, and all of another one are new or gone', () => {
  const all = ['snippet footer', 'snippet __proto__x', 'translations of en', 'translations of de-AT', 'default locale']
  expect(hashTexts(undefined)).toBeUndefined()
  expect(changedTexts(undefined, undefined)).toEqual([])
  expect(changedTexts(undefined, hashTexts(TEXTS))).toEqual(all)
  expect(changedTexts(hashTexts(TEXTS), undefined)).toEqual(all)
})

test('each text that differs is named, and the order of messages is none', () => {
  const { en = {}, ...others } = TEXTS.translations
  expect(changedIn({ translations: { ...others, en: { b: '2', a: '1' } } })).toEqual([])
  expect(changedIn({ translations: { ...others, en: { ...en, b: '3' } } })).toEqual(['translations of en'])
  expect(changedIn({ translations: { ...others, en: {} } })).toEqual(['translations of en'])
  expect(changedIn({ snippets: { ...TEXTS.snippets, footer: 'z' } })).toEqual(['snippet footer'])
  expect(changedIn({ snippets: { ...TEXTS.snippets, other: '' } })).toEqual(['snippet other'])
  expect(changedIn({ fallback: 'de-AT' })).toEqual(['default locale'])
})

test('a locale without any of the messages is as if it were not there', () => {
  const { fr: _, ...translations } = TEXTS.translations
  expect(changedIn({ translations })).toEqual([])
  const none = { ...TEXTS, translations: { en: {} } }
  expect(changedTexts(hashTexts(none), hashTexts({ ...none, fallback: 'de', translations: {} }))).toEqual([])
})
