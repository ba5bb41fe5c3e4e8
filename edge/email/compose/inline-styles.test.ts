// Tests that a mail whose shape was seen before gets the same styles as one that the library reads itself.

import { inline } from '@css-inline/css-inline'
import { expect, test } from 'vitest'
import { renderDefaultLayout } from './default-layout.ts'
import { inlineStyles } from './inline-styles.ts'
import { shapeOf } from './markup-shape.ts'

/** Writes a page as a parser understands it, so that spellings of the same page are equal. */
const parsed = (html: string) =>
  inline(html, { inlineStyleTags: false, keepStyleTags: true, loadRemoteStylesheets: false })
const byLibrary = (html: string) => inline(html, { keepStyleTags: true, loadRemoteStylesheets: false })
const STYLE = '<style>a { color: red } p > b { margin: 0 } td { padding: 1px } p:empty { top: 0 }</style>'

const layoutOf = (value: string) =>
  renderDefaultLayout({
    content: `<h1>${value}</h1><p>a <b>b</b></p><table class="grid"><tr><td>${value}</td></tr></table>`,
    subject: value,
    preheader: 'Soon',
    senderName: value,
    unsubscribeUrl: `https://a.example/?u=${value.length}&v=2`,
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
    expect(parsed(inlineStyles(html))).toBe(parsed(byLibrary(html)))
  }
})

test('mails with other texts and addresses have one shape', () => {
  expect(shapeOf(layoutOf('one'))?.shape).toBe(shapeOf(layoutOf('twenty'))?.shape)
  expect(shapeOf('<p title="a">x</p>')?.shape).not.toBe(shapeOf('<p title="b">x</p>')?.shape)
})
