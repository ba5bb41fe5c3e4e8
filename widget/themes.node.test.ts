// The ready themes keep the contrast of WCAG 2.2 AA, light and dark, and set nothing but what the element offers.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CSS_PROPERTIES } from './element-surface.ts'

const folder = join(import.meta.dirname, 'themes')
const files = readdirSync(folder)

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

/** What is written on what: 4.5 for text; 3 for a mark that is no text. */
const PAIRS: [string, string, number][] = [
  ['text', 'surface', 4.5],
  ['text', 'raised', 4.5],
  ['muted', 'surface', 4.5],
  ['muted', 'raised', 4.5],
  ['accent', 'surface', 4.5],
  ['accent', 'raised', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-badge', 'badge', 4.5],
  ['dot', 'surface', 3],
]

test('there are three', () => expect(files).toEqual(['ink.css', 'meadow.css', 'slate.css']))

describe.each(files)('%s', (file) => {
  const css = readFileSync(join(folder, file), 'utf8')
  const set = new Map([...css.matchAll(/^ {2}(--nc-[a-z-]+): (.+);$/gm)].map(([, name, value]) => [name, value]))

  test('it sets properties of the element alone', () => {
    const known = CSS_PROPERTIES.map(({ name }) => name)
    expect([...set.keys()].filter((name) => !known.includes(name ?? ''))).toEqual([])
    expect(css.match(/[^{}]+(?=\{)/g)?.map((selector) => selector.trim().split('\n').at(-1))).toEqual([
      'notification-center',
    ])
  })

  test.each([0, 1])('its colours have the contrast that text needs (%i: light, dark)', (scheme) => {
    const colour = (name: string) => set.get(`--nc-${name}`)?.match(/#[0-9a-f]{6}/g)?.[scheme] ?? ''
    const weak = PAIRS.filter(([on, under, least]) => !(contrast(colour(on), colour(under)) >= least))
    expect(weak).toEqual([])
  })
})
