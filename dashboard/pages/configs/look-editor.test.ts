// Tests which accent colours are warned of, in which themes.

import { expect, test } from 'vitest'
import { contrastWarnings } from './look-editor.ts'

test.each([
  [null, 'auto', []],
  ['#0a7f5a', 'auto', []],
  ['#ffff00', 'auto', ['light']],
  ['#ffff00', 'dark', []],
  ['#101010', 'auto', ['dark']],
  ['#101010', 'light', []],
  ['#12', 'auto', []],
] as const)('%s in %s', (accent, theme, expected) => {
  const warnings = contrastWarnings(accent, theme)
  expect(warnings.map((text) => /the (\w+) theme/.exec(text)?.[1])).toEqual(expected)
})
