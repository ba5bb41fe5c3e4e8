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
    ['{{ event.name | raw }}', 'undefined filter: raw', 0],
    ['Hi {{ event.name | shout }}', 'undefined filter: shout', 3],
    ['Hi {{ event.name', /not closed/, 3],
    ['Hi {% if event %}', /not closed/, 3],
    ['ab {% include "x" %}', 'tag "include" not found', 3],
    ['{% render "x" %}', 'tag "render" not found', 0],
    ['{% layout "x" %}', 'tag "layout" not found', 0],
    ['{% tablerow x in y %}{% endtablerow %}', 'tag "tablerow" not found', 0],
    ['line\n{% nope %}', 'tag "nope" not found', 5],
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

  test('one that nests too deep', () => {
    const deep = '{% if 1 %}'.repeat(1500) + '{% endif %}'.repeat(1500)
    const compiled = compileTemplate(deep, 'text')
    if ('fault' in compiled) return expect(compiled.fault.message).not.toBe('')
    try {
      expect(compiled.template.render(scope)).toBe('')
    } catch (error) {
      // The parser's stack may be deep enough; then the time limit of the rendering applies.
      expect(error).toBeInstanceOf(TemplateError)
    }
  })
})

describe('limits', () => {
  test.each([
    [
      'an endless loop',
      '{% for i in (1..900) %}{% for j in (1..900) %}{% for k in (1..900) %}x{% endfor %}{% endfor %}{% endfor %}',
    ],
    ['a huge range', '{% for i in (1..1000000000) %}x{% endfor %}'],
    ['doubling', `{% assign s = "0123456789" %}${'{% assign s = s | append: s %}'.repeat(30)}{{ s }}`],
    ['a long output', '{{ event.properties.big }}{{ event.properties.big }}'],
    ['a long output of loops', '{% for i in (1..100) %}{{ event.properties.big }}{% endfor %}'],
  ])('%s ends with a TemplateError', (_name, source) => {
    const template = compile(source)
    // Processor time, because a stalled machine is not the template's cost.
    const before = process.cpuUsage()
    expect(() => template.render(scope)).toThrow(TemplateError)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000)
  })
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
  ])('%s reads the profile: %s', (source, readsProfile) => {
    expect(compile(source).readsProfile).toBe(readsProfile)
  })
})
