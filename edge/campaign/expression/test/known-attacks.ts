// Lists templates that ended the process or blocked it, each with what must become of it.

import type { OutputKind } from '../template.ts'

/** A fault is reported when it is saved; a refused one ends with a TemplateError. */
export type Outcome = 'fault' | 'refused' | 'evaluated'
export interface Attack {
  name: string
  source: string
  outcome: Outcome
  kind?: OutputKind
}

const P = 'event.properties.'
const endlessly = (body: string) => `{% for i in (1..20000) %}${body}{% endfor %}`
const names = Array.from({ length: 24 }, (_, i) => `s${i}`)

/** A list that contains itself 2^60 times. */
const graph = (name: string) =>
  `{% assign ${name} = "x" | split: "" %}${`{% assign ${name} = ${name} | push: ${name} | push: ${name} %}`.repeat(60)}`

const refused: Record<string, string> = {
  'captures that double': `{% assign s = "x" %}${'{% capture s %}{{ s }}{{ s }}{% endcapture %}'.repeat(20)}`,
  'texts that are searched': `${names.map((name) => `{% assign ${name} = ${P}a | append: "" %}`).join('')}${endlessly(`{% if ${names.map((name) => `${name} contains ${P}b`).join(' or ')} %}{% endif %}`)}`,
  'a search of a long text': `{% if ${P}a contains ${P}b %}{% endif %}`,
  'a search from the end': `{{ ${P}a | replace_last: ${P}b, "" }}`,
  'a range without end': '{% for i in (9007199254740992..9007199254740994) %}x{% endfor %}',
  'a range of infinity': `{% assign n = 1 | divided_by: 0 %}{% for i in (1..n) %}x{% endfor %}`,
  'ranges to a long text': `{% for i in ${P}list.nulls %}{% for j in (1..${P}lines) %}{% endfor %}{% endfor %}`,
  'many ranges': endlessly('{{ (1..20000).size }}'),
  'a list of lists printed': `${graph('a')}{{ a }}`,
  'a list of lists as JSON': `${graph('a')}{{ a | json }}`,
  'lists of lists compared': `${graph('a')}${graph('b')}{% if a == b %}{% endif %}`,
  'lists of lists in a case': `${graph('a')}${graph('b')}{% case a %}{% when b %}{% endcase %}`,
  'lists of lists ordered': `${graph('a')}{% if a < 1 %}{% endif %}`,
  'a list of lists in a cycle': `${graph('a')}{% cycle a: 1, 2 %}`,
  'a list of lists summed': `${graph('a')}{{ a | sum }}`,
  'a list of lists sorted': `${graph('a')}{{ a | sort }}`,
  'a list of lists joined': `${graph('a')}{{ a | join }}`,
  'a list of lists as a text': `${graph('a')}{{ a | upcase }}`,
  'the size of a map': endlessly(`{{ ${P}map.wide.size }}`),
  'a map in a loop': endlessly(`{% for j in ${P}map.wide limit: 1 %}{% endfor %}`),
  'a copy of a list': endlessly(`{% for j in ${P}list.numbers offset: 0 limit: 1 %}{% endfor %}`),
  'a map that is not empty': endlessly(`{% if ${P}map.wide == empty %}{% endif %}`),
  'a text that is blank': endlessly(`{% if ${P}blank == blank %}{% endif %}`),
  'a wide date': '{{ "now" | date: "%9999999d" }}',
  'dates of many names': endlessly(`{{ "now" | date: ${P}signs }}`),
  'dates of a long format': `{% for i in ${P}map.wide %}{% assign d = i | date: ${P}quot %}{% endfor %}`,
  'dates in zones': endlessly('{{ "now" | date: "%Y", "Asia/Kathmandu" }}'),
  'dates by other names': endlessly('{{ "now" | date_to_string }}'),
  'numbers in a language': endlessly('{% assign a = i | number: 2 %}'),
  'numbers of many decimals': endlessly('{% assign a = 1 | number: i | money: "EUR", i %}'),
  'amounts in many currencies': `{% for c in ${P}list.words %}{% assign d = c | slice: 0, 3 %}{{ 1 | money: c, locale: c }}{{ 1 | money: d, c }}{% endfor %}${endlessly('{{ 1 | money: "EUR" }}')}`,
  'plurals of long texts': `{{ 1000 | plural: ${P}hash }}${endlessly(`{% assign a = i | plural: ${P}a, ${P}a %}`)}`,
  'long lists in words': endlessly(`{% assign a = ${P}list.numbers | list %}`),
  'a list of lists in words': `${graph('a')}{{ a | list }}`,
  'digits as numbers': endlessly(`{% assign a = ${P}digits | number %}{% assign b = ${P}blank | number %}`),
  'locales of long texts': endlessly(`{% assign a = 1 | number: locale: ${P}a %}`),
  'translations of long values': `{{ "order" | t: count: 5, name: ${P}a }}`,
  'many translations': endlessly('{% assign a = "order" | t: count: i %}'),
  'snippets in snippets': endlessly('{% capture a %}{% render "outer", a: "x" %}{% endcapture %}'),
  'groups of a cycle': endlessly(`{% capture c %}{% cycle i: "${'x'.repeat(30_000)}", "b" %}{% endcapture %}`),
  'many values of a case': endlessly(`{% case i %}{% when 0${', 0'.repeat(8000)} %}{% endcase %}`),
  'many branches': endlessly(`{% if false %}${'{% elsif i == 0 %}'.repeat(1500)}{% endif %}`),
  'a long path': endlessly(`{{ a${'.a'.repeat(14_000)} }}`),
  'many filters': endlessly(`{{ 1${'|abs'.repeat(7000)} }}`),
  'loops without a body': endlessly(endlessly('')),
  'a loop of assignments': endlessly(endlessly('{% assign a = i %}')),
  'the name of a loop': `{% for i in event["${'x'.repeat(30_000)}"] %}{% else %}${endlessly(endlessly('{% if forloop == 1 %}{% endif %}'))}{% endfor %}`,
  'markup removed': endlessly(`{% assign a = ${P}lt | strip_html %}`),
  'ends stripped': endlessly(`{% assign a = ${P}a | rstrip: "a" %}`),
  'a text split': endlessly(`{% assign a = ${P}words | slice: 0, 19000 | split: "" %}`),
  'a list sorted': endlessly(`{% assign a = ${P}list.numbers | sort %}`),
  'lists sorted': endlessly(`{% assign a = events | sort: "properties.list" %}`),
  'lists summed': endlessly(`{% assign a = events | sum: "properties.list" %}`),
  'objects found': endlessly(`{% assign a = ${P}list.objects | where: "n", 3 %}`),
  'objects found by a long path': endlessly(`{% assign a = ${P}list.objects | map: ${P}a %}`),
  'code as a path': '{{ events | where: "a[(9007199254740992..9007199254740994)]" }}',
  'equal texts compared': `{% assign a = ${P}a | append: "" %}{% assign l = "" | split: "" | push: ${P}a | push: a %}${'{% assign l = l | concat: l %}'.repeat(12)}${endlessly('{% assign u = l | uniq %}')}`,
  'a map as JSON': endlessly(`{% assign a = ${P}map.tree | json %}`),
  'JSON with indentation': '{{ events | json: 10 }}',
  'a text replaced by longer ones': `{{ ${P}a | replace: "a", ${P}a }}`,
  'a long list of nothing': endlessly(`{{ ${P}list.nulls }}`),
  'long lists of nothing without the engine': `{{ ${P}list.empties }}`.repeat(900),
  'objects without the engine': `{{ ${P}map.tree }}`.repeat(900),
  'a long text without the engine': `{{ ${P}a }}`.repeat(900),
}

const faults: Record<string, string> = {
  'more tags than a template has': '{{a}}'.repeat(3001),
  'tags within tags': '{% if 1 %}'.repeat(1500) + '{% endif %}'.repeat(1500),
  'parentheses within parentheses': `{{ ${'('.repeat(3000)}1${'..1)'.repeat(3000)} }}`,
  'liquid within liquid': `{% ${'liquid '.repeat(4500)} %}`,
  'tags without end': '{% '.repeat(10_000),
  'outputs without end': '{{ '.repeat(10_000),
  'a filter that parses code': '{{ events | where_exp: "e", "e.a == 1" }}',
  'a filter that is random': '{{ events | sample }}',
}

const evaluated: Record<string, string> = {
  'a list of lists found': `${graph('a')}{% assign l = events | where: "properties.list", a %}{% if a contains a %}{% endif %}`,
  'a list of lists as a name': `${graph('a')}{{ event[a] }}{{ [a] }}{% for i in (a..3) limit: a offset: a %}{% endfor %}`,
  'a count of many digits': `{{ ${P}a | slice: ${P}digits, ${P}digits }}{{ ${P}words | truncate: ${P}digits | size }}`,
  'a count that is a list': `{{ ${P}a | slice: 0, ${P}list.words | size }}`,
  'a comment of empty lines': `{% # a${'\n'.repeat(32_000)}# %}`,
  'as many tags as a template has': '{{a}}'.repeat(3000),
  'lines of liquid': `{% liquid${'\necho a'.repeat(4500)} %}`,
  'many conditions': `{% if a${' or a'.repeat(6000)} %}{% endif %}`,
  'a parent of the engine': '{% for i in (1..2) %}{{ forloop.__proto__.next }}{% endfor %}',
}

const list = (attacks: Record<string, string>, outcome: Outcome, kind: OutputKind = 'text') =>
  Object.entries(attacks).map(([name, source]): Attack => ({ name, source, outcome, kind }))

export const TEMPLATE_ATTACKS: Attack[] = [
  ...list(refused, 'refused'),
  ...list(faults, 'fault'),
  ...list(evaluated, 'evaluated'),
  ...list(
    {
      'a comment of empty lines in a layout': `{% # a${'\n'.repeat(32_000)}# %}`,
      'a layout of text': 'x'.repeat(520_000),
      'a layout of blanks': '{{- a -}}          '.repeat(2900) + ' '.repeat(400_000),
    },
    'evaluated',
    'layout',
  ),
  ...list(
    {
      'a layout of braces': '{'.repeat(520_000),
      'a layout of tags': '{{a}}'.repeat(100_000),
      'a layout of one tag': `{% # a${'\n'.repeat(500_000)}# %}`,
      'a layout of one liquid': `{% liquid${'\necho a'.repeat(70_000)} %}`,
    },
    'fault',
    'layout',
  ),
  ...list({ 'a text of which nothing is printed': endlessly(`{{ ${P}lines }}`) }, 'refused', 'markdown'),
  ...list({ 'quotes in HTML': `{{ ${P}quot }}`, 'angles in HTML': `${`{{ ${P}lt }}`.repeat(50)}` }, 'refused', 'html'),
]
