// Tests translations and snippets in templates: the locale that is printed, values, escapes, and what hostile ones cost.

import { describe, expect, test } from 'vitest'
import type { CampaignTexts } from '../../domain/campaign-texts.ts'
import { takeDoubts } from './noted-doubts.ts'
import { compileTemplate, mustCompileTemplate, type OutputKind } from './template.ts'
import { findMessageFault } from './translation.ts'

const TEXTS: CampaignTexts = {
  translations: {
    en: {
      'order.shipped': '{count, plural, =0 {Nothing} one {# order} other {# orders}} for {name}',
      'order.total': 'Total {total, number, ::currency/EUR}',
      'order.when': 'On {at, date, long}',
      only: 'Only <b>English</b>',
      exact: '{n, number}|{n, plural, other {#}}|{n}',
      gift: '{kind, select, constructor {built} other {{kind}}}',
      ['__proto__']: 'proto',
    },
    de: {
      'order.shipped': '{count, plural, one {# Bestellung} other {# Bestellungen}} für {name}',
      'order.total': 'Summe {total, number, ::currency/EUR}',
      'order.when': 'Am {at, date, long}',
    },
    'pt-br': { 'order.shipped': 'Pedidos: {count, number}' },
    pl: { files: '{n, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}' },
  },
  fallback: 'en',
  isOpen: false,
  snippets: {
    footer: 'Bye {{ user.name }}{{ year }}',
    outer: '[{% render "footer", year: 7 %}]',
    loop: '{% render "loop" %}',
    hidden: '{{ secret }}{% assign leaked = 1 %}',
    link: '<a href={{ event.properties.url }}>{{ event.properties.name }}</a>',
    styled: '<p style="color: {{ event.properties.name }}">x</p>',
    open: '<a title="',
    count: '{% increment n %}{{ __proto__ }}{{ event.name }}',
    greeting: "{{ 'only' | t }}, {{ name }}",
  },
}

function render(source: string, user: object = {}, properties: object = {}, kind: OutputKind = 'text'): string {
  const compiled = compileTemplate(source, kind)
  if ('fault' in compiled) throw new Error(compiled.fault.message)
  const scope = { event: { properties }, user, enriched: {}, events: [], campaign: {}, env: {}, texts: TEXTS }
  return compiled.template.render(scope).replace(/[\u00a0\u202f]/g, ' ')
}

test.each([
  ['en', "'order.shipped' | t: count: 1, name: 'Ada'", '1 order for Ada'],
  ['en', "'order.shipped' | t: count: 0", 'Nothing for '],
  ['en', "'order.shipped' | t: count: '1234', name: 'Ada'", '1,234 orders for Ada'],
  ['de-AT', "'order.shipped' | t: count: 2, name: 'Ada'", '2 Bestellungen für Ada'],
  ['pt_BR', "'order.shipped' | t: count: 1234.5", 'Pedidos: 1.234,5'],
  ['pt-PT', "'order.shipped' | t: count: 1, name: 'Ada'", 'Pedidos: 1'],
  ['sw', "'order.shipped' | t: count: 1, name: 'Ada'", '1 order for Ada'],
  ['de', "'only' | t", 'Only <b>English</b>'],
  ['ja', "'order.total' | t: total: 9.5", 'Total €9.50'],
  ['de', "'order.total' | t: total: '9.5'", 'Summe 9,50 €'],
  ['de', "'order.when' | t: at: '2026-12-24T23:30:00Z'", 'Am 25. Dezember 2026'],
  ['de', "'order.when' | t: at: 1766572800", 'Am 24. Dezember 2025'],
  ['de', "'order.when' | t: at: '2026-12-24'", 'Am 24. Dezember 2026'],
  ['de', "'order.when' | t: at: 'soon'", 'Am soon'],
  ['de', "'order.when' | t", 'Am '],
  ['de', "'order.total' | t: total: 'free'", 'Summe free'],
  [
    'de',
    "'exact' | t: n: '12345678901234567890'",
    '12,345,678,901,234,567,890|12,345,678,901,234,567,000|12345678901234567890',
  ],
  ['en', "'exact' | t: n: event.properties.list", '12||12'],
  ['en', "'gift' | t: kind: 'constructor'", 'built'],
  ['en', "'gift' | t: kind: '__proto__'", '__proto__'],
  ['en', "'gift' | t: __proto__: 1, constructor: 2", ''],
  ['en', "'__proto__' | t", 'proto'],
  ['en', "'toString' | t", 'toString'],
  ['pl', "'files' | t: n: 3", '3 pliki'],
  ['de', "'files' | t: n: 3, locale: 'pl'", '3 pliki'],
  ['de', "'gone' | t", 'gone'],
  ['de', "'constructor' | t", 'constructor'],
  ['de', "event.properties.key | t: name: 'Ada'", ' Bestellungen für Ada'],
  ['de', "event.properties.key | t: count: 'some'", ' Bestellungen für '],
  ['en', "'order.shipped' | t: name: 'Ada'", ' orders for Ada'],
  ['en', "'order.shipped' | t", ' orders for '],
  ['de', 'event.properties.missing | t', ''],
])('for %s: %s', (locale, output, printed) => {
  const user = { locale, timeZone: 'Europe/Berlin' }
  expect(render(`{{ ${output} }}`, user, { key: 'order.shipped', list: [1, 2] })).toBe(printed)
})

describe('a translation that is missing', () => {
  test.each([
    ['de', "'order.total' | t: total: 1", undefined],
    ['sw', "'order.total' | t: total: 1", undefined],
    ['de', "'only' | t", 'prints the translation only in another language, as de lacks it'],
    ['de-AT', "'gone' | t", 'prints the translation gone by its key, as no locale has it'],
    ['sw', "'gone' | t", 'prints the translation gone by its key, as no locale has it'],
  ])('in %s by %s is a doubt: %s', (locale, output, what) => {
    takeDoubts()
    render(`{% for i in (1..20) %}{{ ${output} }}{% endfor %}`, { locale })
    expect(takeDoubts()?.map((doubt) => [doubt.kind, doubt.what])).toEqual(what && [['missing-translation', what]])
  })

  test('a value that a message has and the template does not name is a doubt', () => {
    takeDoubts()
    for (const output of ["'order.shipped' | t: nam: 'Ada', count: 1", "'order.total' | t: total: 1"])
      render(`{% for i in (1..20) %}{{ ${output} }}{% endfor %}`, { locale: 'de' })
    expect(takeDoubts()).toMatchObject([
      { kind: 'unknown-variable', what: 'prints the translation order.shipped without its name' },
    ])
  })

  test('whose key comes from data is named by the example alone', () => {
    takeDoubts()
    const scope = {
      event: { properties: { key: 'a@b.example' } },
      user: {},
      enriched: {},
      events: [],
      campaign: {},
      env: {},
    }
    const template = mustCompileTemplate('{{ event.properties.key | t }}', 'text')
    template.render({ ...scope, texts: { ...TEXTS, isOpen: true } })
    expect(takeDoubts()).toMatchObject([
      { what: 'prints a translation by its key, as no locale has it', example: 'a@b.example' },
    ])
  })
})

test('what a translation prints is escaped, its own signs too', () => {
  const source = "{{ 'only' | t }}{{ 'order.shipped' | t: count: 2, name: event.properties.name }}"
  expect(render(source, {}, { name: '<i>' }, 'html')).toBe('Only &lt;b&gt;English&lt;/b&gt;2 orders for &lt;i&gt;')
  const markdown = render(
    "{{ 'order.shipped' | t: count: 2, name: event.properties.name }}",
    {},
    { name: '[a](b)' },
    'markdown',
  )
  expect(markdown).not.toContain('[a](b)')
})

describe('a snippet', () => {
  test.each([
    ['{% render "footer" %}', 'Bye Ada'],
    ["{% render 'outer' %}", '[Bye Ada7]'],
    ['{% assign secret = 1 %}{% render "hidden" %}{{ leaked }}', ''],
    ['{% capture a %}{% render "footer" %}{% endcapture %}{{ a | upcase }}', 'BYE ADA'],
    ['{% render "footer", year: user.name %}', 'Bye AdaAda'],
    ['{% liquid\n render "footer", year: 3 %}', 'Bye Ada3'],
    ['{% increment n %}{% render "count" %}{% increment n %}', '001'],
    ['{% render "footer", __proto__: user, constructor: 1 %}', 'Bye Ada'],
    ['{% render "greeting", name: user.name %}', 'Only <b>English</b>, Ada'],
    [
      '{% for i in (1..2) %}{% render "greeting", name: i %}{% endfor %}{{ name }}',
      'Only <b>English</b>, 1Only <b>English</b>, 2',
    ],
  ])('%s', (source, printed) => {
    expect(render(source, { name: 'Ada' })).toBe(printed)
  })

  test('is escaped for the output of the template that renders it', () => {
    const properties = { url: 'x onclick=alert(1)', name: '<b>' }
    expect(render('{% render "link" %}', {}, properties, 'html')).toBe('<a href="x onclick=alert(1)">&lt;b&gt;</a>')
    expect(render('{% render "link" %}', {}, properties, 'text')).toContain('<b>')
    const hostile = { name: 'red;background:url(https://x)' }
    expect(render('{% render "styled" %}', {}, hostile, 'html')).not.toContain(':url(')
  })

  test('bounds values of addresses as templates do', () => {
    const texts = { ...TEXTS, snippets: { site: '<a href="https://shop.example/{{ event.properties.path }}">x</a>' } }
    const scope = {
      event: { properties: { path: '/../@evil.example' } },
      user: {},
      enriched: {},
      events: [],
      campaign: {},
      env: {},
    }
    const own = mustCompileTemplate(texts.snippets.site, 'html').render(scope)
    expect(mustCompileTemplate('{% render "site" %}', 'html').render({ ...scope, texts })).toBe(own)
    expect(own).not.toContain('"https://shop.example//../@')
  })

  describe('keeps the origin of an address that the template has built', () => {
    const LINK = '<a href="{{ url }}">x</a>'
    const APPEND = '{% assign u = "https://shop.example" | append: event.properties.name %}'
    test.each([
      [`${APPEND}{% render "s", url: u %}`, LINK, '.evil.example/', 'https://shop.example/.evil.example/'],
      [`${APPEND}{% render "s", url: u %}`, LINK, '/a?b', 'https://shop.example/a?b'],
      [
        '{% assign u = "/" | append: event.properties.name %}{% render "s", url: u %}',
        LINK,
        '/evil.example',
        '/evil.example',
      ],
      [
        '{% capture u %}https://shop.example{{ event.properties.name }}{% endcapture %}{% render "s", url: u %}',
        LINK,
        '.evil.example',
        'https://shop.example/.evil.example',
      ],
      [
        '{% liquid\n assign u = "/" | append: event.properties.name\n render "s", url: u %}',
        LINK,
        '/evil.example',
        '/evil.example',
      ],
      [
        `${APPEND}{% render "s", url: u %}`,
        '{% assign v = url | append: "?a" %}<a href="{{ v }}">x</a>',
        '.evil.example',
        'https://shop.example/.evil.example?a',
      ],
      [`${APPEND}{% render "outer", url: u %}`, LINK, '.evil.example', 'https://shop.example/.evil.example'],
      [
        `${APPEND}{% assign l = u | split: "," %}{% for u in l %}{% render "s", url: u %}{% endfor %}`,
        LINK,
        '.evil.example',
        '',
      ],
      ['{% render "s", url: event.properties.name %}', LINK, 'https://other.example/', 'https://other.example/'],
    ])('%s with %s and %s', (source, snippet, name, address) => {
      const snippets = { s: snippet, outer: '{% render "s", url: url %}' }
      const scope = { event: { properties: { name } }, user: {}, enriched: {}, events: [], campaign: {}, env: {} }
      const rendered = mustCompileTemplate(source, 'html').render({ ...scope, texts: { ...TEXTS, snippets } })
      expect(rendered.trim()).toBe(`<a href="${address}">x</a>`)
    })
  })

  test('stands in text, and ends in it', () => {
    for (const source of [
      '<a {% render "link" %}>',
      '<a href="https://{% render "link" %}">',
      '<p style="{% render "link" %}">',
      '<style>{% render "link" %}</style>',
    ])
      expect(compileTemplate(source, 'html')).toHaveProperty('fault')
    expect(() => render('{% render "open" %}">x</a>', {}, {}, 'html')).toThrow('ends in the text of the page')
    expect(render('{% render "open" %}">x</a>')).toBe('<a title="">x</a>')
  })

  test('that costs too much is named with the line', () => {
    const texts = {
      ...TEXTS,
      snippets: {
        slow: '\n{% for i in (1..20000) %}{% for j in (1..20000) %}{% assign a = j %}{% endfor %}{% endfor %}',
      },
    }
    const scope = { event: {}, user: {}, enriched: {}, events: [], campaign: {}, env: {}, texts }
    const template = mustCompileTemplate('{% render "slow" %}', 'text')
    expect(() => template.render(scope)).toThrow('in line 2 of the snippet slow')
  })

  test('that is missing, or renders itself, ends the template', () => {
    expect(() => render('{% render "gone" %}')).toThrow('There is no snippet gone')
    expect(() => render('{% render "constructor" %}')).toThrow('There is no snippet constructor')
    expect(() => render('{% render "loop" %}')).toThrow('nested too deep')
  })

  test.each(['{% render name %}', '{% render "a" with b %}', '{% render %}', '{% render "a" "b" %}'])(
    '%s is a fault',
    (source) => {
      expect(compileTemplate(source, 'text')).toHaveProperty('fault')
    },
  )

  test('and a translation need the profile, and are none of layouts', () => {
    for (const source of ['{% render "a" %}', "{% liquid\nrender 'a' %}", '{{ "a" | t }}']) {
      expect(mustCompileTemplate(source, 'text').readsProfile).toBe(true)
      expect(compileTemplate(source, 'layout')).toMatchObject({
        fault: { message: expect.stringContaining('not for layouts') },
      })
    }
  })
})

test.each([
  ['{', 'This is no ICU message'],
  ['{a, plural, one {x}}', 'This is no ICU message'],
  ['{a, number, ::currency/x}', 'This is no ICU message'],
  ['{n, plural, one {{v, number, ::currency/x}} other {x}}', 'This is no ICU message'],
  ['{a, number, constructor}', 'There is no style constructor of a number.'],
  ['{a, date, longest}', 'There is no style longest of a date.'],
  ['{a, number, currency}', 'This is no ICU message'],
  [`{a, date, ::${'jM'.repeat(2000)}}`, 'at most 64 characters'],
  ['{a, time, ::jmj}', 'its hour once'],
  ['x'.repeat(4097), 'at most 4096'],
])('the message %s has a fault', (source, fault) => {
  expect(findMessageFault(source)).toContain(fault)
})

test.each([
  "It''s {n, plural, =0 {none} one {# <b>file</b>} other {# files}} of {who, select, me {mine} other {{who}}}",
  '{at, date, ::yMMMMd} {at, time, short} {p, number, percent} {x, number, ::compact-short} {n, selectordinal, one {#st} other {#th}}',
  `${'{a, select, other {'.repeat(100)}x${'}}'.repeat(100)}`,
])('the message %s has none', (source) => {
  expect(findMessageFault(source)).toBeUndefined()
})

test('translations and snippets are charged, kept or not', () => {
  for (let turn = 0; turn < 2; turn++) {
    expect(() => render("{% for i in (1..20000) %}{% assign a = 'order.shipped' | t: count: i %}{% endfor %}")).toThrow(
      'costs too much',
    )
    expect(() =>
      render(
        '{% for i in (1..20000) %}{% for j in (1..20000) %}{% capture a %}{% render "hidden" %}{% endcapture %}{% endfor %}{% endfor %}',
      ),
    ).toThrow('costs too much')
    expect(() =>
      render("{{ 'order.shipped' | t: name: event.properties.long }}", {}, { long: 'x'.repeat(65_530) }),
    ).toThrow('makes a text')
  }
})
