// Tests the appearance of the element for one user: texts of one locale alone.

import { expect, test } from 'vitest'
import { appearanceOf } from './find-appearance.ts'

const LOOK = {
  theme: 'dark',
  accentColor: '#0a5fff',
  texts: {
    de: { notifications: 'Neuigkeiten', bell: { one: '{count} neue', other: '{count} neue' } },
    'de-AT': { notifications: 'Nachrichten' },
    fr: { notifications: 'Nouvelles' },
    'zh-Hant': { notifications: '消息' },
  },
} as const

test.each([
  [null, {}],
  ['', {}],
  ['en', {}],
  ['fr-CA', LOOK.texts.fr],
  ['de', LOOK.texts.de],
  ['de_at', { ...LOOK.texts.de, notifications: 'Nachrichten' }],
  ['de-DE', LOOK.texts.de],
  ['ZH-hant-TW', LOOK.texts['zh-Hant']],
  ['constructor', {}],
])('a user with the locale %s has its texts', (locale, texts) => {
  expect(appearanceOf(LOOK, locale)).toEqual({ theme: 'dark', accentColor: '#0a5fff', texts })
})
