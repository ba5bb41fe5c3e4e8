// Tests that no mail has elements that run code, or an address with an unsafe scheme, wherever they are written.

import { expect, test } from 'vitest'
import { ADDRESS_ATTRIBUTES } from '../../lib/address-attributes.ts'
import { processorMs } from '../../test/support/processor-time.ts'
import { removeUnsafe } from './remove-unsafe.ts'

test.each([
  ['<object data="javascript:x">a</object>', 'a'],
  ['<p>a<EMBED src="https://x.example/a.swf">b</p>', '<p>ab</p>'],
  ['<script>alert(1)</script>a', 'a'],
  ['<iframe src="https://x.example/">a</iframe>', 'a'],
  ['<meta http-equiv=refresh content="0;url=javascript:x">a', 'a'],
  ['<meta HTTP-EQUIV="Re&#102;resh" content="0">a', 'a'],
  [
    '<svg><a href="/x"><animate attributeName="href" to="javascript:x"/><set attributeName=href to=x></a></svg>',
    '<svg><a href="/x"></a></svg>',
  ],
  ['<!--[if mso]><object data="x">a</object><![endif]-->', '<!--[if mso]>a<![endif]-->'],
  ['<p <b><script>alert(1)</script><meta http-equiv="refresh" content=0>a', '<p <b>a'],
])('%s', (html, expected) => {
  const found = removeUnsafe(html, [])
  // Spaces stand for what was removed.
  expect(found.html.replaceAll(' ', '')).toBe(expected.replaceAll(' ', ''))
  expect(found.faults[0]).toMatchObject({ message: expect.stringContaining('removed'), at: expect.any(Number) })
})

test.each([...ADDRESS_ATTRIBUTES, 'ping', 'srcset'])('the attribute %s has no unsafe scheme', (name) => {
  const found = removeUnsafe(`<a ${name}="java&#115;cript:alert(1)">a</a>`, [])
  expect(found.html).toBe('<a >a</a>')
  expect(found.faults).toHaveLength(1)
  expect(removeUnsafe(`<a ${name}="https://x.example/">a</a>`, []).faults).toEqual([])
})

test.each([
  '<scr<set >ipt>alert(1)</scr<set >ipt>',
  '<ifr<iframe>ame src="https://x.example/">',
  '<<set >script>alert(1)</script>',
  '<</object>script>alert(1)',
  '<!--<scr<set>ipt>-->',
])('what is removed leaves no tag together: %s', (html) => {
  expect(removeUnsafe(html, []).html).not.toMatch(/<(?:script|iframe)/i)
})

test('an address that is divided by a removed tag is read as a whole', () => {
  expect(removeUnsafe('<p <b><a href="java<set >script:alert(1)">a</a>', []).html).toBe('<p <b><a >a</a>')
})

test('a fault of an address says where its tag begins', () => {
  expect(removeUnsafe('<p>ab</p><a href="javascript:x">a</a>', []).faults).toMatchObject([{ at: 9 }])
})

test.each(['&#x000000003a;', '&#0000000058;', '&#x3A;', '&colon;'])('a colon written as %s is read', (colon) => {
  expect(removeUnsafe(`<a href="javascript${colon}alert(1)">a</a>`, []).html).toBe('<a >a</a>')
})

test('a refused address without quotation marks takes no tag with it', () => {
  const text = 'href=javascript:x'
  expect(removeUnsafe(`<p <b><title>a ${text}</title><p>a`, []).html).toContain('</title><p>a')
})

test('what mails usually have stays as it is', () => {
  const html =
    '<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Type" content="text/html"><style>p{top:0}</style></head><body><form action="https://x.example/"><img src="cid:a" srcset="/a.png 1x, /b.png 2x"><a href="shopapp://x">a</a></form></body></html>'
  expect(removeUnsafe(html, ['shopapp'])).toEqual({ html, faults: [] })
})

test.each(['<script>', '<meta ', '<object ', '<!--<script>', '<p <script', '</script>'])(
  'many %s take linear time',
  async (piece) => {
    const ms = await processorMs(() => {
      removeUnsafe(piece.repeat(60_000), [])
      removeUnsafe(`<!--${piece.repeat(60_000)}-->`, [])
    })
    expect(ms).toBeLessThan(2000)
  },
)
