// Tests that a mail whose shape was seen before gets the same styles as one that the library reads itself.

import { inline } from '@css-inline/css-inline'
import { parse } from 'parse5'
import { expect, test } from 'vitest'
import { listElements } from '../test/page-tree.ts'
import { renderDefaultLayout } from './default-layout.ts'
import { inlineStyles } from './inline-styles.ts'
import { shapeOf } from './style-shape.ts'

/** A page as a parser understands it, so that spellings of the same page are equal. */
const parsed = (html: string) => listElements(parse(html))
const byLibrary = (html: string) => inline(html, { keepStyleTags: true, loadRemoteStylesheets: false })
const STYLE = '<style>a { color: red } p > b { margin: 0 } td { padding: 1px } p:empty { top: 0 }</style>'

const layoutOf = (value: string) =>
  renderDefaultLayout({
    content: `<h1>${value}</h1><p>a <b>b</b></p><table class="grid"><tr><td>${value}</td></tr></table>`,
    subject: value,
    preheader: 'Soon',
    senderName: value,
    own: { unsubscribeUrl: `https://a.example/?u=${value.length}&v=2`, preferencesUrl: 'https://a.example/p' },
    locale: 'de',
  })

test.each<[string, (value: string) => string]>([
  ['the own layout', (value) => layoutOf(value.replace(/[<&]/g, ''))],
  ['texts and addresses', (value) => `${STYLE}<p>${value} <a href="/${value.length}">${value}</a><b>x</b></p>`],
  ['quotation marks of any kind', (value) => `${STYLE}<a href='${value.length}"'>x</a><a href=${value.length}>y</a>`],
  ['an address in a value', (value) => `${STYLE}<a title=" href=x ${value.length}" href="/${value.length}">x</a>`],
  ['entities in addresses', (value) => `${STYLE}<a href="/?a=1&copy=${value.length}&#38;b=2&amp;c">${value}</a>`],
  ['texts that leave their table', (value) => `${STYLE}<table>${value}<tr>x<td>${value}</td>y</tr></table>`],
  ['a link that a link ends', (value) => `${STYLE}<a href="/1"><div>${value}<a href="/2">y</a></div></a>`],
  [
    'texts without markup',
    (value) => `<title>${value}</title>${STYLE}<textarea>\n<b>${value}</textarea><pre>\n${value}`,
  ],
  ['styles of attributes', (value) => `<style>[href="/5"] { color: red }</style><a href="/${value.length}">x</a>`],
  ['comments', (value) => `${STYLE}<!--[if mso]><a href="/1">x</a><![endif]--><p>${value}</p><p></p>`],
  ['markup in styles', (value) => `<style>p { color: red } /* <a href="/${value.length}"> */</style><p>${value}`],
  ['a tag in a title', (value) => `${STYLE}<title><a href="</title><i>">${value}</title><p>x`],
])('%s', (_, htmlOf) => {
  for (const value of ['short', 'a < b & c', 'longer &lt;i&gt; &nbsp; "text"', '\n', 'short']) {
    const html = htmlOf(value)
    expect(parsed(inlineStyles(html).html)).toEqual(parsed(byLibrary(html)))
  }
})

test('mails with other texts and addresses have one shape', () => {
  const shape = (html: string) => shapeOf(html).shape
  expect(shape(layoutOf('one'))).toBe(shape(layoutOf('twenty')))
  expect(shape('<p title="a">x</p>')).toBe(shape('<p title="b">y</p>'))
  expect(shape('<p class="a">x</p>')).not.toBe(shape('<p class="b">x</p>'))
  const byTitle = '<style>[title=a] { top: 0 }</style>'
  expect(shape(`${byTitle}<p title="a">x</p>`)).not.toBe(shape(`${byTitle}<p title="b">x</p>`))
})

test.each([
  'media="print"',
  'media="(prefers-color-scheme: dark)"',
  'media="screen and (max-width: 480px)"',
  'type="text/plain"',
])('rules of a style element with %s stay in the head', (attributes) => {
  const { html } = inlineStyles(
    `<style ${attributes}>.k { color: #fff }</style><style>.k { top: 0 }</style><q class="k">x</q>`,
  )
  expect(html).toContain('<q class="k" style="top: 0;">')
  expect(html).toContain(`<style ${attributes}>.k { color: #fff }</style>`)
})

test.each(['', 'media="all"', 'media="screen"', 'media="print, screen"', 'type="text/css" media=""'])(
  'rules of a style element with %s are written into the elements',
  (attributes) => {
    expect(inlineStyles(`<style ${attributes}>.k { top: 0 }</style><q class="k">x</q>`).html).toContain('style="top: 0')
  },
)

const PAGE = '<p class="Lead Button" id="ID"><a class="b" href="/x">x</a></p><h1>y</h1>'
test.each([
  ['.Button{color:red}', ['p']],
  ['P.Lead, #ID > A{color:red}', ['p', 'a']],
  [':is(p, h1){color:red}', ['p', 'h1']],
  [':where(#ID) a{color:red}', ['a']],
  ['.Lead:is(p, h1){color:red}', ['p']],
  ['p :is(.b, :is(i, u)){color:red}', ['a']],
  ['p:not(.x){color:red}', ['p']],
  ['.Lead > :last-child{color:red}', ['a']],
])('the rule %s is inlined without a warning', (sheet, names) => {
  const { html, faults } = inlineStyles(`<style>${sheet}</style>${PAGE}`)
  expect([...html.matchAll(/<(\w+)[^>]* style="color: ?red;?"/g)].map(([, name]) => name)).toEqual(names)
  expect(faults).toEqual([])
})

test.each(['p:has(a)', 'p > > a', 'p:nth-child(1 of .x)', '.a:unknown'])('%s is named in a warning', (selector) => {
  const page = `<style>h1{top:0} ${selector}{color:red}</style>${PAGE}`
  const { faults } = inlineStyles(page)
  expect(faults).toEqual([{ message: expect.stringContaining(selector), at: page.indexOf(selector) }])
})

test.each(['', '<style>p{color:red}</style>'])(
  'a style that no rule means is read as well, with the sheet %j',
  (sheet) => {
    const styles = ['color', 'width=100%', 'a:b;*c:d', '{a:b}', 'color:red', "font:'A b';", 'a:url(x.png)', ';;', '']
    const page = sheet + styles.map((style) => `<b style="${style}">x</b>`).join('')
    const { html, faults } = inlineStyles(page)
    expect(html).toBe(page)
    expect(faults.map(({ at }) => page.slice(at ?? 0).split('"')[1])).toEqual(styles.slice(0, 4))
  },
)

test('states, parts and media queries stay in the head without a warning', () => {
  const sheet =
    'a:hover{top:0} p::before{top:0} a:visited,a:link{top:0} @media print{p:has(a){top:0}} @import "x"; h1{top:0}'
  expect(inlineStyles(`<style>${sheet}</style>${PAGE}`).faults).toEqual([])
})
