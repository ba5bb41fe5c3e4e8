// Tests that texts in the accent colour of a config can be read.

import { expect, test } from 'vitest'
import { accentOf, DARK_SHEET } from './accent.ts'
import { renderDefaultLayout } from './default-layout.ts'

test.each([
  ['#aa3300', { base: '#aa3300', onBase: '#ffffff', link: '#aa3300' }],
  ['#FFD400', { base: '#ffd400', onBase: '#1c1f24' }],
  ['#ffffff', { onBase: '#1c1f24' }],
  ['#000000', { onBase: '#ffffff', link: '#000000' }],
])('%s', (colour, expected) => {
  const accent = accentOf(colour)
  expect(accent).toMatchObject(expected)
  expect(accent.link).not.toBe('#ffffff')
  expect(accent.darkLink).not.toBe(DARK_SHEET)
})

const PARTS = { content: '<p>x</p>', subject: 's', preheader: null, senderName: 'A & B', own: null, locale: null }

test('a config gives the logo, the colour and the address, as text', () => {
  const look = { logoUrl: '/logo.png?a=1&b=2', accentColor: '#aa3300', addressLine: '1 <High> Street' }
  const html = renderDefaultLayout({ ...PARTS, look })
  expect(html).toContain('src="/logo.png?a=1&amp;b=2" height="36" alt="A &amp; B"')
  expect(html).toContain('<br>1 &lt;High&gt; Street')
  expect(html).toContain('.content .button td { background: #aa3300;')
  expect(html).not.toContain('#2f5fe0')
})

test('without them it is named by its first letter, and only its own links change in dark mode', () => {
  const html = renderDefaultLayout(PARTS)
  expect(html).toContain('aria-hidden="true">A</td>')
  expect(html).not.toContain('<img')
  expect(html).not.toMatch(/\.content a \{ color: #8fb0ff/)
  expect(html).toContain('.content a[style^="color: #2f5fe0"]')
})
