// Tests that a value in an address is one segment, one value of the query or one name, in every place with an address.

import { expect, test } from 'vitest'
import { createRenderLayout, findLayoutFault } from '../../flow/mail/render-layout.ts'
import { processorMs } from '../../test/support/processor-time.ts'
import { findLinkFaults } from '../link-faults.ts'
import { compileMail } from '../steps/email.ts'
import { compileContent } from '../steps/inbox.ts'
import { findTextFaults } from '../text-faults.ts'
import { boundAddresses, findAddressFaults, hostOf } from './address-values.ts'
import { mustCompileAddress, mustCompileTemplate } from './template.ts'

const scopeOf = (v: unknown, more: object = {}) => ({
  ...{ user: {}, enriched: {}, events: [], campaign: {}, env: {} },
  event: { properties: { v, ...more } },
})
const V = '{{ event.properties.v }}'
const STEP = '../../secret?x=#'
const ENCODED = '..%2F..%2Fsecret%3Fx%3D%23'

test.each([
  [`https://a.example/${V}`, STEP, `https://a.example/${ENCODED}`],
  [`https://a.example/x-${V}.pdf`, STEP, `https://a.example/x-${ENCODED}.pdf`],
  [`https://a.example/${V}/secret`, '..', 'https://a.example/_/secret'],
  [`https://a.example/${V}`, '%2e%2E', 'https://a.example/%252e%252E'],
  [`https://a.example/?q=${V}&b=1`, 'a&b=2#c', 'https://a.example/?q=a%26b%3D2%23c&b=1'],
  [`https://a.example?q=${V}`, 'ü b', 'https://a.example?q=ü%20b'],
  [`https://a.example#${V}`, 'a#b', 'https://a.example#a%23b'],
  [`/orders/${V}`, 'A-1', '/orders/A-1'],
  [`/${V}`, '/evil.example', '/%2Fevil.example'],
  [`orders/${V}`, 42, 'orders/42'],
  [`https://${V}.a.example/`, 'evil.example/', 'https://evil.example%2F.a.example/'],
  [`https://${V}/x`, 'me@evil.example', 'https://me%40evil.example/x'],
  [`https://a.example${V}`, '.evil.example', 'https://a.example/.evil.example'],
  [`https://a.example${V}`, '/orders/1', 'https://a.example/orders/1'],
  [`https://a.example${V}/x`, '', 'https://a.example/x'],
  [`//a.example${V}`, '@evil.example', '//a.example/%40evil.example'],
  [`{{ event.properties.w }}${V}`, '.evil.example', 'https://w.example/.evil.example'],
  [`{{ event.properties.w }}/${V}`, 'a/b', 'https://w.example/a%2Fb'],
  [V, 'https://b.example/?a=b#c', 'https://b.example/?a=b#c'],
  [`{% if true %}https://a.example{% else %}${V}{% endif %}`, 'x', 'https://a.example'],
  [`{% if false %}https://a.example{% else %}${V}{% endif %}`, 'https://b.example/c', 'https://b.example/c'],
  [`mailto:${V}`, 'ada@b.example?bcc=evil@b.example', 'mailto:ada@b.example%3Fbcc%3Devil@b.example'],
  [`mailto:a@b.example?subject=${V}`, 'x&bcc=evil@b.example', 'mailto:a@b.example?subject=x%26bcc%3Devil%40b.example'],
  [`tel:${V}`, '+49 30', 'tel:+49%2030'],
  ['https://a.example/?q={{ event.properties.v | url_encode }}', 'a b&c', 'https://a.example/?q=a+b%26c'],
  ['https://a.example/{{ event.properties.v | uri_escape }}', '/x/../y?z#', 'https://a.example/x/_/y%3Fz%23'],
  ['https://a.example{{ event.properties.v | uri_escape }}', '/x/y', 'https://a.example/x/y'],
  ['/{{ event.properties.v | uri_escape }}', '//evil.example', '/evil.example'],
  ['https://a.example/{{- event.properties.v | upcase -}} ', 'a/b', 'https://a.example/A%2FB'],
])('%s of %j', (source, v, address) => {
  const scope = scopeOf(v, { w: 'https://w.example' })
  expect(mustCompileAddress(source).render(scope)).toBe(address)
  const html = mustCompileTemplate(`<a class="x" href="${source}">`, 'html').render(scope)
  expect(html.replaceAll('&amp;', '&')).toBe(`<a class="x" href="${address.replaceAll('&amp;', '&')}">`)
})

const MISSING = '{% if event.properties.l %}'

test.each([
  [`https://shop.example${MISSING}/{{ event.properties.l }}{% endif %}${V}`, 'https://shop.example/.evil.example'],
  [`{% if true %}https://a.example{% else %}https://b.example/{% endif %}${V}`, 'https://a.example/.evil.example'],
  [`${MISSING}https://b.example/{% else %}https://a.example{% endif %}${V}`, 'https://a.example/.evil.example'],
  [
    `{% unless true %}https://b.example/{% else %}https://a.example{% endunless %}${V}`,
    'https://a.example/.evil.example',
  ],
  [
    `https://a.example{% case event.properties.l %}{% when 1 %}/1{% when 2 %}/2{% endcase %}${V}`,
    'https://a.example/.evil.example',
  ],
  [`https://a.example{% for i in event.properties.l %}/{{ i }}{% endfor %}${V}`, 'https://a.example/.evil.example'],
  [
    `https://a.example/{% for i in (1..2) %}{% if i == 2 %}/{% endif %}${V}{% endfor %}`,
    'https://a.example/.evil.example/.evil.example',
  ],
  [`https://a.example{% for i in (1..2) %}{% break %}/{% endfor %}${V}`, 'https://a.example/.evil.example'],
  [`https:${MISSING}///b{% endif %}//a.example${V}`, 'https://a.example/.evil.example'],
  [`https:{% for i in (1..2) %}//a.example{% liquid break %}/{% endfor %}${V}`, 'https://a.example/.evil.example'],
  [`https://a.example{%${' '.repeat(80)}if event.properties.l %}/{% endif %}${V}`, 'https://a.example/.evil.example'],
  [`https://a.example{% comment %}/{% endcomment %}${V}`, 'https://a.example/.evil.example'],
  [`https://a.example{% capture c %}/{% endcapture %}${V}`, 'https://a.example/.evil.example'],
  [`${MISSING}https://b.example/{% endif %}https://a.example${V}`, 'https://a.example/.evil.example'],
  [`{{ event.properties.l }}https://a.example${V}`, 'https://a.example/.evil.example'],
  [`{{ event.properties.s }}://a.example${V}`, 'https://a.example/.evil.example'],
  [`https:///a.example${V}`, 'https:///a.example/.evil.example'],
  [`https:a.example${V}`, 'https:a.example/.evil.example'],
  [`ht${MISSING}x{% endif %}tps://a.example${V}`, 'https://a.example/.evil.example'],
  [`https:/\n/a.example${V}`, 'https:/\n/a.example/.evil.example'],
])('the least safe of all branches decides how a value is written: %s', (source, address) => {
  const scope = scopeOf('.evil.example', { s: 'https' })
  expect(mustCompileAddress(source).render(scope)).toBe(address)
  expect(mustCompileTemplate(`<a href="${source}">`, 'html').render(scope)).toBe(`<a href="${address}">`)
  if (!source.includes('(1..2) %}{% if')) expect(findAddressFaults(source, 'address')).toHaveLength(1)
})

test.each([
  ['<a href="https:&#47;&#47;a.example{{ event.properties.v }}">', 'html'],
  ['<a href="https://a&#46;example{{ event.properties.v }}">', 'html'],
  ['<img srcset="/a.png 1x, https://a.example {{- event.properties.v }} 2x">', 'html'],
  ['<img srcset="/a.png 1x,https://a.example{{ event.properties.v }} 2x">', 'html'],
  ['<img srcset="https://a.example,b{{ event.properties.v }} 2x">', 'html'],
  ['[a](https://a\\.example{{ event.properties.v }})', 'markdown'],
  ['[a](https&colon;//a.example{{ event.properties.v }})', 'markdown'],
  ['<{% if true %}https://a.example{% endif %}{{ event.properties.v }}>', 'markdown'],
] as const)('a host is one in every spelling: %s', (source, kind) => {
  expect(findAddressFaults(source, kind)).toMatchObject([{ position: source.indexOf('{{') }])
  expect(mustCompileTemplate(source, kind).render(scopeOf('.evil.example'))).toMatch(/\/\.evil/)
})

test.each([
  [`/{{ event.properties.l }}/${V}`, '/_/evil.example'],
  [`/{{ event.properties.l | uri_escape }}/${V}`, '/_/evil.example'],
  [`/{{ event.properties.l }}{{ event.properties.l }}/${V}`, '/_/evil.example'],
  [`/a/{{ event.properties.l }}/${V}`, '/a//evil.example'],
])('an empty value begins no host: %s', (source, address) => {
  expect(mustCompileAddress(source).render(scopeOf('evil.example'))).toBe(address)
  expect(findAddressFaults(source, 'address')).toEqual([])
})

test('a loop that writes a host by its characters is followed to it', () => {
  const [first, ...rest] = [...'htps:/a'].map((char, at) => `if i == ${at} %}${char}`)
  const turn = `{% ${first}${rest.map((branch) => `{% els${branch}`).join('')}{% endif %}`
  const source = `{% for i in event.properties.w %}${turn}{% endfor %}${V}`
  expect(findAddressFaults(source, 'address')).toMatchObject([{ position: source.indexOf('{{') }])
  const w = [0, 1, 1, 2, 3, 4, 5, 5, 6]
  expect(mustCompileAddress(source).render(scopeOf('.evil.example', { w }))).toBe('https://a/.evil.example')
})

test.each([`/${MISSING}x{% endif %}/${V}`, `/${MISSING}/{% endif %}${V}`])(
  'a slash that may be the second one is a fault: %s',
  (source) => {
    expect(findAddressFaults(source, 'address')).toMatchObject([{ position: source.indexOf('{{') }])
  },
)

test.each([
  `https://a.example/${MISSING}x/{% else %}y{% endif %}${V}`,
  `https://a.example${MISSING}/x/{% else %}/{% endif %}${V}`,
  `https://a.example{% case event.properties.l %} {% when 1 %}/1/{% else %}/2/{% endcase %}${V}`,
  `https://a.example/{% for i in event.properties.l %}${V}/{% endfor %}`,
  `${MISSING}https://a.example{% else %}https://b.example{% endif %}/${V}`,
])('branches that all end the host are no fault: %s', (source) => {
  expect(findAddressFaults(source, 'address')).toEqual([])
})

test.each([
  [`https://a.example/{% echo event.properties.v %}`, 'https://a.example/..%2Fx'],
  [`https://a.example/{%- echo event.properties.v | downcase -%}`, 'https://a.example/..%2Fx'],
  [`https://a.example/{% echo event.properties.v | uri_escape %}`, 'https://a.example/_/x'],
  [`https://a.example/{% echo %}`, 'https://a.example/'],
])('echo is bounded as an output is: %s', (source, address) => {
  expect(mustCompileAddress(source).render(scopeOf('../x'))).toBe(address)
  expect(mustCompileTemplate(`<a href="${source}">`, 'html').render(scopeOf('../x'))).toBe(`<a href="${address}">`)
  expect(findAddressFaults(source, 'address')).toEqual([])
})

test.each([
  '{% cycle event.properties.v, "b" %}',
  '{%- cycle "g": event.properties.v -%}',
  '{% increment n %}',
  '{% decrement n %}',
  '{% render "s" %}',
  '{% liquid echo event.properties.v %}',
  '{% liquid\n assign a = 1\n  echo event.properties.v %}',
  '{% liquid\n cycle event.properties.v %}',
  '{% liquid\n render "s" %}',
])('another tag that prints into an address is a fault, with its place: %s', (tag) => {
  const fault = { message: expect.stringContaining('Write {{ … }}'), position: 18 }
  const address = `https://a.example/${tag}`
  expect(findAddressFaults(address, 'address')).toMatchObject([fault])
  const html = `<a href='${address}'>`
  expect(findAddressFaults(html, 'html')).toMatchObject([{ ...fault, position: html.indexOf(tag) }])
  expect(findAddressFaults(`[a](${address})`, 'markdown')).toMatchObject([{ position: 22 }])
  const steps = [{ type: 'inbox', link: address }]
  expect(findLinkFaults({ steps }, [])).toMatchObject([{ path: 'steps[0].link', position: 18 }])
  if (!tag.includes('render')) {
    const layout = `${html}{{ content }}`
    expect(findLayoutFault({ layout, layoutFormat: 'html' })).toMatchObject({ position: layout.indexOf('{%') })
  }
  expect(findAddressFaults(`${tag}<p class="${tag}">`, 'html')).toEqual([])
})

test('a snippet has these faults when it is saved', () => {
  const faultsOf = (snippet: string) => findTextFaults({ snippet })
  expect(faultsOf('<a href="https://a.example/{% cycle event.name %}">x</a>')).toMatchObject([
    { path: 'source', position: 27 },
  ])
  expect(faultsOf(`[a](https://a.example${V})`)).toMatchObject([{ path: 'source', position: 21 }])
  expect(faultsOf(`<a href="https://a.example/${V}">x</a>{% cycle event.name %}`)).toEqual([])
})

test.each([
  ['<a href="/{% raw %}{{ id }}{% endraw %}">', '<a href="/{{ id }}">'],
  ['<a href="/{%- raw -%}{{ id }}{% endraw -%}">', '<a href="/{{ id }}">'],
  ['<p style="color:{% raw %}{{ id }}{% endraw %}">', '<p style="color:{{ id }}">'],
  ['<style>{% raw %}p{{{ id }}}{% endraw %}</style>', '<style>p{{{ id }}}</style>'],
  [
    '<a href="{% comment %}{{ "{% endcomment %}" }}{% raw %}{% endcomment %}{% endraw %}{% endcomment %}/x">',
    '<a href="/x">',
  ],
  ['<p {% raw %}{{ id }}{% endraw %}>', '<p {{ id }}>'],
  [`<a href="/{{ event.properties.v | append: '}}' }}">`, '<a href="/a%2Fb%7D%7D">'],
  ['<a href="/{{ event.properties.v | append: \'{%\' }}">', '<a href="/a%2Fb%7B%25">'],
])('raw text, and marks in texts, are left alone: %s', (source, printed) => {
  expect(mustCompileTemplate(source, 'html').render(scopeOf('a/b'))).toBe(printed)
  expect(findAddressFaults(source, 'html')).toEqual([])
})

test('raw text is part of the host that it continues', () => {
  const source = `https://{% raw %}a.example{% endraw %}${V}`
  expect(findAddressFaults(source, 'address')).toHaveLength(1)
  expect(mustCompileTemplate(`[a](/{% raw %}{{ id }}{% endraw %})`, 'markdown').render(scopeOf(1))).toBe(
    '[a](/{{ id }})',
  )
})

test.each([
  ['{% assign utm = "?utm_source=nc" %}https://a.example/p/1{{ utm }}', 'https://a.example/p/1?utm_source=nc'],
  ["{%- assign utm='?utm_source=nc' -%}https://a.example{{- utm -}}", 'https://a.example?utm_source=nc'],
  ['{% assign utm = "?a" %}/p{% echo utm %}', '/p?a'],
  ['{% assign utm = "?a" %}{% if true %}{% assign utm = "?b" %}{% endif %}/p{{ utm }}', '/p?b'],
  ['/p{{ "?a=b" }}', '/p?a=b'],
  [`{% assign host = "https://a.example" %}{{ host }}/${V}`, 'https://a.example/%3Fx'],
  ['{% assign utm = event.properties.v %}/p{{ utm }}', '/p%3Fx'],
  ['{% assign utm = "?a" | append: event.properties.v %}/p{{ utm }}', '/p%3Fa%3Fx'],
  ['{% assign utm = "?a" %}/p{{ utm | append: event.properties.v }}', '/p%3Fa%3Fx'],
  ['{% assign utm = "?a" %}{% capture utm %}?x{% endcapture %}/p{{ utm }}', '/p%3Fx'],
  ['{% assign utm = "?a" %}{% for utm in events %}{% endfor %}/p{{ utm }}', '/p%3Fa'],
  ['{% assign utm = "?a" %}{% liquid\n assign utm = event.properties.v %}/p{{ utm }}', '/p%3Fx'],
  ['{% if true %}{% assign utm = "?a" %}{% endif %}/p{{ utm }}', '/p%3Fa'],
  ['{% comment %}{% assign utm = "?a" %}{% endcomment %}/p{{ utm }}', '/p'],
])('what the author assigned is printed as it is, and nothing else: %s', (source, address) => {
  expect(mustCompileAddress(source).render(scopeOf('?x'))).toBe(address)
  expect(findAddressFaults(source, 'address')).toEqual([])
})

test('a text of the author decides about the value behind it', () => {
  expect(findAddressFaults(`{% assign host = "https://a.example" %}{{ host }}${V}`, 'address')).toHaveLength(1)
  const html = `{% assign utm = "?a=" %}<a href="https://a.example{{ utm }}${V}">`
  expect(findAddressFaults(html, 'html')).toEqual([])
  expect(mustCompileTemplate(html, 'html').render(scopeOf('b&c'))).toBe('<a href="https://a.example?a=b%26c">')
})

test('all places with addresses have the rule', () => {
  const address = `https://a.example/${V}`
  const safe = `https://a.example/${ENCODED}`
  const scope = scopeOf(STEP)
  const inbox = compileContent(
    {
      title: 't',
      link: address,
      icon: address,
      imageUrl: address,
      actions: [{ label: 'a', link: address }],
      bodyFormat: 'markdown',
      body: `[a](${address})`,
    },
    null,
  ).render(scope, null, 'f')
  expect(inbox).toMatchObject({
    link: safe,
    icon: safe,
    imageUrl: safe,
    actions: [{ link: safe }],
    body: `[a](${safe})`,
  })

  const markdown = `[a](${address} "t") ![b](<${address}>) [c](https://a.example/(${V})) <${address}>\n\n[d]: ${address}`
  const html = `<a href="${address}"><img srcset="/a.png 1x, ${address} 2x" src='${address}'><td background=${address}>`
  const render = (fields: object) =>
    compileMail({ subject: 's', ...fields } as never).render(scope, {
      ...{ category: null, locale: null, fallbackTitle: 'f' },
    }).email
  expect(
    render({ markdown })
      .markdown?.replaceAll('\\', '')
      .match(/\.\.%2F\.\.%2Fsecret%3Fx%3D%23/g),
  ).toHaveLength(5)
  expect(render({ html }).html?.match(/\.\.%2F\.\.%2Fsecret%3Fx%3D%23/g)).toHaveLength(4)
  const layout = '<a href="https://a.example/{{ subject }}">{{ content }}'
  const values = { content: 'x', subject: STEP, preheader: '', senderName: '', unsubscribeUrl: '', preferencesUrl: '' }
  expect(createRenderLayout()({ layout, layoutFormat: 'html' }, values)).toBe(`<a href="${safe}">x`)
})

test('a value of a layout stays on the site', () => {
  const layout =
    '<a href="/{{ preheader }}/{{ subject }}">a</a><a href="{{ subject | prepend: "/" }}">b</a>{{ content }}'
  const values = {
    content: '',
    subject: '/evil.example',
    preheader: '',
    senderName: '',
    unsubscribeUrl: '',
    preferencesUrl: '',
  }
  const html = createRenderLayout()({ layout, layoutFormat: 'html' }, values)
  expect(html).toBe('<a href="/_/%2Fevil.example">a</a><a href="/evil.example">b</a>')
})

test('text, and links that begin with a value, stay as they are', () => {
  const scope = scopeOf('https://b.example/?a=b')
  const { render } = mustCompileTemplate(`${V} [a](${V}) b`, 'markdown')
  expect(render(scope).replaceAll('\\', '')).toBe('https://b.example/?a=b [a](https://b.example/?a=b) b')
})

test.each([
  `https://a.example${V}`,
  `//a.example${V}`,
  `https://a.${V}`,
  `https://${V}.a.example${V}`,
  `https://a.example:${V}`,
  `shopapp://orders${V}`,
  `${V}${V}`,
  `${V}.example${V}`,
  `https://${V}${V}`,
  `https://${V}.${V}${V}`,
])('a value that could continue a host is a fault: %s', (source) => {
  expect(findAddressFaults(source, 'address')).toHaveLength(1)
  const steps = [
    { type: 'inbox', link: source, actions: [{ label: 'a', link: source }], imageUrl: source },
    { type: 'inbox', bodyFormat: 'markdown', body: `[a](${source})` },
    { type: 'email', html: `<a href="${source}">a</a>`, locales: { de: { markdown: `[a](${source})` } } },
    { type: 'email', attachments: [{ filename: 'a', url: source }] },
  ]
  expect(findLinkFaults({ steps }, ['shopapp']).map(({ path }) => path)).toEqual([
    ...['steps[0].link', 'steps[0].actions[0].link', 'steps[0].imageUrl', 'steps[1].body', 'steps[2].html'],
    ...['steps[2].locales.de.markdown', 'steps[3].attachments[0].url'],
  ])
  const layout = `<a href="${source.replaceAll(V, '{{ subject }}')}">{{ content }}</a>`
  expect(findLayoutFault({ layout, layoutFormat: 'html' })).toMatchObject({
    position: layout.lastIndexOf('{{ subject'),
  })
})

test.each([
  [`https://a.example/${V}`],
  [`https://${V}/`],
  [`https://${V}.a.example/${V}`],
  [V],
  [`${V}/${V}`],
  [`https://${V}.${V}/`],
  [`mailto:${V}`],
  ['https://a.example{{ event.properties.v | uri_escape }}'],
  [`{% if event.properties.v %}${V}{% else %}${V}{% endif %}`],
])('is no fault: %s', (source) => {
  expect(findAddressFaults(source, 'address')).toEqual([])
})

test('the host of a template is known where no value chooses it', () => {
  expect(hostOf(`https://A.example:8443/${V}`)).toBe('a.example:8443')
  expect(hostOf('https://a.example?x')).toBe('a.example')
  for (const source of [V, `https://a.example${V}`, `https://${V}/`, 'https://a@b.example/', '/a', '']) {
    expect(hostOf(source)).toBeUndefined()
  }
})

test('a large template takes little time', async () => {
  const ms = await processorMs(() => {
    for (const part of [
      '{{',
      `<a href="/${V}">`,
      '<a href="{{ a }}',
      '](',
      `[a](${V}`,
      '{% if a %}',
      '<a href="',
      `](${V}{% if a %}`,
      `${V}, `,
      `{% assign a = "b" %}{{ a }}`,
      '{% for a in b %}h',
      '{% if a %}{% assign u = u | append: "x" %}{% endif %}<a href="{{ u }}">',
      '{% for a in b %}{% assign u = u | append: a %}<a href="{{ u }}">',
      '{% capture a %}<a href="{{ a }}">',
      '<a href="{{ "https://a.example" | slice: 3 | append: a }}">',
      '{% raw %}',
      '{% comment %}',
      `{{ "`,
      '{% raw %}{% endraw',
    ]) {
      const source = part.repeat(250_000 / part.length)
      for (const kind of ['html', 'markdown', 'address'] as const) findAddressFaults(source, kind)
      boundAddresses(source, 'html')
      findAddressFaults(`<a href="${source.replaceAll('"', "'")}">`, 'html')
      findAddressFaults(`<img srcset="${source.replaceAll('"', "'")}">`, 'html')
    }
    for (const piece of ['\n', ' ', '|', 'break ', 'echo', '- ', 'a']) {
      for (const name of ['{% liquid', '{% echo', '{% assign', '{{'])
        findAddressFaults(`${name} ${piece.repeat(250_000 / piece.length)}${name === '{{' ? '}}' : '%}'}`, 'address')
    }
  })
  expect(ms).toBeLessThan(15_000)
})
