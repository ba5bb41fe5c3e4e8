// Tests the conversion of layouts: what it keeps for Liquid, what it refuses, and that hostile ones break nothing.

import { expect, test } from 'vitest'
import { processorMs } from '../test/support/processor-time.ts'
import { findMjmlFault, mjmlToHtml } from './mjml.ts'

const page = (body: string) => `<mjml><mj-body>${body}</mj-body></mjml>`
const column = (content: string) => page(`<mj-section><mj-column>${content}</mj-column></mj-section>`)

function converted(source: string): string {
  const result = mjmlToHtml(source)
  if ('fault' in result) throw new Error(result.fault)
  return result.html
}

test('a layout becomes tables for Outlook, and its Liquid stays as it is', () => {
  const html = converted(
    `<mjml><mj-head><mj-preview>{{ preheader }}</mj-preview><mj-style>.a { color: red }</mj-style></mj-head>
    <mj-body width="500px"><mj-section background-color="#123456"><mj-column width="40%"><mj-text color="#abcdef">{{ content }}</mj-text></mj-column>
    <mj-column width="60%"><mj-button href="{{ unsubscribeUrl }}">Stop “{{ subject }}”</mj-button></mj-column></mj-section></mj-body></mjml>`,
  )
  expect(html).toMatch(/^<!doctype html>/i)
  expect(html).toContain('>{{ content }}</div>')
  expect(html).toContain('href="{{ unsubscribeUrl }}"')
  expect(html).toContain('Stop “{{ subject }}”')
  expect(html).toMatch(/<div style="[^"]*display:none[^"]*">\s*\{\{ preheader \}\}\s*<\/div>/)
  expect(html).toContain('max-width:500px')
  expect(html).toContain('<!--[if mso | IE]>')
  // Columns stand beside each other from 480 px on.
  expect(html).toMatch(/@media only screen and \(min-width:\s*480px\)/)
  expect(html).toMatch(/mj-column-per-40\b[^{]*\{ width:40% !important/)
  expect(html).toContain('background:#123456')
  expect(html).toContain('color:#abcdef')
  expect(html).toContain('.a { color: red }')
})

test.each([
  '',
  'text',
  '<p>{{ content }}</p>',
  '<mjml><mj-body>',
  '<mjml><mj-body><mj-text></mj-body></mjml',
  column('<mj-include path="/etc/passwd" />'),
  column('<mj-include path="http://127.0.0.1:1/x.mjml" />'),
])('%j is refused in words', (source) => {
  const result = mjmlToHtml(source)
  expect(result).toMatchObject({ fault: expect.stringMatching(/\w+ \w+/) })
  expect(JSON.stringify(result)).not.toContain('root:')
})

test('a hostile layout is refused at once, and others are converted after it', async () => {
  const nested = (tag: string, times: number) => `<${tag}>`.repeat(times) + `</${tag}>`.repeat(times)
  for (const source of [
    page(nested('mj-wrapper', 3000)),
    column(`<mj-text>${nested('div', 3000)}</mj-text>`),
    column(`<mj-text>${'<p>'.repeat(8000)}</mj-text>`),
    column(`<mj-text>${'<b c="</b>">'.repeat(5000)}</mj-text>`),
    column(`<mj-raw>${'<div>'.repeat(8000)}</mj-raw>`),
    column(`<mj-carousel>${'<mj-carousel-image src="a"/>'.repeat(2000)}</mj-carousel>`),
    '<'.repeat(65_000),
    '<a '.repeat(20_000),
  ]) {
    expect(await processorMs(() => expect(mjmlToHtml(source)).toHaveProperty('fault'))).toBeLessThan(1000)
  }
  expect(converted(column('<mj-text>{{ content }}</mj-text>'))).toContain('{{ content }}')
})

test('a long layout of many sections is converted', () => {
  const section =
    '<mj-section><mj-column><mj-text>Text<br>more<br/>and</mj-text><mj-image src="https://a.example/b.png" /></mj-column></mj-section>'
  expect(converted(page(section.repeat(60)))).toContain('https://a.example/b.png')
})

test('a fault has its place in characters, where the parser names one', () => {
  const source = '<mjml><mj-body>größer\n</mj-column></mj-body></mjml>'
  const result = mjmlToHtml(source)
  expect(result).toMatchObject({ position: source.indexOf('</mj-body') })
  expect(result).toHaveProperty('fault', expect.not.stringMatching(/position|template/))
  expect(mjmlToHtml('text')).not.toHaveProperty('position')
})

test.each([
  [column('\n<mj-txt>{{ content }}</mj-txt>'), 'there is no element mj-txt on line 2'],
  [column('<mj-foo/>'), 'there is no element mj-foo on line 1'],
  [page('<mj-sectin><mj-column/></mj-sectin>'), 'there is no element mj-sectin on line 1'],
  [column('\n\n<p>{{ content }}</p>'), 'there is no element p on line 3: HTML stands in mj-text or mj-raw'],
  [column('<mj-text colr="red">{{ content }}</mj-text>'), 'there is no attribute colr of mj-text on line 1'],
  [
    `<mjml><mj-head><mj-attributes>\n<mj-all colr="red" /></mj-attributes></mj-head><mj-body /></mjml>`,
    'there is no attribute colr of mj-all on line 2',
  ],
])('%j is converted, and refused when it is saved', (source, fault) => {
  converted(source)
  const position = fault.includes('mj-all')
    ? source.indexOf('<mj-all')
    : source.search(/<(?:mj-(?:txt|foo|sectin|text)|p)\b/)
  expect(findMjmlFault(source)).toEqual({ fault, position })
})

test.each([
  column('<mj-text><p class="a" data-x="1">{{ content }}</p></mj-text><mj-raw><mj-is-html></mj-is-html></mj-raw>'),
  column('<!-- <mj-old colr="red" /> --><mj-text mj-class="a" css-class="b">{% if a == 1 %}x{% endif %}</mj-text>'),
  column('<mj-image src="https://a.example/b.png?x=1&amp;y=2" alt="B" fluid-on-mobile="true" />'),
])('%j has no fault', (source) => {
  expect(findMjmlFault(source)).toBeUndefined()
})

test.each(['Ubuntu', 'Roboto', 'Open Sans', 'Lato', 'Droid Sans'])('a text in %s loads no font', (font) => {
  const html = converted(column(`<mj-text font-family="${font}, Arial">{{ content }}</mj-text>`))
  expect(html).not.toMatch(/<link|@import|googleapis/)
  expect(converted(column('<mj-text>{{ content }}</mj-text>'))).not.toMatch(/<link|@import|googleapis/)
})

test.each([
  ['<mj-social><mj-social-element name="facebook">F</mj-social-element></mj-social>'],
  ['<mj-carousel><mj-carousel-image src="https://a.example/a.png" /></mj-carousel>'],
  [
    '<mj-accordion><mj-accordion-element><mj-accordion-title>A</mj-accordion-title><mj-accordion-text>B</mj-accordion-text></mj-accordion-element></mj-accordion>',
  ],
])('%s would load pictures of another server, and is refused when it is saved', (element) => {
  expect(findMjmlFault(column(element))).toMatchObject({ fault: expect.stringMatching(/^it would load https?:/) })
})
