// Tests that an address that a template builds keeps the origin that its author wrote, whichever filters build it.

import { describe, expect, test } from 'vitest'
import { findLinkFaults } from '../link-faults.ts'
import { findAddressFaults } from './address-values.ts'
import { createEngine } from './liquid.ts'
import { mustCompileAddress, mustCompileTemplate, TemplateError } from './template.ts'

const scopeOf = (v: unknown, more: object = {}) => ({
  ...{ user: {}, enriched: {}, events: [], campaign: {}, env: {} },
  event: { properties: { v, ...more } },
})
const V = 'event.properties.v'
const SITE = 'https://shop.example'

describe('a value does not choose the origin of what the author began', () => {
  test.each([
    [`{{ "/" | append: ${V} }}`, '/evil.example', '/evil.example'],
    [`{{ "/" | append: ${V} }}`, '\\evil.example', '/evil.example'],
    [`{{ ${V} | prepend: "/" }}`, '/evil.example', '/evil.example'],
    [`{{ ${V} | prepend: "${SITE}" }}`, '.evil.example', `${SITE}/.evil.example`],
    [`{{ "${SITE}" | append: ${V} }}`, '@evil.example', `${SITE}/@evil.example`],
    [`{{ "${SITE}" | append: ${V} }}`, ':x@evil.example', `${SITE}/:x@evil.example`],
    [`{{ "${SITE}" | upcase | append: ${V} }}`, '.evil.example', `${SITE.toUpperCase()}/.evil.example`],
    [`{{ "ht" | append: ${V} }}`, 'tps://evil.example', 'httpss%3A//evil.example'.replace('ss', 's')],
    [`{{ "/ID" | replace: "ID", ${V} }}`, '/evil.example', '/evil.example'],
    [`{{ "${SITE}ID" | replace: "ID", ${V} }}`, '.evil.example', `${SITE}/.evil.example`],
    [`{{ "${SITE}ID" | replace_first: "ID", ${V} }}`, '.evil.example', `${SITE}/.evil.example`],
    [`{{ "${SITE}ID" | replace_last: "ID", ${V} }}`, '.evil.example', `${SITE}/.evil.example`],
    [`{{ "${SITE}/x" | append: ${V} | remove: "/x" }}`, '.evil.example', `${SITE}/.evil.example`],
    [`{{ "${SITE}/" | append: ${V} | remove: "/evil" }}`, 'evil.example2', `${SITE}/.example2`],
    [`{{ "${SITE}" | split: "|" | join: "" | append: ${V} }}`, '.evil.example', ''],
    [`{{ "/|" | append: ${V} | split: "|" | join: "" }}`, '/evil.example', '/evil.example'],
    [`{{ "${SITE}|" | append: ${V} | split: "|" | join: "" }}`, '.evil.example', ''],
    [`{{ "${SITE}" | append: ${V} | slice: 0, 60 }}`, '.evil.example', ''],
    [`{{ "${SITE}" | append: ${V} | truncate: 60 }}`, '.evil.example', ''],
    [`{{ "${SITE}" | truncate: 5, ${V} }}`, '.evil.example', '.evil.example'],
    [`{{ "/" | append: ${V} | reverse }}`, '/evil.example', '/evil.example'],
    [`{{ event.properties.none | default: "/" | append: ${V} }}`, '/evil.example', '/evil.example'],
    [`{{ event.properties.none | default: "${SITE}" | append: ${V} }}`, '.evil.example', `${SITE}/.evil.example`],
    [`{% assign u = "/" | append: ${V} %}{{ u }}`, '/evil.example', '/evil.example'],
    [`{% assign u = "/" %}{% assign u = u | append: ${V} %}{{ u }}`, '/evil.example', '/evil.example'],
    [`{% capture u %}${SITE}{{ ${V} }}{% endcapture %}{{ u | strip }}`, '.evil.example', `${SITE}/.evil.example`],
    [
      `{% capture u %}{% if event %}${SITE}{% else %}/{% endif %}{{ ${V} }}{% endcapture %}{{ u }}`,
      '.evil.example',
      `${SITE}/.evil.example`,
    ],
    [`{% liquid assign u = "/" | append: ${V} %}{{ u }}`, '/evil.example', '/evil.example'],
    [`{% assign l = "${SITE}" | split: "|" | concat: event.properties.l %}{{ l | join: "" }}`, '', ''],
    [
      `{% assign u = "${SITE}" | append: ${V} %}{% if v %}{% assign u = "/" %}{% endif %}{{ u }}`,
      '.e.example',
      `${SITE}/.e.example`,
    ],
    [
      `{% assign u = "${SITE}/" %}{% for i in (1..2) %}{% if i == 2 %}{{ u }}{% endif %}{% assign u = "/" | append: ${V} %}{% endfor %}`,
      '/evil.example',
      '/evil.example',
    ],
    [`{{ event.properties.l | join: "/" }}`, '', '/evil.example'],
  ])('%s with %j', (source, v, address) => {
    const scope = scopeOf(v, { l: ['', '.evil.example'] })
    if (source.includes('l | join: "/"')) scope.event.properties = { v, l: ['', '', 'evil.example'] } as never
    expect(mustCompileAddress(source).render(scope)).toBe(address)
    const html = mustCompileTemplate(`<a href='${source}'>`, 'html').render(scope)
    expect(html.replaceAll('&#39;', "'")).toBe(`<a href='${address}'>`)
  })
})

/** Each is tried behind a text of the author and a value, with operands of both. */
const FILTERS = Object.keys(createEngine('text').filters).filter((name) => !/^(?:prepend|unshift|url_)/.test(name))
const OPERANDS = [
  '',
  ': 3',
  ': "/"',
  ': "e"',
  ': "//", ""',
  ': "e", "/"',
  `: ${V}`,
  `: "e", ${V}`,
  `: "example", ${V}`,
  `: ${V}, ${V}`,
]
const ATTACKS = [
  '.evil.example',
  '/evil.example',
  '//evil.example',
  '@evil.example',
  ':x@evil.example/',
  '\\evil.example',
]

test.each(FILTERS)('behind a text of the author, %s lets no value choose the origin', (name) => {
  const begins = [`"${SITE}"`, `"${SITE}/"`, '"/"', `"${SITE}|" | split: "|" | join: ""`, 'base']
  const calls = OPERANDS.map((operands) => `${name}${operands}`)
  const sources = begins.flatMap((begin) =>
    calls.flatMap((call) => [`{{ ${begin} | append: ${V} | ${call} }}`, `{{ ${begin} | ${call} | append: ${V} }}`]),
  )
  for (const source of sources) {
    const template = `{% assign base = "${SITE}" %}${source}`
    // Where a filter leaves nothing of what the author wrote, or two slashes, the value is the address, or its host.
    if (/^(?:\/\/)?$/.test(renderedBy(template, ''))) continue
    for (const attack of ATTACKS) {
      const address = renderedBy(template, attack)
      // What names no origin is of the page.
      const { host } = URL.canParse(address, SITE) ? new URL(address, SITE) : { host: '' }
      expect([source, attack, address, host.endsWith('evil.example')]).toEqual([source, attack, address, false])
    }
  }
})

test.each(FILTERS)('behind a value in a host, %s lets it choose no other host', (name) => {
  const host = `"https://" | append: ${V} | append: ".shop.example/"`
  for (const call of OPERANDS.map((operands) => `${name}${operands}`)) {
    for (const template of [
      `{{ ${host} | ${call} }}`,
      `{{ ${V} | ${call} | append: ".shop.example/" | prepend: "https://" }}`,
    ]) {
      // Where a filter changes what the author wrote, that decides.
      if (!/^https:\/\/x\.shop\.example\//i.test(renderedBy(template, 'x'))) continue
      for (const end of ['/', '?', '#', '\\', '@', ':', '\u0001/']) {
        const address = renderedBy(template, `evil.test${end}`)
        const { hostname } = URL.canParse(address) ? new URL(address) : { hostname: '' }
        expect([template, end, address, hostname.endsWith('evil.test')]).toEqual([template, end, address, false])
      }
    }
  }
})

function renderedBy(template: string, v: string): string {
  try {
    return mustCompileAddress(template).render(scopeOf(v))
  } catch (error) {
    if (error instanceof TemplateError) return ''
    throw error
  }
}

describe('what authors write stays as it is', () => {
  test.each([
    [`{{ ${V} }}`, 'https://a.example/x', 'https://a.example/x'],
    [`{{ ${V} | append: "?utm=nc" }}`, 'https://a.example/x', 'https://a.example/x?utm=nc'],
    [`{{ ${V} | default: "${SITE}/" }}`, 'https://a.example/x', 'https://a.example/x'],
    [`{{ ${V} | default: "${SITE}/" }}`, '', `${SITE}/`],
    [`{{ ${V} | split: "," | first }}`, 'https://a.example/x,https://b.example', 'https://a.example/x'],
    [`{{ ${V} | replace: "http://", "https://" }}`, 'http://a.example/x', 'https://a.example/x'],
    [`{{ ${V} | prepend: "https://" }}`, 'a.example/x', 'https://a.example/x'],
    [`{{ "https://HOST/x" | replace: "HOST", ${V} }}`, 'hello.example', 'https://hello.example/x'],
    [`{{ "${SITE}/p/ID?utm=nc" | replace: "ID", ${V} }}`, 'a/b', `${SITE}/p/a/b?utm=nc`],
    [`{{ "${SITE}" | append: ${V} }}`, '/orders/1?a=b#c', `${SITE}/orders/1?a=b#c`],
    [`{{ "${SITE}/" | append: ${V} | append: "?utm=nc" }}`, 'orders/1', `${SITE}/orders/1?utm=nc`],
    [`{{ "/" | append: ${V} }}`, 'orders/1', '/orders/1'],
    [`{{ "mailto:" | append: ${V} }}`, 'ada@a.example', 'mailto:ada@a.example'],
    [`{{ "tel:" | append: ${V} | strip }}`, '+49 30', 'tel:+49 30'],
    ['{% assign l = "https://a.example,https://b.example" | split: "," %}{{ l[1] }}', '', 'https://b.example'],
    [
      `{% assign l = "${SITE}|x" | split: "|" %}{{ l[0] | append: "/" | append: ${V} }}`,
      'orders/1',
      `${SITE}/orders/1`,
    ],
    [`{% assign u = "${SITE}/" %}{% assign u = ${V} %}{{ u }}`, `${SITE}.b.example/`, `${SITE}.b.example/`],
  ])('%s with %j', (source, v, address) => {
    expect(mustCompileAddress(source).render(scopeOf(v, { l: ['//cdn.example/x'] }))).toBe(address)
  })

  test('the markup of a capture is not escaped again', () => {
    const source = `{% capture u %}${SITE}/?a=1&amp;b={{ ${V} }}{% endcapture %}<a href="{{ u }}">`
    expect(mustCompileTemplate(source, 'html').render(scopeOf('c&d'))).toBe(`<a href="${SITE}/?a=1&amp;b=c&amp;d">`)
  })
})

test.each([
  ['markdown', `[a]({{ "/" | append: ${V} }})`, '[a](/evil.example)'],
  ['html', `<img srcset="/a.png 1x, {{ "/" | append: ${V} }} 2x">`, '<img srcset="/a.png 1x, /evil.example 2x">'],
  ['html', `<a href="{%- echo "/" | append: ${V} -%}">`, '<a href="/evil.example">'],
  [
    'html',
    `{% capture u %}/{{ ${V} }}{% endcapture %}<a href="{{ u }}">{{ u }}`,
    '<a href="/evil.example">//evil.example',
  ],
  ['layout', `<a href='{{ "/" | append: ${V} }}'>`, "<a href='/evil.example'>"],
] as const)('also in %s: %s', (kind, source, rendered) => {
  expect(mustCompileTemplate(source, kind).render(scopeOf('/evil.example'))).toBe(rendered)
})

describe('a list of addresses that was built has no host that a value names', () => {
  const BUILT = `{% assign u = "${SITE}/" | append: ${V} %}<img srcset="{{ u }} 2x">`
  const CAPTURED = `{% capture u %}${SITE}/{{ ${V} }} 1x, ${SITE}/b.png 2x{% endcapture %}<img srcset="{{ u }}">`
  test.each<[source: string, v: string, list: string]>([
    [BUILT, 'a.png', `${SITE}/a.png 2x`],
    [BUILT, 'a.png 1x, /b,c.png', `${SITE}/a.png 1x, /b,c.png 2x`],
    [CAPTURED, 'a.png', `${SITE}/a.png 1x, ${SITE}/b.png 2x`],
    ...[
      ' https://evil.example/x',
      '1x, https://evil.example/x',
      'a\thttps://evil.example',
      'a 1x,//evil.example/x',
      'a\n\\\\evil.example',
      'a https:evil.example',
    ].flatMap((v): [string, string, string][] => [
      [BUILT, v, ' 2x'],
      [CAPTURED, v, ''],
    ]),
    [
      `<img srcset="{{ ${V} }}">`,
      'https://a.example/x 1x, //b.example/y 2x',
      'https://a.example/x 1x, //b.example/y 2x',
    ],
  ])('%s with %j', (source, v, list) => {
    expect(mustCompileTemplate(source, 'html').render(scopeOf(v))).toBe(`<img srcset="${list}">`)
  })
})

describe('what a name held before counts no more', () => {
  test.each([
    `{% assign u = "${SITE}" %}{% assign u = "${SITE}/" %}{{ u }}{{ ${V} }}`,
    `{% assign u = "${SITE}" | append: ${V} %}{% assign u = "/" %}{{ u }}`,
  ])('no fault: %s', (source) => {
    expect(findLinkFaults({ steps: [{ type: 'inbox', link: source }] }, [])).toEqual([])
  })

  test('an element of a loop has the name within it, and an assigned text behind it', () => {
    const own = `{% assign u = "${SITE}" | append: ${V} %}`
    const source = `{% for u in event.properties.l %}${own}<a href="{{ u }}">{% endfor %}<a href="{{ u }}">`
    expect(findAddressFaults(source, 'html')).toMatchObject([{ position: source.lastIndexOf('{{') }])
    const scope = scopeOf('.evil.example', { l: ['https://a.example'] })
    const links = '<a href="https://a.example"><a href="https://shop.example/.evil.example">'
    expect(mustCompileTemplate(source, 'html').render(scope)).toBe(links)
  })

  test.each([
    `{% assign u = "${SITE}/" %}{% assign u = "${SITE}" %}{{ u }}{{ ${V} }}`,
    `{% assign u = "/" %}{% assign u = "${SITE}" | append: ${V} %}{{ u }}`,
    `{% assign u = "/" %}{% if v %}{% assign u = "${SITE}" | append: ${V} %}{% endif %}{{ u }}`,
    `{% assign u = "/" %}{% for i in (1..2) %}{{ u }}{% assign u = "${SITE}" | append: ${V} %}{% endfor %}`,
  ])('a fault: %s', (source) => {
    expect(findAddressFaults(source, 'address')).not.toEqual([])
  })
})
