// Tests that what is judged of a built address is what is sent, and that a value within its host is a name of it.

import { describe, expect, test } from 'vitest'
import { rewriteAddresses } from '../../email/compose/links.ts'
import { createRenderLayout } from '../../flow/mail/render-layout.ts'
import { compileMail } from '../steps/email.ts'
import { compileContent } from '../steps/inbox.ts'
import { mustCompileAddress, mustCompileTemplate } from './template.ts'

const A = 'event.properties.a'
const scopeOf = (a: string, b = '') => ({
  ...{ enriched: {}, events: [], campaign: {}, env: {} },
  user: { attributes: { a } },
  event: { properties: { a, b } },
})
const SHOWN = { category: null, locale: null, fallbackTitle: 'f' }
const mailOf = (fields: object, a: string, b?: string) =>
  compileMail({ subject: 's', ...fields } as never).render(scopeOf(a, b), SHOWN).email
const htmlOf = (html: string, a: string, b?: string) => mailOf({ html }, a, b).html ?? ''
const linkOf = (link: string, a: string, b?: string) =>
  compileContent({ title: 't', link }, null).render(scopeOf(a, b), null, 'f').link

const CONTROLS = ['\u0001', '\u0008', '\u000b', '\u000c', '\r', '\u001f', '\u007f']
const PATHS = [
  `{% assign p = "/" | append: ${A} %}<a href="{{ p }}">`,
  '{% assign p = "/" | append: user.attributes.a %}<a href="{{ p }}">',
  `<a href="{{ "/%s" | replace: "%s", ${A} }}">`,
  `<a href="{{ event.none | default: "/" | append: ${A} }}">`,
  `{% if event.none %}{% assign p = "/x" %}{% else %}{% assign p = "/" | append: ${A} %}{% endif %}<a href="{{ p }}">`,
  `<a href="{{ "/|" | append: ${A} | split: "|" | join: "" }}">`,
]

describe('a control character that is not sent moves no path to another origin', () => {
  test.each(CONTROLS.flatMap((control) => PATHS.map((html) => [control, html])))('%j in %s', (control, html) => {
    for (const written of [html, html.replace('<a href', '<img src')]) {
      const sent = rewriteAddresses(htmlOf(written, `${control}/evil.example/login`), 'https://shop.example')
      expect(sent).toMatch(/="https:\/\/shop\.example\/evil\.example\/login">$/)
    }
  })

  test.each(CONTROLS)('%j in a capture, in Markdown, in a layout and in a link of the inbox', (control) => {
    const capture = `{% capture u %}/{{ ${A} }}/{{ event.properties.b }}{% endcapture %}`
    expect(htmlOf(`${capture}<a href="{{ u }}">`, control, 'evil.example')).toBe('<a href="/evil.example">')
    expect(mailOf({ markdown: `${capture}[a]({{ u }})` }, control, 'evil.example').markdown).toBe('[a](/evil.example)')
    const path = `${control}/evil.example`
    expect(mailOf({ markdown: `[a]({{ "/" | append: ${A} }})` }, path).markdown).toBe('[a](/evil.example)')
    expect(linkOf(`{{ "/" | append: ${A} }}`, path)).toBe('/evil.example')
    const values = { subject: path, content: '', preheader: '', senderName: '', unsubscribeUrl: '', preferencesUrl: '' }
    const layout = '<a href="{{ subject | prepend: "/" }}">{{ content }}'
    expect(createRenderLayout()({ layout, layoutFormat: 'html' }, values)).toBe('<a href="/evil.example">')
  })

  test('a page has none when it is judged', () => {
    for (const html of [`<p>{{ ${A} }}</p>`, `<p>{{ ${A} | strip }}</p>`, '<p>a\u0001\u007f</p>'])
      expect(mustCompileTemplate(html, 'html').render(scopeOf('a\u0001\r\u007f'))).toBe('<p>a</p>')
  })
})

const HOSTS = [
  [`{% capture u %}https://{{ ${A} }}.shop.example/x{% endcapture %}`, 'u'],
  ['', `"https://" | append: ${A} | append: ".shop.example/x"`],
  ['', `".shop.example/x" | prepend: ${A} | prepend: "https://"`],
  ['', `"https://:x.shop.example/x" | replace: ":x", ${A}`],
  ['', `"https://:x.shop.example/x" | replace_first: ":x", ${A}`],
  ['', `"https://:x.shop.example/x" | replace_last: ":x", ${A}`],
  ['', `"https://" | append: ${A} | append: ".shop.example/x" | upcase | downcase | replace: " ", "-"`],
  [`{% assign u = "https://" | append: ${A} %}{% assign u = u | append: ".shop.example/x" %}`, 'u'],
  [`{% assign h = ${A} | append: ".shop.example" %}`, '"https://" | append: h | append: "/x"'],
  [`{% capture h %}{{ ${A} }}.shop.example{% endcapture %}`, '"https://" | append: h | append: "/x"'],
  ['', `${A} | append: ".shop.example" | strip | replace: " ", "-" | prepend: "https://" | append: "/x"`],
  [
    `{% if event.none %}{% assign u = "/" %}{% else %}{% assign u = "https://" | append: ${A} | append: ".shop.example/x" %}{% endif %}`,
    'u',
  ],
  ['', `event.properties.none | default: "https://" | append: ${A} | append: ".shop.example/x"`],
] as const

describe('a value within a built host is a name, as where it is printed at once', () => {
  test.each(
    HOSTS.flatMap(([before, u]) => ['/', '?', '#', '\\', '@', ':', ':1@', '%2f'].map((end) => [before, u, end])),
  )('%s{{ %s }} with evil.example%s', (before, u, end) => {
    for (const a of [`evil.example${end}`, `evil.example${end}.shop.example`, `evil.example\u0001${end}`]) {
      const addresses = [
        /href="([^"]*)"/.exec(htmlOf(`${before}<a href="{{ ${u} }}">`, a))?.[1],
        /\]\((.*)\)/.exec(mailOf({ markdown: `${before}[a]({{ ${u} }})` }, a).markdown ?? '')?.[1],
        linkOf(`${before}{{ ${u} }}`, a),
      ]
      for (const address of addresses) expect(address ?? '').toBe('')
    }
  })

  test.each([
    [`{% assign u = "https://" | append: ${A} %}`, '{{ u }}.shop.example/x'],
    [`{% capture u %}https://{{ ${A} }}{% endcapture %}`, '{{- u -}}.shop.example/x'],
    ['', `{{ ${A} | prepend: "https://" }}.shop.example/x`],
  ])('also where the rest of the host is behind the output: %s%s', (before, address) => {
    const html = `${before}<a href='${address}'>`
    for (const end of ['/', '?', '#', '\\', '@', ':', '\u0001/'])
      expect(htmlOf(html, `evil.example${end}`)).not.toContain('evil')
    expect(htmlOf(html, 'de')).toBe("<a href='https://de.shop.example/x'>")
    expect(linkOf(before + address, 'evil.example/') ?? '').not.toContain('evil')
    expect(linkOf(before + address, 'de')).toBe('https://de.shop.example/x')
  })

  test.each(HOSTS)('%s{{ %s }} with a name', (before, u) => {
    for (const a of ['de', 'a-1.b', 'über']) {
      expect(htmlOf(`${before}<a href="{{ ${u} }}">`, a)).toBe(`<a href="https://${a}.shop.example/x">`)
      expect(linkOf(`${before}{{ ${u} }}`, a)).toBe(`https://${a}.shop.example/x`)
    }
  })

  test('what follows the host does not continue it', () => {
    const source = `{{ "https://T.shop.example" | replace: "T", ${A} | append: event.properties.b }}`
    expect(mustCompileAddress(source).render(scopeOf('de', '.evil.example'))).toBe(
      'https://de.shop.example/.evil.example',
    )
    expect(mustCompileAddress(source).render(scopeOf('de', '/x?y'))).toBe('https://de.shop.example/x?y')
    expect(mustCompileAddress(source).render(scopeOf('İİİİ', '.evil.example'))).toBe(
      'https://İİİİ.shop.example/.evil.example',
    )
  })

  test.each([
    [`{{ "https://" | append: ${A} | append: "/x" }}`, 'a.example:8443', 'https://a.example:8443/x'],
    [`{{ "https://" | append: ${A} | append: "/x" }}`, 'a.example/de', 'https://a.example/de/x'],
    [`{{ "https://" | append: ${A} | append: "?a" | replace: "?", "#" }}`, 'a.example/de', 'https://a.example/de#a'],
    [`{{ "https:" | append: ${A} | append: "&w=2" }}`, '//a.example/x?v=1', 'https://a.example/x?v=1&w=2'],
    [`{{ "https://" | append: ${A} | append: "&w=2" }}`, 'a.example/x?v=1', 'https://a.example/x?v=1&w=2'],
    [`{{ "https://" | append: ${A} }}/x`, 'a.example:8443', 'https://a.example:8443/x'],
    [`{{ ${A} | default: "https://www.shop.example" }}.pdf`, 'https://a.example/x', 'https://a.example/x.pdf'],
    [`{{ ${A} | replace: "http://", "https://" | append: ".pdf" }}`, 'http://a.example/x', 'https://a.example/x.pdf'],
    [`{{ "HOST/x" | replace: "HOST", ${A} }}`, 'https://a.example', 'https://a.example/x'],
    [`{{ "HOST/" | append: "x" | replace: "HOST", ${A} }}`, 'https://a.example', 'https://a.example/x'],
    [
      `{{ ${A} | default: "https://www.shop.example" | append: "/x" }}`,
      'https://a.example/.shop.example',
      'https://a.example/.shop.example/x',
    ],
    [
      `{% capture u %}https://{% if event %}{{ ${A} }}.{% else %}www.{% endif %}shop.example/{% if event %}a{% else %}b{% endif %}{% endcapture %}{{ u }}`,
      'de',
      'https://de.shop.example/a',
    ],
  ])('%s with %j', (source, a, address) => {
    expect(mustCompileAddress(source).render(scopeOf(a))).toBe(address)
    const [, before = '', output = ''] = /^([\s\S]*)(\{\{[\s\S]*)$/.exec(source) ?? []
    if (!before.includes('{{'))
      expect(htmlOf(`${before}<a href='${output}'>`, a)).toContain(address.replace('&', '&amp;'))
  })
})

const SITE = 'https://shop.example/'

test.each([
  [`"${SITE}" | append: ${A} | remove: "${SITE}"`, 'https://evil.example', ''],
  [`"${SITE}" | append: ${A} | remove: "${SITE}"`, '//evil.example', '/evil.example'],
  [`"${SITE}" | append: ${A} | remove: "${SITE}"`, 'orders/1', 'orders/1'],
  [`"${SITE}" | append: ${A} | remove_first: "${SITE}"`, 'https://evil.example', ''],
  [`"${SITE}" | append: ${A} | remove_last: "${SITE}"`, 'https://evil.example', ''],
  [`"${SITE}" | append: ${A} | replace: "${SITE}", ""`, 'https://evil.example', ''],
  [`"x/" | append: ${A} | remove_first: "x"`, '/evil.example', '/evil.example'],
  [`"x/" | append: ${A} | remove: "x"`, '/evil.org', '/evil.org'],
  [`"${SITE}" | replace: "/", ${A}`, 'evil.example/', ''],
  [`"${SITE}" | replace: "/", ${A}`, '//evil.example/', ''],
  [`"${SITE}" | replace: "/", ${A}`, '/', SITE],
])('the beginning is not forgotten: {{ %s }} with %j', (built, a, address) => {
  expect(mustCompileAddress(`{{ ${built} }}`).render(scopeOf(a))).toBe(address)
  expect(htmlOf(`<a href="{{ ${built} }}">`, a)).toBe(`<a href="${address}">`)
})

test.each([
  ['html', `{% capture u %}https:&#47;&#47;shop.example{{ ${A} }}{% endcapture %}<a href="{{ u }}">`],
  ['html', `{% capture u %}https://shop&period;example{{ ${A} }}{% endcapture %}<a href="{{ u }}">`],
  ['markdown', `{% capture u %}https://shop\\.example{{ ${A} }}{% endcapture %}[a]({{ u }})`],
])('what is captured is read as browsers read it, in %s: %s', (kind, source) => {
  const { html, markdown } = mailOf({ [kind]: source }, '.evil.example')
  expect(html ?? markdown).toContain('https://shop.example/.evil.example')
})

test('a tab behind the slash of the author is none for browsers', () => {
  const source = `{% capture u %}/&Tab;{{ ${A} }}{% endcapture %}<a href="{{ u }}">`
  expect(htmlOf(source, '/evil.example')).toBe('<a href="/evil.example">')
})
