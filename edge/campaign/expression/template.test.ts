// Tests templates: values, escaping by kind of output, limits, faults with their position, and what they read.

import { describe, expect, test } from 'vitest'
import { compileTemplate, type OutputKind, TemplateError, type TemplateScope } from './template.ts'

const scope: TemplateScope = {
  event: {
    name: 'order.shipped',
    properties: {
      orderId: 'A-1',
      total: 12.5,
      zero: 0,
      yes: false,
      nothing: null,
      list: ['a', 'b'],
      map: { k: '*' },
      hostile: '](https://evil.example) <b>"x"</b> \'y\'',
      big: 'x'.repeat(60_000),
    },
  },
  user: { id: 'u_1', name: "O'Neil" },
  enriched: {},
  events: [{ name: 'a' }, { name: 'b' }],
  campaign: { key: 'order-shipped' },
  env: { name: 'dev' },
}

function compile(source: string, kind: OutputKind = 'text') {
  const compiled = compileTemplate(source, kind)
  if ('fault' in compiled) throw new Error(`${source}: ${compiled.fault.message}`)
  return compiled.template
}

const render = (source: string, kind?: OutputKind) => compile(source, kind).render(scope)

describe('a template prints', () => {
  test.each([
    ['Your order {{ event.properties.orderId }} is on its way', 'Your order A-1 is on its way'],
    ['{{event.properties.total}}/{{ event.properties.zero }}/{{ event.properties.yes }}', '12.5/0/false'],
    ['[{{ event.properties.nothing }}{{ event.properties.gone.deeper }}{{ user.email }}{{ nobody.knows }}]', '[]'],
    ['{{ event.properties.list }} {{ event.properties.map }}', 'ab {"k":"*"}'],
    ['{{ event.properties.list | join: ", " | upcase }}', 'A, B'],
    ['{% if event.properties.total > 10 %}big{% else %}small{% endif %}', 'big'],
    ['{% for item in event.properties.list %}{{ forloop.index }}{{ item }} {% endfor %}', '1a 2b '],
    ['{{ events.size }} {{ events.first.name }} {{ event.properties.list.size }}', '2 a 2'],
    ['{{ campaign.key }} {{ env.name }} {{ user.name }}', "order-shipped dev O'Neil"],
    ['{{ event.properties.gone | default: "none" }}', 'none'],
    ['{% raw %}{{ event.name }}{% endraw %}', '{{ event.name }}'],
    ['{{ "2026-05-01T22:30:00Z" | date: "%Y-%m-%d %H:%M" }}', '2026-05-01 22:30'],
    ['{{ "2026-05-01T22:30:00Z" | date: "%H:%M", "Asia/Kathmandu" }}', '04:15'],
    ['{{ "2026-05-01T22:30:00Z" | date: "%H:%M", -120 }}', '00:30'],
    ['{{ "2026-05-01T22:30:00Z" | date: "%H:%M", event.name }}', '22:30'],
    ['{{ "2026-05-01T22:30:00Z" | date: "%H:%M", user.timeZone }}', '22:30'],
    ['{{ "2026-05-01T22:30:00Z" | date: "%H:%M", event.properties.map }}', '22:30'],
    [
      '{{ "2026-05-01T22:30:05Z" | date: "%F %T %R %D %r %%F %-d" }}',
      '2026-05-01 22:30:05 22:30 05/01/26 10:30:05 PM %F 1',
    ],
    ['{{ "soon" | date: "%F", "Mars/X" }}{{ "2026-05-01" | date }}', 'soonFriday, May 1, 2026 at 12:00 am +0000'],
    [
      '{{ event.constructor.name }}{{ event.__proto__.x }}{{ event["constructor"] }}{{ event.properties.list.constructor }}',
      '',
    ],
    ['plain } text { with %} braces', 'plain } text { with %} braces'],
    ['', ''],
  ])('%j as %j', (source, output) => {
    expect(render(source)).toBe(output)
  })

  test.each([
    '{{ event.properties.map }}',
    '{{ event.properties.list }}',
    '{{ event.properties.hostile }}',
    '{{ user.name }}',
  ])('%s the same with and without the engine, for each kind of output', (source) => {
    for (const kind of ['text', 'markdown', 'html'] as const) {
      expect(render(`${source}{% comment %}engine{% endcomment %}`, kind)).toBe(render(source, kind))
    }
  })
})

describe('escaping', () => {
  const hostile = '{{ event.properties.hostile }}'

  test('plain text is unchanged', () => {
    expect(render(`${hostile} {{ user.name }}`)).toBe("](https://evil.example) <b>\"x\"</b> 'y' O'Neil")
  })

  test('Markdown characters are escaped, also by filters, echo, cycle, capture and loops', () => {
    for (const source of [
      hostile,
      '{{ event.properties.hostile | strip }}',
      '{% echo event.properties.hostile %}',
      '{% cycle event.properties.hostile %}',
      '{% capture x %}{{ event.properties.hostile }}{% endcapture %}{{ x }}',
      '{% assign x = event.properties.hostile %}{{ x }}',
      '{% liquid echo event.properties.hostile %}',
    ]) {
      expect(render(source, 'markdown')).not.toMatch(/(?<!\\)(?:\\\\)*[\]<(]/)
    }
  })

  test("the author's own Markdown stays", () => {
    expect(render('**Hi {{ user.name }}**, see [it](/x)', 'markdown')).toBe("**Hi O'Neil**, see [it](/x)")
  })

  test('HTML is escaped', () => {
    expect(render(`<p>${hostile}</p>`, 'html')).toBe(
      '<p>](https://evil.example) &lt;b&gt;&quot;x&quot;&lt;/b&gt; &#39;y&#39;</p>',
    )
  })
})

describe('a fault is reported when the template is saved', () => {
  test.each([
    ['Hi {{ event.name | shout }}', 'undefined filter: shout', 3],
    ['Hi {{ event.name', /not closed/, 3],
    ['Hi {% if event %}', /not closed/, 3],
    ['ab {% include "x" %}', /^The tag include does not exist here/, 3],
    ['line\n{% nope %}', 'tag "nope" not found', 5],
    ['{{ event.properties.$amount }}', /Write event\.properties\["\$amount"\]\.$/, 21],
    ['Hi {{ user.attributes.a/b | upcase }}', /Write user\.attributes\["a\/b"\]\.$/, 24],
  ])('%j', (source, message, position) => {
    const compiled = compileTemplate(source, 'text')
    expect(compiled).toEqual({
      fault: { message: typeof message === 'string' ? message : expect.stringMatching(message), position },
    })
  })

  test('one that is too long', () => {
    expect(compileTemplate('a'.repeat(32_769), 'text')).toMatchObject({
      fault: { message: expect.stringMatching(/32768/) },
    })
  })

  test.each([
    ['tags', (levels: number) => '{% if 1 %}'.repeat(levels) + '{% endif %}'.repeat(levels)],
    ['parentheses', (levels: number) => `{{ ${'('.repeat(levels)}1${'..1)'.repeat(levels)} }}`],
    ['brackets', (levels: number) => `{{ a${'[a'.repeat(levels)}${']'.repeat(levels)} }}`],
  ])('one that nests %s too deep', (_, nest) => {
    expect(compileTemplate(nest(60), 'text')).toHaveProperty('template')
    for (const levels of [70, 1500, 6000].filter((levels) => nest(levels).length <= 32_768))
      expect(compileTemplate(nest(levels), 'text')).toMatchObject({
        fault: { message: 'The template is nested too deep.' },
      })
  })

  test.each([
    ['liquid in liquid', '{% liquid\nliquid echo 1 %}', 'the tag liquid is no part of another'],
    ['a line of a comment', '{% # a\n b %}', "every line of an inline comment must start with a '#' character"],
    ['too many tags', '{{ a }}'.repeat(3001), 'A template has at most 3000 tags and outputs.'],
  ])('%s', (_, source, message) => {
    expect(compileTemplate(source, 'text')).toMatchObject({ fault: { message } })
  })

  test('a layout has as many characters in its tags as a message has', () => {
    const source = (chars: number) => `${'x'.repeat(100_000)}{{ "${'a'.repeat(chars - 8)}" }}`
    expect(compileTemplate(source(32_768), 'layout')).toHaveProperty('template')
    expect(compileTemplate(source(32_769), 'layout')).toHaveProperty('fault')
  })
})

const longText = (part: string) => `The template makes a text of more than 65536 characters, by ${part} in line 1.`
const LONG_OUTPUT = 'The output has more than 65536 characters.'

describe('limits', () => {
  test.each([
    [
      'an endless loop',
      '{% for i in (1..900) %}{% for j in (1..900) %}{% for k in (1..900) %}x{% endfor %}{% endfor %}{% endfor %}',
      LONG_OUTPUT,
    ],
    [
      'a huge range',
      '{% for i in (1..1000000000) %}x{% endfor %}',
      'The template makes a list of more than 20000 items, by the tag for in line 1.',
    ],
    [
      'doubling',
      `{% assign s = "0123456789" %}${'{% assign s = s | append: s %}'.repeat(30)}{{ s }}`,
      longText('the filter append'),
    ],
    ['capturing', `${'{% capture s %}{{ s }}{{ s }}x{% endcapture %}'.repeat(30)}`, longText('an output')],
    [
      'a long output',
      '{{ event.properties.big }}{{ event.properties.big }}',
      'The output has more than 65536 characters.',
    ],
    [
      'a long output of loops',
      '{% for i in (1..100) %}{{ event.properties.big }}{% endfor %}',
      'The output has more than 65536 characters.',
    ],
  ])('%s ends with a TemplateError', (_name, source, message) => {
    expect(() => compile(source).render(scope)).toThrow(new TemplateError(message))
  })

  test('an output has as many characters as its kind allows', () => {
    const half = '{% assign b = event.properties.big | slice: 0, 32768 %}{{ b }}'
    expect(render(`${half}{{ b }}`)).toHaveLength(65_536)
    expect(() => render(`${half}{{ b }}x`)).toThrow('The output has more than 65536 characters.')
    expect(render(`${half}${'{{ b }}'.repeat(15)}`, 'layout')).toHaveLength(524_288)
    expect(() => render(`${half}${'{{ b }}'.repeat(15)}x`, 'layout')).toThrow('more than 524288')
  })

  test('a paused machine does not change the result', () => {
    const paused = {
      get name() {
        const until = process.hrtime.bigint() + 60_000_000n
        while (process.hrtime.bigint() < until);
        return 'x'
      },
    }
    const template = compile('{% for i in (1..5) %}{{ event.name }}{% endfor %}')
    expect(template.render({ ...scope, event: paused })).toBe('xxxxx')
  })

  test('a spent budget is full again for the next template', () => {
    expect(() => render('{{ (1..99999999) }}')).toThrow('a list of more than 20000 items')
    expect(render('{{ (1..3) | join }}')).toBe('1 2 3')
  })

  test('a template leaves the data as it is', () => {
    const source = '{% increment event %}{% decrement n %}{% assign user = 1 %}{% capture env %}x{% endcapture %}'
    expect(render(source)).toBe('0-1')
    expect(render('{{ event.name }}{{ user.id }}{{ env.name }}{{ n }}')).toBe('order.shippedu_1dev')
  })
})

test.each([
  ['', true],
  ['plain', true],
  ['{{ event.name }} {{ event.properties.list }}', true],
  ['{{ event.name | upcase }}', false],
  ['{{ event.properties.list.size }}', false],
  ['{% assign a = 1 %}', false],
  ['{{ events }}', false],
])('%j is plain: %s', (source, isPlain) => {
  expect(compile(source).isPlain).toBe(isPlain)
})

describe('what it reads', () => {
  test.each([
    ['plain', false],
    ['{{ event.name }}', false],
    ['{{ user.id }}', false],
    ['{{ user.name }}', true],
    ['{{ user.id }} {{ user.attributes.plan }}', true],
    ['{{ user.name | upcase }}', true],
    ['{{ user.id | upcase }}', false],
    ['{% assign who = user %}{{ who.name }}', true],
    ['{% for pair in user.attributes %}{% endfor %}', true],
    ['{% if user.locale == "fr" %}a{% endif %}', true],
    ['{{ event.properties.user }}', false],
    ['{{ user["name"] }}', true],
    ['{{ user }}', true],
    ['{{ ["user"].name }}{{ user["id"] }}', true],
    ['{{ user["id"] }}', false],
    ['{% assign key = "user" %}{{ [key].name }}', true],
    ['{{ (1..user.age) }}', true],
    ['{% for i in event.properties.list limit: user.count %}{% endfor %}', true],
    ['{% case 1 %}{% when user.age %}{% endcase %}', true],
    ['{% if false %}{% elsif user.age > 1 %}{% endif %}', true],
    ['{% cycle user.name: "a", "b" %}', true],
    ['{% liquid\n echo user.name %}', true],
    ['{{ event.name | append: user.name }}', true],
    ['{{ event.name | default: event.name, allow_false: user.name }}', true],
    ['{{ event[user.name] }}', true],
  ])('%s reads the profile: %s', (source, readsProfile) => {
    expect(compile(source).readsProfile).toBe(readsProfile)
  })
})

test('the number of events of a digest is plain', () => {
  const compiled = compileTemplate('{{ events.size }} orders of {{ event.name }}', 'text')
  if ('fault' in compiled) throw new Error(compiled.fault.message)
  const events = [{}, {}, {}]
  const scope = { event: { name: 'x' }, user: {}, enriched: {}, events, campaign: {}, env: {} }
  expect([compiled.template.isPlain, compiled.template.render(scope)]).toEqual([true, '3 orders of x'])
})

test.each([
  [
    '{{ event.name | raw }}',
    'The filter raw does not exist here. Write HTML in the template itself: what is printed is always escaped.',
  ],
  [
    '{% assign a = events | where_exp: "e", "e.a" %}',
    'The filter where_exp does not exist here. Use the filter without _exp, such as where, or an if in a for.',
  ],
  [
    '{{ events | find_index_exp: "e", "e.a" }}',
    'The filter find_index_exp does not exist here. Use the filter without _exp, such as where, or an if in a for.',
  ],
  ['{{ events | sample }}', 'The filter sample does not exist here. Use first or last.'],
  ['{% include "x" %}', 'The tag include does not exist here. Write a snippet, and render it by its name.'],
  [
    '{% layout "x" %}',
    'The tag layout does not exist here. The frame of mails is the layout of the notification config.',
  ],
  [
    '{% block a %}{% endblock %}',
    'The tag block does not exist here. The frame of mails is the layout of the notification config.',
  ],
  [
    '{% tablerow a in events %}{% endtablerow %}',
    'The tag tablerow does not exist here. Write the rows of a table in a for.',
  ],
  ['{{ events | foo }}', 'undefined filter: foo'],
])('%s is refused with what to write instead', (source, message) => {
  expect(compileTemplate(source, 'text')).toMatchObject({ fault: { message } })
})

test('a division by zero prints Infinity, or NaN of zero', () => {
  const compiled = compileTemplate('{{ 5 | divided_by: 0 }} {{ 0 | divided_by: 0 }}', 'text')
  const scope = { event: {}, user: {}, enriched: {}, events: [], campaign: {}, env: {} }
  expect('template' in compiled && compiled.template.render(scope)).toBe('Infinity NaN')
})
