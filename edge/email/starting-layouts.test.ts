// Tests that the layouts to begin with are accepted, and that the first prints what the standard one prints.

import { expect, test } from 'vitest'
import { createRenderLayout, findLayoutFault } from '../flow/mail/render-layout.ts'
import { type LayoutParts, renderDefaultLayout } from './compose/default-layout.ts'
import { STARTING_MJML, startingHtml } from './starting-layouts.ts'

const render = createRenderLayout()
const FULL: LayoutParts = {
  content: '<h1>Hello</h1>',
  subject: 'Your <order> & "more"',
  preheader: 'It’s on its way',
  senderName: 'Blumen & Söhne',
  own: {
    unsubscribeUrl: 'https://nc.example/v1/t/u/7?a=1&b=2',
    preferencesUrl: 'https://nc.example/v1/t/p/7?a=1&b=2',
  },
  locale: null,
}
const EMPTY: LayoutParts = { ...FULL, preheader: null, senderName: null, own: null }

const valuesOf = ({ content, subject, preheader, senderName, own }: LayoutParts) => ({
  content,
  subject,
  preheader: preheader ?? '',
  senderName: senderName ?? '',
  unsubscribeUrl: own?.unsubscribeUrl ?? '',
  preferencesUrl: own?.preferencesUrl ?? '',
})

/** Entities differ by the escaping of Liquid, and mean the same. */
const decoded = (html: string) =>
  html
    .replace(/&amp;|&#38;/g, '&')
    .replace(/&quot;|&#34;/g, '"')
    .replace(/&lt;|&#60;/g, '<')
    .replace(/&gt;|&#62;/g, '>')

test.each([
  ['all values', FULL],
  ['neither preheader nor sender nor way out', EMPTY],
])('the HTML prints the standard layout: %s', (_, parts) => {
  const html = render({ layout: startingHtml(), layoutFormat: 'html' }, valuesOf(parts))
  expect(decoded(html)).toBe(decoded(renderDefaultLayout(parts)))
})

test('the MJML is a layout with all values', () => {
  expect(findLayoutFault({ layout: STARTING_MJML, layoutFormat: 'mjml' })).toBeNull()
  const html = render({ layout: STARTING_MJML, layoutFormat: 'mjml' }, valuesOf(FULL))
  for (const part of ['<h1>Hello</h1>', 'Blumen &#38; Söhne', 'It’s on its way', 'a=1&b=2" style']) {
    expect(decoded(html)).toContain(decoded(part))
  }
  expect(html).not.toContain('//fonts.')
  expect(render({ layout: STARTING_MJML, layoutFormat: 'mjml' }, valuesOf(EMPTY))).not.toContain('Unsubscribe')
})
