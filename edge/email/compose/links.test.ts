// Tests where addresses of mails lead: paths at the site, everything else with a host of its own.

import { expect, test } from 'vitest'
import { rewriteAddresses } from './links.ts'

const SITE = 'https://shop.example/de/'

test.each([
  ['a path', '<a href="/orders/1">x</a>', '<a href="https://shop.example/de/orders/1">x</a>'],
  ['a relative link', '<a href="orders/1?a=b">x</a>', '<a href="https://shop.example/de/orders/1?a=b">x</a>'],
  ['a query', '<a href="?a=b">x</a>', '<a href="https://shop.example/de/?a=b">x</a>'],
  ['text that looks like an attribute', '<p>src = //x</p>', '<p>src = //x</p>'],
  ['a host', '<a href="//cdn.example/x">x</a>', '<a href="https://cdn.example/x">x</a>'],
  ['a relative picture', '<img src="img/logo.png">', '<img src="https://shop.example/de/img/logo.png">'],
  ['a picture of a host', "<img src='//cdn.example/p.png'>", '<img src="https://cdn.example/p.png">'],
  [
    'a list of pictures',
    '<img srcset="/a.png 1x, b.png 2x,//c.example/c.png 3x">',
    '<img srcset="https://shop.example/de/a.png 1x, https://shop.example/de/b.png 2x,https://c.example/c.png 3x">',
  ],
  ['a source', '<source srcset="a.webp">', '<source srcset="https://shop.example/de/a.webp">'],
  ['a background', '<th background="/b.png">', '<th background="https://shop.example/de/b.png">'],
  [
    'a poster',
    '<video poster="p.png" src="/v.mp4">',
    '<video poster="https://shop.example/de/p.png" src="https://shop.example/de/v.mp4">',
  ],
  ['a style', '<p style="background:url(/b.png)">', '<p style="background:url(https://shop.example/de/b.png)">'],
  [
    'a style sheet',
    "<style>p{background:url('b.png')}</style>",
    "<style>p{background:url('https://shop.example/de/b.png')}</style>",
  ],
  [
    'a button of Outlook',
    '<!--[if mso]><v:rect href="/orders/1"></v:rect><![endif]-->',
    '<!--[if mso]><v:rect href="https://shop.example/de/orders/1"></v:rect><![endif]-->',
  ],
  ['an entity', '<a href="/a?b=1&amp;c=2">x</a>', '<a href="https://shop.example/de/a?b=1&amp;c=2">x</a>'],
  ['an element that ends itself', '<img src="/a.png" />', '<img src="https://shop.example/de/a.png" />'],
])('%s begins at the site', (_, html, rewritten) => {
  expect(rewriteAddresses(html, SITE)).toBe(rewritten)
})

test.each([
  '<a href="https://other.example/x">x</a>',
  '<a href="mailto:a@b.example?cc=c@d.example">x</a>',
  '<a href="tel:+1">x</a>',
  '<a href="#section">x</a>',
  '<a href="shopapp://orders/1">x</a>',
  '<img src="cid:logo">',
  '<img src="data:image/png;base64,AA==">',
  '<p style="color:red">x</p>',
  '<!-- <a href="/x"> -->',
])('%s stays as it is', (html) => {
  expect(rewriteAddresses(html, SITE)).toBe(html)
})

test('a link that is left out of the tracking is not followed, and providers are told', () => {
  const html =
    '<a href="/a">1</a> <a data-nc-track="off" href="/reset?token=s">2</a> <a data-nc-track=OFF href="/b">3</a>'
  const options = { follow: (link: string) => `https://t.example/${encodeURIComponent(link)}` }
  expect(rewriteAddresses(html, SITE, options).match(/href="[^"]*"/g)).toEqual([
    'href="https://t.example/https%3A%2F%2Fshop.example%2Fde%2Fa"',
    'href="https://shop.example/de/reset?token=s"',
    'href="https://shop.example/de/b"',
  ])
  const [first, second] = rewriteAddresses(html, SITE, { marksUntracked: true }).split(' <a ')
  expect(first).toBe('<a href="https://shop.example/de/a">1</a>')
  expect(second).toContain('clicktracking="off" disable-tracking="true" data-pm-no-track ses:no-track>2</a>')
})

test('long hostile values take linear time', () => {
  for (const piece of ['url(', 'url( ', ', ', 'a,', '<!--[if ', ' ']) {
    const long = piece.repeat(100_000)
    const html = `<p style="${long}"></p><img srcset="${long}"><style>${long}</style><!--[if mso]>${long}<![endif]-->`
    expect(rewriteAddresses(html, SITE).length).toBeGreaterThan(0)
  }
})
