// Tests the bound of nesting: exact for orderly markup, and never below what a parser may build from other markup.

import { expect, test } from 'vitest'
import { measureMarkup, readMarkup, replaceStartTags } from './markup.ts'

const depthOf = (markup: string, selfCloses = false) => measureMarkup(markup, { selfCloses }).depth

test.each([
  ['', 0],
  ['text < 3 & "quotes"', 0],
  ['<p>a</p><p>b <b>c</b></p>', 2],
  ['<P class=a id="x>y" hidden><br>x<img src="a>b"/></p><p>z</p>', 1],
  ['<!doctype html><!-- <b> > --><![if !mso]><p>x</p><![endif]><p>x</p>', 1],
  ['<table><tr><td><table><tr><td>x</td></tr></table></td></tr></table>', 6],
])('%j is %d deep', (markup, depth) => {
  expect(depthOf(markup)).toBe(depth)
})

/** Each one leaves an element open in a real parser, however it looks. */
test.each([
  '<div>',
  '<div/>',
  '<div title="</div>">',
  '<div "></div "><div>',
  '<div><table></div></table>',
  '<!-- --!><div><!-- --></div>',
  '<div><!--></div><div>-->',
  '<div><textarea></div></textarea>',
  '<b id=1><p></b>',
  '<div></ div>',
  '<div><![CDATA[</div>]]>',
])('%j a hundred times is at least a hundred deep', (markup) => {
  expect(depthOf(markup.repeat(100))).toBeGreaterThanOrEqual(100)
})

test('an element that closes itself counts in HTML, and not in MJML', () => {
  expect(depthOf('<mj-image src="a" />'.repeat(10))).toBe(10)
  expect(depthOf('<mj-image src="a" />'.repeat(10), true)).toBe(0)
})

test.each(['<', '<a ', '<a "', "<a x='", '<!--', '<!', '</', '<a b=c ', `<a${' '.repeat(500)}`, '<!-- -'])(
  '%j many times is measured in linear time',
  (unit) => {
    measureMarkup(unit.repeat(200_000 / unit.length), { selfCloses: false })
  },
)

test.each(['<a class=x\u00a0>', '<a\u00a0class="x">', '<a class="x"\u2003id="y">', '</a\v>', '<title>x</title\u00a0>'])(
  'reading ends before %j: programs differ in what they take for white space',
  (markup) => {
    expect(readMarkup(`text${markup}`, () => {})).toBe(markup.startsWith('<title>') ? 'text<title>'.length : 4)
    expect(replaceStartTags(`<b>${markup}<b>`, () => '<i>')).toMatch(/^<i>.*<b>$/)
  },
)

test('white space of HTML stands between attributes', () => {
  expect(replaceStartTags('<a\tb="1"\n\f\rc = 2 >', (_, attributes) => attributes)).toBe('\tb="1"\n\f\rc = 2')
})
