// Generates hostile templates: every tag, filter and operator, values that grow, and sources that break the parser.

import { PATHS } from './hostile-data.ts'
import type { Random } from './random.ts'

const NAMES = ['a', 'b', 'c', 'd', 's']
const PROPERTIES = [
  'size',
  'first',
  'last',
  'n',
  't',
  'l',
  'k',
  'a',
  'b',
  'properties',
  'properties.list',
  'name',
  'x.y',
]
const OPERATORS = ['==', '!=', '<', '<=', '>', '>=', 'contains', 'and', 'or']
const LITERALS = [
  ...['nil', 'true', 'false', 'empty', 'blank', '0', '1', '-1', '2', '3', '10', '0.5', '20000', '65536', '1e3'],
  ...[
    '9007199254740991',
    '9007199254740993',
    '99999999999999999999999',
    '""',
    '"a"',
    '" "',
    '","',
    '"n"',
    '"size"',
    '"<"',
  ],
  ...[
    '"aa"',
    '"%A %B %c"',
    '"%9999999d"',
    '"%99999N"',
    '"%s%z%Z"',
    '"now"',
    '"2026-05-01T22:30:00Z"',
    '"Asia/Kathmandu"',
  ],
  ...['"properties.n"', '"n[(1..99999999)]"', '"l"', '"x.y.z"', '"US"', '"latin"', '"cjk"', '"YWFh"', '"%41"', '"\\n"'],
  ...['"EUR"', '"percent"', '"compact"', '"or"', '"# items"', '"ar"', '"zh_Hant"', '"en-u-ca-buddhist"', '"-"'],
]
const FILTERS =
  'escape xml_escape escape_once newline_to_br strip_html abs at_least at_most ceil divided_by floor minus plus modulo times round url_decode url_encode cgi_escape uri_escape slugify join last first reverse sort sort_natural size map sum compact concat push unshift pop shift slice where reject where_exp reject_exp group_by group_by_exp has has_exp find_index find_index_exp find find_exp uniq sample date date_to_xmlschema date_to_rfc822 date_to_string date_to_long_string append prepend lstrip downcase upcase remove remove_first remove_last rstrip split strip strip_newlines squish capitalize replace replace_first replace_last truncate truncatewords normalize_whitespace number_of_words array_to_sentence_string base64_encode base64_decode sha256 hmac_sha256 default jsonify to_integer json inspect number money plural list t'.split(
    ' ',
  )
/** Filters whose results are longer than their operands, or that read all of them. */
const GROWING = [
  'append',
  'prepend',
  'concat',
  'push',
  'unshift',
  'replace',
  'join',
  'split',
  'json',
  'escape',
  'url_encode',
]
/** Names of arguments. */
const ARGUMENTS = ['zero', 'one', 'few', 'other', 'locale', 'style', 'count']
const FRAGMENTS = [
  ...[
    '{{a}}',
    '{{ a.b | c }}',
    '{%if a%}',
    '{%endif%}',
    '{%if a%}{%endif%}',
    '{%for a in b%}',
    '{%endfor%}',
    '{%',
    '{{',
    '}}',
  ],
  ...[
    '{%- a -%}',
    '{% raw %}',
    '{% endraw ',
    '{%comment%}',
    '{%case a%}',
    '{%when 1%}',
    '{%else%}',
    '{%elsif a%}',
    '{%capture a%}',
  ],
  ...[
    'liquid ',
    '\n',
    '\necho a',
    '\n#',
    ' ',
    '"',
    "'",
    '\\',
    '(',
    '(1..',
    '1)',
    '[',
    '[a',
    ']',
    '.a',
    '|abs',
    ',1',
    ' or a',
    ' == a',
  ],
  ...[
    '{% # ',
    '{% liquid ',
    'a',
    '1',
    '1.',
    '-',
    '-1',
    ':',
    '|',
    '<',
    'href="',
    '](',
    '\t',
    '\u00a0',
    '\ud83d',
    '{% cycle ',
    '0',
  ],
]

/** Returns the source of one template. */
export function generateTemplate(random: Random): string {
  if (random.once(60)) return mutate(random, nonsense(random))
  // Most are short, so that all combinations of filters and operands come up.
  if (!random.once(6))
    return random.pick([
      () => `{{ ${expression(random)} }}`,
      () => `{% if ${condition(random)} %}{{ ${expression(random)} }}{% endif %}`,
      () => `{% assign a = ${expression(random)} %}{% for i in a %}{{ i${filter(random)} }}{% endfor %}`,
    ])()
  const source = random.many(random.pick([1, 1, 1, 2, 5]), () => statement(random, random.pick([0, 1, 2]))).join('')
  return random.once(25) ? mutate(random, source) : source
}

function nonsense(random: Random): string {
  const parts = random.many(1 + random.below(4), () => {
    const fragment = random.pick(FRAGMENTS) + (random.once(3) ? random.pick(FRAGMENTS) : '')
    return fragment.repeat(random.once(3) ? random.below(Math.floor(20_000 / fragment.length)) : 1 + random.below(20))
  })
  return parts.join('').slice(0, 32_768)
}

function mutate(random: Random, source: string): string {
  const at = random.below(source.length + 1)
  return source.slice(0, at) + random.pick([...FRAGMENTS, '']) + source.slice(at + random.below(5))
}

function value(random: Random, levels = 2): string {
  switch (random.below(9)) {
    case 0:
    case 1:
      return random.pick(LITERALS)
    case 2:
    case 3:
    case 4:
      return random.pick(PATHS)
    case 5:
      return levels > 0 ? `(${value(random, levels - 1)}..${value(random, levels - 1)})` : '(1..3)'
    case 6:
      return levels > 0 ? `${random.pick(NAMES)}[${value(random, levels - 1)}]` : random.pick(NAMES)
    case 7:
      return `${random.pick(NAMES)}.${random.pick(PROPERTIES)}`
    default:
      return random.pick(['i', 'j', 'forloop', 'forloop.index', 'forloop.name', ...NAMES, ...NAMES])
  }
}

function filter(random: Random): string {
  const name = random.pick(random.once(3) ? GROWING : FILTERS)
  const args = random.many(random.pick([0, 1, 1, 1, 2, 2, 3]), () =>
    random.once(5) ? `${random.pick(ARGUMENTS)}: ${value(random, 1)}` : value(random, 1),
  )
  return args.length === 0 ? ` | ${name}` : ` | ${name}: ${args.join(', ')}`
}

function expression(random: Random): string {
  return value(random) + random.many(random.below(4), () => filter(random)).join('')
}

function condition(random: Random): string {
  return random
    .many(1 + random.below(3), () => `${value(random)} ${random.pick(OPERATORS)} ${value(random)}`)
    .join(random.pick([' and ', ' or ']))
}

/** A statement that makes a value of its own names longer each time it runs. */
function growth(random: Random): string {
  const name = random.pick(NAMES)
  const other = random.pick(NAMES)
  const step = random.pick([
    `{% capture ${name} %}{{ ${name} }}{{ ${other} }}x{% endcapture %}`,
    `{% assign ${name} = ${name} | append: ${other} | append: "x" %}`,
    `{% assign ${name} = ${name} | concat: ${other} | push: 1 %}`,
    `{% assign ${name} = ${name} | push: ${other} | push: ${name} %}`,
    `{% assign ${name} = ${name} | replace: "x", ${other} | append: "x" %}`,
    `{% assign ${name} = ${other} | append: "x" | split: "" | join: "xx" %}`,
    `{% assign ${name} = ${name} | ${random.pick(GROWING)}: ${other} %}`,
    `{% cycle ${other}: ${name}, 1 %}`,
  ])
  const times = 1 + random.below(random.once(40) ? 300 : 6)
  return `{% assign ${name} = ${value(random)} %}${step.repeat(times)}{% if ${name} ${random.pick(OPERATORS)} ${value(random)} %}${random.once(2) ? `{{ ${name} }}` : ''}{% endif %}`
}

function statement(random: Random, levels: number): string {
  const block = () =>
    random.many(random.below(4), () => (levels > 0 ? statement(random, levels - 1) : '{{ a }}')).join('')
  const repeated = (source: string) => source.repeat(random.once(60) ? 1 + random.below(200) : 1)
  switch (random.below(16)) {
    case 0:
    case 1:
      return repeated(`{% assign ${random.pick(NAMES)} = ${expression(random)} %}`)
    case 2:
      return `{% capture ${random.pick(NAMES)} %}${block()}{% endcapture %}`
    case 3:
      return `{% if ${condition(random)} %}${block()}${repeated(`{% elsif ${condition(random)} %}`)}{% else %}${block()}{% endif %}`
    case 4:
      return `{% unless ${condition(random)} %}${block()}{% endunless %}`
    case 5:
      return `{% case ${expression(random)} %}{% when ${repeated(`${value(random, 1)}, `)}1 %}${block()}{% else %}${block()}{% endcase %}`
    case 6:
    case 7:
    case 8: {
      const options = [
        '',
        '',
        ' reversed',
        ` limit: ${value(random, 0)}`,
        ` offset: ${value(random, 0)}`,
        ' offset: continue',
      ]
      return `{% for ${random.pick(['i', 'j', 'a'])} in ${value(random)}${random.pick(options)} %}${block()}{% else %}x{% endfor %}`
    }
    case 9:
      return repeated(
        `{% cycle ${random.once(2) ? `${value(random, 0)}: ` : ''}${value(random)}, ${expression(random)} %}`,
      )
    case 10:
      return random.pick([
        '{% increment n %}',
        '{% decrement event %}',
        '{% break %}',
        '{% continue %}',
        '{% raw %}{{{% endraw %}',
        `{% render "${random.pick(['long', 'outer', 'gone'])}", a: ${value(random, 1)} %}`,
        `{{ "${random.pick(['order', 'gone'])}" | t: count: ${value(random, 1)}, name: ${value(random, 1)} }}`,
        `{% assign a = ${value(random, 1)} | t: count: ${value(random, 1)}, locale: ${value(random, 1)} %}`,
        `{% capture b %}{% render "${random.pick(['long', 'outer'])}", b: ${value(random, 1)} %}{% endcapture %}`,
      ])
    case 11:
      return `{% liquid\n assign a = ${expression(random)}\n for i in ${value(random)}\n echo ${expression(random)}\n endfor %}`
    case 12:
      return `text ${random.pick(['<b>', '| a |\n|-|\n', '[a](', '**'])} {{ ${random.pick(PATHS)} }}`
    case 13:
    case 14:
      return growth(random)
    default:
      return repeated(`{{ ${expression(random)} }}`)
  }
}
