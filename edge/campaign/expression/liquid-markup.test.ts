// Tests captures: what they print is markup once, what reads them reads text, and no value in them becomes markup.

import { describe, expect, test } from 'vitest'
import { compileTemplate, type OutputKind, TemplateError } from './template.ts'
import { createRandom } from './test/random.ts'

function render(source: string, value: unknown, kind: OutputKind = 'html'): string {
  const compiled = compileTemplate(source, kind)
  if ('fault' in compiled) throw new Error(`${source}: ${compiled.fault.message}`)
  const event = { properties: { n: value } }
  return compiled.template.render({ event, user: {}, enriched: {}, events: [], campaign: {}, env: {} })
}

const N = '{{ event.properties.n }}'
const HOSTILE = '</b><a href="//evil.example">x</a>&amp;\'"[y](//evil.example) `*_\\'

describe('in HTML', () => {
  test.each([
    ['a value', `{% capture s %}${N}{% endcapture %}{{ s }}`, 'a & <b>', 'a &amp; &lt;b&gt;'],
    ['markup of the author', `{% capture s %}<b>${N}</b> & co{% endcapture %}{{ s }}`, '<i>', '<b>&lt;i&gt;</b> & co'],
    [
      'a list that grows',
      `{% for i in (1..2) %}{% capture s %}{{ s }}<li>${N}</li>{% endcapture %}{% endfor %}{{ s }}`,
      '&',
      '<li>&amp;</li><li>&amp;</li>',
    ],
    [
      'a copy',
      `{% capture s %}<b>${N}</b>{% endcapture %}{% assign t = s %}{{ t }}{% echo t %}{% cycle t %}`,
      '&',
      '<b>&amp;</b>'.repeat(3),
    ],
    [
      'rows that are appended',
      `{% assign t = "" %}{% for i in (1..2) %}{% capture s %}<b>${N}</b>{% endcapture %}{% assign t = t | append: s %}{% endfor %}{{ t | prepend: "<" | append: event.properties.n }}`,
      '&',
      '&lt;<b>&amp;</b><b>&amp;</b>&amp;',
    ],
    [
      'a default',
      `{% capture s %}<b>${N}</b>{% endcapture %}{{ s | default: "x" }}{% capture e %}{% endcapture %}{{ e | default: "<" }}{{ gone | default: s }}`,
      '&',
      '<b>&amp;</b>&lt;<b>&amp;</b>',
    ],
    [
      'a comparison',
      `{% capture s %}${N}{% endcapture %}{% if s == event.properties.n and s contains "&" %}{% case s %}{% when event.properties.n %}{{ s.size }}{{ s | size }}{% endcase %}{% endif %}`,
      'a&b',
      '33',
    ],
    ['a filter', `{% capture s %}${N}{% endcapture %}{{ s | upcase }}{{ s | slice: 0, 2 }}`, '&a', '&amp;A&amp;a'],
    [
      'a list of captures',
      `{% capture s %}${N}{% endcapture %}{% assign l = event.list | push: s %}{{ l }}{{ l | json }}{% for c in s %}{{ c }}{% endfor %}`,
      '&',
      '&amp;[&quot;&amp;&quot;]&amp;',
    ],
    [
      'escape',
      '{{ event.properties.n | escape }}{{ event.properties.n | escape | upcase }}',
      '<&',
      '&lt;&amp;&lt;&amp;',
    ],
    ['escape_once', '{{ event.properties.n | escape_once }}', '&lt;b> &', '&lt;b&gt; &amp;'],
    ['newline_to_br', '{{ event.properties.n | newline_to_br }}', '<b>\nx\r\ny', '&lt;b&gt;<br />\nx<br />\ny'],
    ['escape and newline_to_br', '{{ event.properties.n | escape | newline_to_br }}', '<\n', '&lt;<br />\n'],
    ['newline_to_br and a filter', '{{ event.properties.n | newline_to_br | upcase }}', '<\n', '&lt;\n'],
    [
      'a capture in an attribute',
      `{% capture s %}${N}{% endcapture %}<p title="{{ s }}">`,
      '" onclick="',
      '<p title="&quot; onclick=&quot;">',
    ],
  ])('%s', (_, source, value, printed) => {
    expect(render(source, value)).toBe(printed)
    expect(render(source, value, 'layout')).toBe(printed)
  })
})

describe('in Markdown', () => {
  test.each([
    ['a value', `{% capture s %}${N}{% endcapture %}{{ s }}`, '*a* [b](c)', '\\*a\\* \\[b\\]\\(c\\)'],
    ['markup of the author', `{% capture s %}**${N}**{% endcapture %}{{ s }}`, '*', '**\\***'],
    ['newline_to_br', '{{ event.properties.n | newline_to_br }}', 'a*\nb', 'a\\*  \nb'],
    ['escape', '{{ event.properties.n | escape }}', '<b>', '\\<b\\>'],
  ])('%s', (_, source, value, printed) => {
    expect(render(source, value, 'markdown')).toBe(printed)
  })
})

test('in plain texts, escape and newline_to_br are those of Liquid', () => {
  expect(render('{{ event.properties.n | escape | newline_to_br }}', '<\n', 'text')).toBe('&lt;<br />\n')
})

const FILTERS =
  `append: v ; prepend: v ; append: s ; prepend: t ; default: s ; escape ; escape_once ; xml_escape ; newline_to_br ; upcase
strip ; strip_html ; strip_newlines ; squish ; truncate: 9 ; truncatewords: 2 ; slice: 1, 30 ; replace: "b", v ; replace: "&", s ; remove: "amp"
remove_first: ";" ; replace_last: "l", t ; split: "" | join: s ; split: "&" | last ; split: " " | first ; url_decode ; url_encode | url_decode
base64_encode | base64_decode ; json ; capitalize ; lstrip ; concat: l | join ; slugify ; reverse | join`
    .trim()
    .split(/ ; |\n/)
const PLACES: Record<'html' | 'markdown', string[]> = {
  html: ['<p>#</p>', '<p title="#">x</p>', "<p class='#'>x</p>", '<ul><li>#</ul>'],
  markdown: ['# x # y', '- #', '**#**', '[#](https://shop.example/)', '| a |\n|-|\n| # |'],
}

const MARKUP_OF_AUTHOR = /<p title="|">x<\/p>|<p class='|'>x<\/p>|<\/?(?:p|ul|li)>|<br \/>/g

/** Some values are no addresses to decode. */
function renderOrNothing(source: string, value: string, kind: OutputKind): string {
  try {
    return render(source, value, kind)
  } catch (error) {
    if (error instanceof TemplateError) return ''
    throw error
  }
}

test.each(['html', 'markdown'] as const)('no value becomes markup in any combination (%s)', (kind) => {
  const random = createRandom(35)
  for (let at = 0; at < 3000; at++) {
    const chain = () => random.many(random.below(4), () => ` | ${random.pick(FILTERS)}`).join('')
    const printed = () => `{{ ${random.pick(['v', 's', 't'])}${chain()} }}`
    const step = () =>
      random.pick([
        `{% assign t = ${random.pick(['v', 's', 't'])}${chain()} %}`,
        `{% capture s %}${random.pick(PLACES[kind]).replace('#', printed())}{% endcapture %}`,
        `{% capture t %}${printed()}{% endcapture %}`,
        `{% if s == t or t contains v %}{% assign s = t %}{% endif %}`,
      ])
    const source = `{% assign v = event.properties.n %}${random.many(1 + random.below(5), step).join('')}${random.pick(PLACES[kind]).replace('#', printed())}`
    const value = random.pick([HOSTILE, encodeURIComponent(HOSTILE), btoa(HOSTILE), `\n${HOSTILE}\r\n`])
    const output = renderOrNothing(source, value, kind)
    if (kind === 'html') expect(output.replaceAll(MARKUP_OF_AUTHOR, ''), source).not.toMatch(/[<>"']/)
    else expect(output, source).not.toMatch(/(?<!\\)(?:\\\\)*(?:<a|\]\(\/\/)/)
  }
})
