// Tests that the metered engine prints what the published one prints, and that no filter is left without a charge.

import { Context, Liquid, Tokenizer } from 'liquidjs'
import { expect, test } from 'vitest'
import { withBudget } from './budget.ts'
import { createEngine } from './liquid.ts'
import { compileTemplate } from './template.ts'

const scope = {
  event: {
    text: ' Ann <b> & "Bo" ',
    csv: 'b,a,,c,',
    numbers: [3, 1, 2, 10],
    words: ['b', 'A', 'c', 'a'],
    items: [
      { n: 2, t: 'x', l: [1], deep: { k: 5 } },
      { n: 1, t: 'y', l: [], deep: { k: 4 } },
      { n: 2, t: 'X', l: [1, 2] },
      { t: null },
    ],
    map: { a: 1, b: { c: [2] } },
    nothing: null,
    empty: [],
    day: '2026-05-01T22:30:05Z',
  },
  user: {},
  enriched: {},
  events: [],
  campaign: {},
  env: {},
}

const EXPRESSIONS = `
event.text | strip | upcase ; event.text | lstrip: " A" ; event.text | strip_html | squish ; event.text | escape ; event.text | url_encode
event.text | replace: "n", "mm" ; event.text | replace: "", "-" ; event.text | remove: "n" ; event.text | replace_first: "n", "$&" ; event.text | replace_last: "n"
event.text | truncate: 6 ; event.text | truncatewords: 2 ; event.text | slice: 1, 3 ; event.text | slice: -3, 2 ; event.text | size ; event.text | capitalize
event.text | base64_encode | base64_decode ; event.text | sha256 ; event.text | number_of_words ; event.text | slugify ; event.text | append: event.numbers
event.csv | split: "," | join: "+" ; event.csv | split: "" | size ; event.csv | split: "," | last ; event.csv | split: "," | reverse | join
event.numbers | sort | join ; event.numbers | sum ; event.numbers | first ; event.numbers | concat: event.words | join ; event.numbers | push: 5 | pop | shift | unshift: 9 | join
event.words | sort | join ; event.words | sort_natural | join ; event.words | uniq | compact | join: ", " ; event.words | array_to_sentence_string
event.items | map: "n" | join ; event.items | map: "deep.k" | join ; event.items | sum: "n" ; event.items | sort: "n" | map: "t" | join ; event.items | sort_natural: "t" | map: "t" | join
event.items | where: "n", 2 | size ; event.items | where: "t" | size ; event.items | reject: "n", 2 | size ; event.items | has: "n", 1 ; event.items | has: "n", 7
event.items | find: "n", 1 | map: "t" ; event.items | find_index: "deep.k", 4 ; event.items | find: "n", 9 ; event.items | where: "l", empty | size ; event.items | where: "l", nil | size
event.items | group_by: "n" | map: "name" | join ; event.map | group_by: 0 | size ; event.items | slice: 1, 2 | size ; event.nothing | where: "a" | size
event.map | json ; event.items | jsonify ; event.items | json: 2 ; event.map | inspect ; event.nothing | json ; event.text | json
event.nothing | default: "x" ; event.empty | default: "x" ; false | default: 1, allow_false: true ; event.numbers | first | plus: 1 | times: 2.5 | round
event.day | date: "%Y-%m-%d %H:%M:%S" ; event.day | date: "%A %-d %^b %5N %03d" ; event.day | date_to_xmlschema ; event.day | date_to_rfc822 ; event.day | date_to_long_string
(1..3) | join ; (3..1) | join ; ("1".."3") | join ; (1.5..3) | join ; (event.numbers.size..6) | join ; event.map.size ; event.map.b.c.first ; event.items[0].deep["k"]
"a" == "a" ; event.numbers == event.numbers ; event.items contains event.items ; event.words contains "A" ; event.text contains "Ann" ; event.empty == empty ; event.map == empty
event.nothing == nil ; event.text == blank ; event.numbers.size > 3 and event.words.size < 9 ; "b" > "a" ; not true or 1 == 1
`
  .trim()
  .split(/ ; |\n/)

const STATEMENTS = [
  '{% for i in event.numbers offset: 1 limit: 2 reversed %}{{ forloop.index }}{{ i }}{{ forloop.last }} {% endfor %}',
  '{% for i in event.numbers limit: 2 %}{{ i }}{% endfor %}{% for i in event.numbers offset: continue %}-{{ i }}{% endfor %}',
  '{% for pair in event.map %}{{ pair[0] }}{% endfor %}{% for c in "ab" %}{{ c }}{% endfor %}{% for x in event.gone %}{% else %}none{% endfor %}',
  '{% for i in (1..5) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 4 %}{% break %}{% endif %}{{ i }}{% endfor %}',
  '{% for i in (1..2) %}{{ forloop.name }}{{ forloop.length }}{% endfor %}',
  '{% case event.numbers.size %}{% when 1, 2 %}a{% when 4 or 5 %}b{% else %}c{% endcase %}{% case 9 %}{% when 1 %}a{% else %}c{% endcase %}',
  '{% case event.numbers %}{% when event.words %}a{% when event.numbers %}b{% endcase %}{% case event.empty %}{% when empty %}e{% endcase %}',
  '{% for i in (1..4) %}{% cycle "a", "b" %}{% cycle i: "x", "y" %}{% cycle "g": 1, 2, 3 %}{% endfor %}',
  '{% capture a %}x{{ event.numbers }}{% endcapture %}{{ a | size }}{% increment n %}{% increment n %}{% decrement m %}',
  '{% liquid\n assign a = 1\n if a == 1\n echo "yes"\n endif %}{% # one\n # two %}{% comment %}x{% endcomment %}{% raw %}{{ x }}{% endraw %}',
  '{%- assign a = "x" -%}  {{- a -}}  {% unless a == "x" %}1{% else %}2{% endunless %}{% if a %}{% elsif b %}{% endif %}',
]

test.each([...EXPRESSIONS.map((one) => `{% assign x = ${one} %}{{ x }}`), ...STATEMENTS])(
  '%j prints what Liquid prints',
  (source) => {
    const published = new Liquid({ outputEscape: plain, timezoneOffset: 0, locale: 'en-US' })
    const compiled = compileTemplate(source, 'text')
    if ('fault' in compiled) throw new Error(compiled.fault.message)
    expect(compiled.template.render(scope)).toBe(published.parseAndRenderSync(source, scope))
  },
)

/** Prints as templates of this service do. */
function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join('')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
}

test.each([
  ['1769860800', '2026-01-31 12:00'],
  ['1769860800000', '2026-01-31 12:00'],
  ['"1769860800000"', '2026-01-31 12:00'],
  ['"2026-01-31T14:00+0200"', '2026-01-31 12:00'],
  ['"2026-01-31T14:00+0200", "America/New_York"', '2026-01-31 07:00'],
  ['"2026-01-31T12:00"', '2026-01-31 12:00'],
  ['"2026-01-31T12:00", "America/New_York"', '2026-01-31 12:00'],
  ['"2026-01-31T12:00", 300', '2026-01-31 12:00'],
  ['"2026-01-31", "Asia/Tokyo"', '2026-01-31 00:00'],
  ['"2026-01-31T12:00", "Nowhere/City"', '2026-01-31 12:00'],
  // No other text is a time: what a browser makes of one depends on the browser.
  ['"31 January 2026 12:00 UTC"', '31 January 2026 12:00 UTC'],
  ['"12/24/2026"', '12/24/2026'],
  ['"2026-02-30"', '2026-02-30'],
  ['true', 'true'],
  ['"soon"', 'soon'],
])('the date of %s is %s', (operands, printed) => {
  const [value = '', zone] = operands.split(', ')
  const source = `{{ ${value} | date: "%Y-%m-%d %H:%M"${zone === undefined ? '' : `, ${zone}`} }}`
  const compiled = compileTemplate(source, 'text')
  if ('fault' in compiled) throw new Error(compiled.fault.message)
  expect(compiled.template.render(scope)).toBe(printed)
})

test('every filter is replaced by one with a charge', () => {
  const { filters } = createEngine('text')
  for (const [name, published] of Object.entries(new Liquid().filters)) expect(filters[name]).not.toBe(published)
})

test.each(Object.keys(createEngine('text').filters))('the filter %s takes units of the budget', (name) => {
  const engine = createEngine('text')
  const filter = engine.filters[name]
  const token = new Tokenizer('| x').readFilter()
  if (typeof filter !== 'function' || token === null) throw new Error(`no filter: ${name}`)
  const call = () => filter.call({ context: new Context(), token, liquid: engine }, 'YWFh', 'a', 'b')
  expect(() => withBudget(call, 0)).toThrow('costs too much')
})
