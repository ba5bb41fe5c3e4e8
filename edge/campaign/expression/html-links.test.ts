// Tests links in HTML whose destination comes from untrusted data.

import { describe, expect, test } from 'vitest'
import { processorMs } from '../../test/support/processor-time.ts'
import { compileMail } from '../steps/email.ts'
import { checkHtmlLinks, hasPathsOfValues, keepOnSite } from './html-links.ts'

describe('a link in the HTML of a mail', () => {
  const html = `<a class="x" href="{{ event.properties.to }}">to</a> <img src='{{ event.properties.to }}'>`
  const printed = (to: string) => {
    const scope = { event: { properties: { to } }, user: {}, enriched: {}, events: [], campaign: {}, env: {} }
    return compileMail({ subject: 's', html }).render(scope, { category: null, locale: null, fallbackTitle: 'f' }).email
      .html
  }

  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>',
    'data:image/svg+xml,<svg>',
    'javascript://x.y/%0Aalert(1)?"\'<>&',
    'ftp://x.y/',
    'shop-app://order/7',
    'https://user:secret@x.y/',
  ])('that would run %j loses it, and its text stays', (to) => {
    expect(printed(to)).toBe('<a class="x" >to</a> <img >')
  })

  test.each([
    'https://x.y/?a=1&b=2',
    'mailto:a@b.c',
    'tel:+1',
    '/orders/7',
    '#top',
    'sms:+1',
    'orders/7',
    '//x.y/z',
    '',
  ])('to %j is as it was written', (to) => {
    const written = to.replaceAll('&', '&amp;')
    expect(printed(to)).toBe(`<a class="x" href="${written}">to</a> <img src='${written}'>`)
  })

  test('is a host without https:// as well', () => {
    expect(checkHtmlLinks('<a href="www.shop.example/x">x</a><a href="/www.x">y</a>')).toBe(
      '<a >x</a><a href="/www.x">y</a>',
    )
  })

  test('is found in every spelling, and nothing else is changed', () => {
    expect(checkHtmlLinks('<a HREF = javascript:x>l</a><a title="a"href=\'data:,x\'>l</a>')).toBe(
      '<a >l</a><a title="a">l</a>',
    )
    for (const html of [
      '<img src="data:image/png;base64,AAAA">',
      '<p title="javascript:x">javascript:x</p>',
      '<a data-href="javascript:x">',
      '<p>src = javascript:x, and href=data:,x</p>',
      'ping=javascript:x <b>action = vbscript:x</b>',
      '<title>href=javascript:x</title>',
    ]) {
      expect(checkHtmlLinks(html)).toBe(html)
    }
  })

  test.each([
    '<p>src = //x</p>',
    'href=//x.example and srcset="//y.example 2x"',
    '<b>background = / /x</b>',
    '<style>/* src=//x */</style>',
  ])('text stays beside a path with a value: %s', (text) => {
    expect(keepOnSite(`${text}<a href="//x.example/">a</a>`)).toBe(`${text}<a href="/x.example/">a</a>`)
  })

  test('behind a select, where elements of text are none', () => {
    const select = '<select><style><input>'
    const html = `${select}<a href="//x.example/">a</a><a href="javascript:x">b</a></style>`
    expect(keepOnSite(html)).toContain('href="/x.example/"')
    expect(checkHtmlLinks(html)).not.toContain('javascript')
  })

  test.each([
    '<p <b href=javascript:x>',
    '<!--[if mso]><a href="javascript:x"><![endif]-->',
    '<p a/href=javascript:x>',
  ])('is found where programs read markup in different ways: %s', (html) => {
    expect(checkHtmlLinks(html)).not.toContain('javascript')
  })

  test('of an app stays where its scheme is allowed', () => {
    const html = '<a href="shopapp://orders/1">x</a>'
    expect(checkHtmlLinks(html, ['shopapp'])).toBe(html)
    expect(checkHtmlLinks(html, ['other'])).toBe('<a >x</a>')
  })

  test('is read with the references of its author', () => {
    expect(checkHtmlLinks('<a href="java&#115;cript&colon;x">l</a><a href=&#x6A;avascript:x>l</a>')).toBe(
      '<a >l</a><a >l</a>',
    )
    const written = '<a href="&#109;ailto:a&commat;b.example">l</a><img src="cid:logo">'
    expect(checkHtmlLinks(written)).toBe(written)
  })

  test('with many spaces in a value is kept on the site in linear time', async () => {
    const ms = await processorMs(() => {
      for (const space of [' ', '\n', '/ ', '" ']) keepOnSite(` href=${space.repeat(65_000)}x`)
    })
    expect(ms).toBeLessThan(2000)
  })

  test('without an end takes linear time', async () => {
    const ms = await processorMs(() => {
      for (const piece of ['<a href="', "<a href='", '<a href=', '<a href = ']) checkHtmlLinks(piece.repeat(30_000))
    })
    expect(ms).toBeLessThan(2000)
  })
})

test.each([
  '<a href="//evil.example/">',
  "<a href='/\\evil.example/'>",
  '<a href=" / /evil.example/">',
  '<img src=//evil.example/>',
])('an address that a value moved to another host stays on the site: %s', (html) => {
  expect(keepOnSite(html)).toMatch(/=["']?\/evil\.example/)
})

test('other addresses stay as they are', () => {
  const html = '<a href="https://a.example//b">x</a><a href="/a//b">//c</a>'
  expect(keepOnSite(html)).toBe(html)
})

test.each([
  ['<a href="/{{ v }}">', true],
  ['<a href= "//a.example/{{ v }}">', false],
  ["<a href=' //a.example/{{ v }}'>", false],
  ['<img srcset="/a 1x, //a.example/{{ v }}">', false],
  ['<img srcset="/a"><p>//</p>/{{ v }}', true],
])('paths of values are found: %s', (template, hasPaths) => {
  expect(hasPathsOfValues(template)).toBe(hasPaths)
})

test('finding paths of values takes linear time', async () => {
  const ms = await processorMs(() => {
    for (const piece of ['=', ' ', '= ', 'srcset ', '/ ', 'prepend: ', 'srcset//'])
      hasPathsOfValues(`=${piece.repeat(500_000 / piece.length)}/{{ v }}`)
  })
  expect(ms).toBeLessThan(1000)
})
