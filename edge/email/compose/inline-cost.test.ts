// Tests that style sheets of a usual size are inlined, and that those which take too long are not, with a word about it.

import { expect, test } from 'vitest'
import { processorMs } from '../../test/support/processor-time.ts'
import { inlineStyles } from './inline-styles.ts'

const many = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join('\n')
const page = (sheet: string, body: string) => `<html><head><style>${sheet}</style></head><body>${body}</body></html>`
const paragraphs = (count: number) => many(count, (at) => `<p class="c${at}">x</p>`)

const RESET =
  'body, table, td, p, a { -webkit-text-size-adjust: 100% } img { border: 0; height: auto; outline: none } h1, h2, h3 { margin: 0; padding: 0 }'
const blocks = (count: number) =>
  many(
    count,
    (at) =>
      `#page .b${at} td.content, .b${at} p > a, .b${at} p { color: #${100 + at}; font-family: Helvetica, Arial, sans-serif; font-size: 14px }`,
  )
const rows = (count: number) =>
  `<table id="page">${many(count, (at) => `<tr class="b${at}"><td class="content"><p>x <a href="/">y</a></p></td></tr>`)}</table>`

test.each([
  [
    '6 KB over 100 elements',
    many(110, (at) => `.c${at} { color: red; margin: ${at}px; padding: 1px }`),
    paragraphs(100),
    100,
  ],
  ['30 KB over 300 elements', RESET + blocks(240), rows(75), 75],
  [
    '30 KB over 300 elements of few classes',
    many(600, (at) => `.c${at % 300} { color: #${100 + (at % 800)}; margin: ${at}px }`),
    paragraphs(300),
    300,
  ],
  [
    'a sheet of a framework over 1,000 elements',
    RESET + many(3000, (at) => `.c${at}, .c${at}:hover { width: ${at}px }`),
    paragraphs(1000),
    1000,
  ],
])('%s are inlined', (_, sheet, body, count) => {
  const { html, faults } = inlineStyles(page(sheet, body))
  expect(faults).toEqual([])
  expect(html.match(/<p (?:class="[^"]*" )?style="[^"]/g)).toHaveLength(count)
})

test.each([
  ['distinct names for all elements', many(1500, (at) => `* { a${at}: b }`), paragraphs(1500)],
  ['one long rule for all elements', `* { ${many(3000, (at) => `a${at}: b;`)} }`, paragraphs(500)],
  ['children before each other', many(1000, (at) => `div > p.c${at} ~ p { top: 0 }`), `<div>${paragraphs(1000)}</div>`],
  ['long lists in parentheses', many(300, () => `:not(${'.a,'.repeat(1000)}.b) { top: 0 }`), paragraphs(2000)],
  ['an unclosed rule', `* { ${many(4000, (at) => `a${at}: b;`)}`, paragraphs(500)],
  [
    'rules behind a media query',
    `@media print { p { top: 0 } } ${many(2000, (at) => `* { a${at}: b }`)}`,
    paragraphs(500),
  ],
])('%s are not inlined, with a warning', async (_, sheet, body) => {
  const ms = await processorMs(() => {
    const html = page(sheet, body)
    const inlined = inlineStyles(html)
    expect(inlined).toEqual({ html, faults: [{ at: null, message: expect.stringContaining('too many rules') }] })
  })
  expect(ms).toBeLessThan(700)
})
