// Tests that the copied CSS equals the settings of the controls.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readPair, readTheme, toCss, writePair } from './css.ts'

const theme = (name: string) => readFileSync(new URL(`../../../widget/themes/${name}.css`, import.meta.url), 'utf8')

test.each(['ink', 'meadow', 'slate'])('the CSS of %s comes back as it was read', (name) => {
  const settings = readTheme(theme(name))
  expect(settings.size).toBe(12)
  expect(theme(name).endsWith(`${toCss(settings)}\n`)).toBe(true)
  expect(readTheme(toCss(settings))).toEqual(settings)
})

test('a colour is a pair, or the same twice', () => {
  expect(readPair('light-dark(#112233, #aabbcc)')).toEqual({ light: '#112233', dark: '#aabbcc' })
  expect(readPair('#112233')).toEqual({ light: '#112233', dark: '#112233' })
  expect(readPair('8px')).toBeUndefined()
  expect(writePair({ light: '#112233', dark: '#aabbcc' })).toBe('light-dark(#112233, #aabbcc)')
  expect(writePair({ light: '#112233', dark: '#112233' })).toBe('#112233')
})
