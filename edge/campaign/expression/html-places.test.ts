// Tests where the outputs of an HTML template stand, and that none of them changes a tag or adds a declaration.

import { expect, test } from 'vitest'
import { processorMs } from '../../test/support/processor-time.ts'
import { boundStyles, findOutputInTag, placeOutputs } from './html-places.ts'
import { compileTemplate } from './template.ts'

test.each([
  ['<p>{{ v }}</p>', ['text']],
  ['a < {{ v }} and {{ v }} > b', ['text', 'text']],
  ['<p class="a {{ v }}" title=\'{{ v }}\'>{{ v }}', ['value', 'value', 'text']],
  ['<p STYLE="color:{{ v }}">', ['style']],
  ['<style>.a{color:{{ v }}}</style>{{ v }}', ['style', 'text']],
  ['<title>{{ v }} < b</title><p>{{ v }}', ['text', 'text']],
  ['<!-- {{ v }} --><!--[if mso]><td {{ v }}><![endif]-->', ['text', 'tag']],
  ['<{{ v }}>x</{{ v }}>', ['tag', 'tag']],
  ['<h{{ v }}>', ['tag']],
  ['<a {{ v }} href="x">', ['tag']],
  ['<td data-{{ v }}="1" {{- v -}}>', ['tag', 'tag']],
  ["<p title=it's {{ v }}>", ['tag']],
  ['<p title={{ v }}>{{ v }}', ['tag', 'text']],
  ['<p a = "{{ v }}" b="1"{{ v }}>', ['value', 'tag']],
  ['<p{% if a %} class="{{ v }}"{% endif %}>{{ v }}', ['value', 'text']],
  ['<a href="{{ v }}', ['value']],
  ['<b\u00a0title="{{ v }}">', ['tag']],
  ['<p id=a\u00a0title="{{ v }}">', ['tag']],
])('%s', (source, places) => {
  expect(placeOutputs(source).map(({ place }) => place)).toEqual(places)
})

test.each([
  '<a {{ event.properties.v }} href="https://ok.example/">Open</a>',
  '<{{ event.properties.v }}>Sign in</{{ event.properties.v }}>',
  '<h{{ event.properties.v }}>a</h1>',
  '<td data-{{ event.properties.v }}="1">',
  '<p{{ event.properties.v }}>',
  '<img {{ event.properties.v | upcase }}>',
])('an output within a tag is refused, with its place: %s', (source) => {
  for (const kind of ['html', 'layout'] as const) {
    const compiled = compileTemplate(source, kind)
    expect(compiled).toMatchObject({ fault: { position: source.indexOf('{{') } })
  }
})

test('a value without quotation marks gets them, and is no fault', () => {
  expect(compileTemplate('<p class={{ event.properties.v }}>', 'html')).toHaveProperty('template')
})

test.each([
  ['<p style="color:{{ event.properties.v }}">', 'red;background:url(https://evil.example/x.png)'],
  ['<style>.x{color:{{ event.properties.v }}}</style>', 'red}.content{display:none}'],
  ['<style>.x{color:{{- event.properties.v -}} }</style>', 'red}@import "https://evil.example"'],
  ['<p style="color:{{ event.properties.v }}">', 're/**/d\\3b top:0'],
])('a value in a style begins no declaration: %s', (source, v) => {
  const compiled = compileTemplate(source, 'html')
  if ('fault' in compiled) throw new Error(compiled.fault.message)
  const scope = { event: { properties: { v } }, events: [], user: {}, enriched: {}, campaign: {}, env: {} }
  const printed = compiled.template.render(scope as never)
  const [before = '', after = ''] = source.split(/\{\{-? event.properties.v -?\}\}/)
  const value = printed.slice(before.length, printed.length - after.trimStart().length)
  expect(value).not.toMatch(/[;:{}\\/@"'<>]/)
  expect(value).toContain('red'.slice(0, 2))
})

test('usual values of styles stay as they are', () => {
  const compiled = compileTemplate('<p style="color: {{ event.properties.v }}">', 'html')
  if ('fault' in compiled) throw new Error(compiled.fault.message)
  for (const v of ['#0a84ff', 'rgb(1, 2, 3)', 'rgba(0,0,0,.5)', '12px', '50%', '-1.5em', 'Zürich 2']) {
    const scope = { event: { properties: { v } }, events: [], user: {}, enriched: {}, campaign: {}, env: {} }
    expect(compiled.template.render(scope as never)).toBe(`<p style="color: ${v}">`)
  }
})

test('a large template takes little time', async () => {
  const ms = await processorMs(() => {
    for (const part of [
      '<style></style><title>a</title><p a="{{ v }}">',
      '{{',
      '<p a="',
      '<style>',
      '<p {%',
      '<!--',
      '<',
    ]) {
      const source = `${part.repeat(500_000 / part.length)}<style>`
      expect(findOutputInTag(source)).toBeUndefined()
      expect(boundStyles(source)).toHaveLength(source.length)
    }
  })
  expect(ms).toBeLessThan(5000)
})

test.each([
  '<p {% cycle event.properties.x %}>',
  '<a {% echo event.properties.x %} href="/">',
  '<style>p{color:{% echo event.properties.x %}}</style>',
  '<p style="color:{%- liquid\n echo event.properties.x -%}">',
])('a tag that prints is refused there too: %s', (source) => {
  expect(compileTemplate(source, 'html')).toMatchObject({ fault: { position: source.indexOf('{%') } })
})

test('a tag prints in text and in values of attributes', () => {
  expect(compileTemplate('<p class="{% cycle "a", "b" %}">{% echo event.name %}</p>', 'html')).toHaveProperty(
    'template',
  )
})
