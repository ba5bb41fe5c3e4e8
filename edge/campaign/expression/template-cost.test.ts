// Tests that what is cheap is within the budget at the sizes that people send, and that a refusal says which part to change.

import { describe, expect, test } from 'vitest'
import { compileCondition } from './condition.ts'
import { compileTemplate, type OutputKind } from './template.ts'

function scopeOf(count: number) {
  const rows = Array.from({ length: count }, (_, at) => ({
    sku: `SKU-${at}`,
    name: `Blue shirt ${at}`,
    price: 10 + at,
    category: `c${at % 5}`,
    when: new Date(1.7e12 + at * 1e7).toISOString(),
    text2k: 'Lorem <b>ipsum</b> dolor sit amet. '.repeat(57),
  }))
  const text = 'Lorem ipsum dolor sit amet, consectetur. '.repeat(250)
  return {
    event: { properties: { rows, text } },
    user: { timeZone: 'Europe/Berlin' },
    enriched: {},
    events: rows.map((row) => ({ occurredAt: row.when, properties: row })),
    campaign: {},
    env: {},
  }
}

function render(source: string, count = 3, kind: OutputKind = 'text'): string {
  const compiled = compileTemplate(source, kind)
  if ('fault' in compiled) throw new Error(compiled.fault.message)
  return compiled.template.render(scopeOf(count))
}

const rows = (body: string) => `{% for r in event.properties.rows %}${body}{% endfor %}`

describe('within the budget', () => {
  test.each([
    [
      'a text that grows by append',
      1000,
      `{% assign s = "" %}${rows('{% assign s = s | append: r.name | append: " - " | append: r.when | append: "; " %}')}{{ s }}`,
    ],
    [
      'a text that grows by prepend',
      1000,
      `{% assign s = "" %}${rows('{% assign s = s | prepend: ", " | prepend: r.name %}')}{{ s }}`,
    ],
    [
      'a capture that holds itself',
      1000,
      rows('{% capture s %}{{ s }}{{ r.name }} {{ r.when | date: "%d.%m.%Y" }}; {% endcapture %}') + '{{ s }}',
    ],
    ['dates in a zone', 1000, rows('{{ r.when | date: "%d.%m.%Y %H:%M", user.timeZone }} ')],
    ['dates with names', 1000, rows('{{ r.when | date: "%A, %d %B %Y" }} ')],
    ['dates by other filters', 1000, rows('{{ r.when | date_to_rfc822 }}{{ r.when | date_to_long_string }}')],
    [
      'a digest with a date and filters',
      1000,
      '{% for e in events %}- {{ e.properties.name | truncate: 20 | upcase }} {{ e.properties.price | times: 1.19 | round: 2 }} {{ e.occurredAt | date: "%A %H:%M", user.timeZone }}\n{% endfor %}',
    ],
    ['truncate of 10 KB', 1000, rows('{{ event.properties.text | truncate: 30 }}')],
    ['truncatewords of 10 KB', 500, rows('{{ event.properties.text | truncatewords: 8 }}')],
    [
      'strip_html, strip, escape and truncatewords of 2 KB',
      500,
      rows('{{ r.text2k | strip_html | strip | escape | truncatewords: 15 }}'),
    ],
    ['replace of 10 KB', 200, rows('{{ event.properties.text | replace: "dolor", "x" | truncate: 10 }}')],
    ['split of 10 KB', 200, rows('{% assign w = event.properties.text | split: " " %}{{ w.size }}')],
    ['where and first', 200, rows('{% assign m = event.properties.rows | where: "sku", r.sku | first %}{{ m.name }}')],
    ['find', 200, rows('{% assign m = event.properties.rows | find: "sku", r.sku %}{{ m.name }}')],
    [
      'a search by nested loops',
      200,
      rows('{% for q in event.properties.rows %}{% if q.sku == r.sku %}{{ q.name }}{% break %}{% endif %}{% endfor %}'),
    ],
    ['sort and last', 200, rows('{% assign s = event.properties.rows | sort: "price" | last %}{{ s.price }}')],
  ])('%s over %i rows', (_, count, source) => {
    expect(render(source, count).length).toBeGreaterThan(count)
  })

  test('a condition over 200 × 200 items', () => {
    const items = Array.from({ length: 200 }, (_, at) => ({ id: `SKU-${at}` }))
    const ids = items.map(({ id }) => id).reverse()
    const compiled = compileCondition('event.properties.items.all(x, event.properties.ids.exists(y, y == x.id))')
    if ('fault' in compiled) throw new Error(compiled.fault.message)
    expect(compiled.condition.evaluate({ event: { properties: { items, ids } }, user: {}, enriched: {} })).toEqual({
      holds: true,
    })
  })
})

describe('beyond the budget', () => {
  test.each([
    [
      'a filter',
      `x\n${rows(rows('\n{% assign s = event.properties.rows | sort: "name" %}'))}`,
      'The template costs too much: it ended at the filter sort in line 3; assign its result once, before the loop.',
    ],
    [
      'a tag',
      `${rows('{% for a in (1..9000) %}{% if a == 0 %}{% endif %}{% endfor %}').repeat(9)}`,
      'The template costs too much: it ended at the tag if in line 1; loop over fewer items, by limit or where.',
    ],
    [
      'a text',
      `\n{% assign s = event.properties.text %}${'{% assign s = s | append: s %}'.repeat(5)}`,
      'The template makes a text of more than 65536 characters, by the filter append in line 2.',
    ],
    [
      'a list',
      '{% assign l = (1..99999) %}',
      'The template makes a list of more than 20000 items, by the tag assign in line 1.',
    ],
    [
      'an output',
      rows(`{{ (1..9999) | join: "" | size }}`),
      'The template costs too much: it ended at the filter join in line 1; shorten its text first, by slice or truncate.',
    ],
  ])('%s is named with its line', (_, source, message) => {
    expect(() => render(source, 200)).toThrow(message)
  })

  test('a zone and a name pay for their formatter once in each template', () => {
    const zones = Intl.supportedValuesOf('timeZone')
    const source = '{% for z in events %}{{ "now" | date: "%Y", z }}{% endfor %}'
    const compiled = compileTemplate(source, 'text')
    if ('fault' in compiled) throw new Error(compiled.fault.message)
    const renderZones = (events: unknown[]) => compiled.template.render({ ...scopeOf(0), events: events as object[] })
    expect(renderZones(zones.slice(0, 100))).toHaveLength(400)
    expect(renderZones(Array.from({ length: 1000 }, () => 'Europe/Berlin'))).toHaveLength(4000)
    // Each spelling is one to make, whether it was kept by the first rendering or not.
    expect(() => renderZones(zones.flatMap((zone) => [zone, zone.toLowerCase()]))).toThrow('the filter date in line 1')
  })
})

test('split without a separator keeps characters whole', () => {
  expect(render('{{ "a👋é" | split: "" | join: "-" }} {{ "👋b" | split: "" | reverse | join }}')).toBe('a-👋-é b 👋')
})

test.each([
  [
    '{{ "2026-05-01T22:30:00Z" | date: "%^a %-A|%12B|%_5b %h", "Asia/Kathmandu" }}',
    'SAT Saturday|         May|  May May',
  ],
  ['{{ "2026-05-01T22:30:00Z" | date: "%Z %10Z %z", "Asia/Kathmandu" }}', 'Asia/Kathmandu Asia/Kathmandu +0545'],
  [
    '{{ "2026-03-29T00:59:59Z" | date: "%T", user.timeZone }} {{ "2026-03-29T01:00:00Z" | date: "%T", user.timeZone }}',
    '01:59:59 03:00:00',
  ],
  ['{{ "1969-12-31T23:59:59.5Z" | date: "%F %T.%L %s", "America/New_York" }}', '1969-12-31 18:59:59.500 -1'],
  ['{{ 0 | date: "%F" }}{{ nothing | date: "%F" }}', '1970-01-01'],
])('%s prints %s', (source, printed) => {
  expect(render(source)).toBe(printed)
})
