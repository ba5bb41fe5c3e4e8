// Lists campaigns that try to take all time or memory of a server, as customers could write them.

export interface Attack {
  name: string
  /** Of the trigger; absent: always true. */
  where?: string
  steps: object[]
  properties: Record<string, unknown>
  /** Sends mails, which are composed after the run. */
  isMail?: true
}

const times = (count: number, part: string) => part.repeat(count)
const listOf = <T>(length: number, item: (at: number) => T) => Array.from({ length }, (_, at) => item(at))
const LETTERS = 'a'.repeat(60_000)
const SPACES = ' '.repeat(60_000)
const NUMBERS = listOf(12_000, (at) => at)
const KEYS = Object.fromEntries(listOf(8000, (at) => [`k${at}`, at]))
const WORDS = listOf(1500, () => 'x'.repeat(100))
const HALF = 'event.properties.s.substring(0, 16000)'
const EIGHT = `[0]${times(9, '.map(x, [x,x,x,x,x,x,x,x])')}`
const PLAIN_STEP = { id: 'tell', type: 'inbox', title: 'x' }

const condition = (name: string, where: string, properties: Record<string, unknown> = {}): Attack => ({
  name,
  where,
  steps: [PLAIN_STEP],
  properties,
})
const template = (name: string, body: string, properties: Record<string, unknown> = {}): Attack => ({
  name,
  steps: [{ id: 'tell', type: 'inbox', title: 'x', body }],
  properties,
})
const mail = (name: string, content: object, properties: Record<string, unknown> = {}): Attack => ({
  name,
  steps: [{ id: 'mail', type: 'email', subject: 'x', ...content }],
  properties,
  isMail: true,
})

const doubled = (texts: number) =>
  `{% capture s0 %}${'a'.repeat(1000)}{% endcapture %}${times(12, '{% capture s0 %}{{ s0 }}{{ s0 }}{% endcapture %}')}${listOf(texts, (at) => `{% capture s${at + 1} %}{{ s0 }}{% endcapture %}`).join('')}`

export const ATTACKS: readonly Attack[] = [
  condition(
    'texts that double, searched',
    `["${'a'.repeat(1000)}"]${times(18, '.map(x, x + x)')}.map(x, [${listOf(26, (at) => `x + "${at}"`).join(', ')}]).exists(l, ${listOf(26, (at) => `l[${at}].contains("zz")`).join(' || ')})`,
  ),
  condition('lists of the same list, compared', `${EIGHT} == ${EIGHT}`),
  condition('lists of the same list, searched', `${EIGHT} in [${EIGHT}]`),
  condition('lists that double', `[event.properties.list]${times(10, '.map(x, x + x)')}.exists(x, size(x) == 0)`, {
    list: NUMBERS,
  }),
  condition('keys for each element', 'event.properties.list.exists(x, size(event.properties.keys) == 1)', {
    list: NUMBERS,
    keys: KEYS,
  }),
  condition('keys in loops', 'event.properties.list.exists(x, event.properties.keys.exists(k, k == "zz"))', {
    list: NUMBERS,
    keys: KEYS,
  }),
  condition('comparisons in loops', 'event.properties.list.exists(x, event.properties.keys == event)', {
    list: NUMBERS,
    keys: KEYS,
  }),
  condition('a search that nearly succeeds', `event.properties.s.contains(${HALF} + "b" + ${HALF})`, { s: LETTERS }),
  condition('a search from the end', `event.properties.s.lastIndexOf(${HALF} + "b") > 0`, { s: LETTERS }),
  condition('texts in their letters', 'event.properties.list.exists(x, size(event.properties.s.split("")) == x)', {
    list: NUMBERS,
    s: LETTERS,
  }),
  condition('joined texts', 'event.properties.words.map(x, event.properties.words.join(",")).join("") == "a"', {
    words: WORDS,
  }),
  condition(
    'times in zones',
    'event.properties.list.all(x, timestamp("2026-01-01T00:00:00Z").getHours("Asia/Tokyo") < 25)',
    { list: NUMBERS },
  ),
  condition('a long duration', 'duration(event.properties.s) > duration("1s")', { s: '1'.repeat(60_000) }),
  condition(
    'nested loops',
    'event.properties.list.all(x, event.properties.list.all(y, event.properties.list.all(z, z < 0 || y < 0)))',
    { list: NUMBERS },
  ),
  {
    name: 'conditions of twenty branches',
    steps: [
      {
        id: 'split',
        type: 'branch',
        branches: listOf(20, (at) => ({
          key: `b${at}`,
          when: `event.properties.list.exists(x, event.properties.keys.exists(k, k == "zz${at}"))`,
          steps: [],
        })),
      },
    ],
    properties: { list: NUMBERS, keys: KEYS },
  },
  template(
    'captures that double, searched',
    `${doubled(24)}{% if ${listOf(24, (at) => `s${at + 1} contains "zz"`).join(' or ')} %}x{% endif %}`,
  ),
  template('captures that double, printed', `${doubled(1)}{{ s0 | upcase | downcase | url_encode | escape }}`),
  template(
    'texts that grow by replacing',
    `{% assign s = event.properties.s %}${times(6, '{% assign s = s | replace: "a", "aaaaaaaa" %}')}{{ s | size }}`,
    { s: 'a'.repeat(1000) },
  ),
  template(
    'lists that double',
    `{% assign l = event.properties.list %}${times(12, '{% assign l = l | concat: l %}')}{{ l | join: "," | size }}`,
    { list: NUMBERS },
  ),
  template(
    'lists in lists',
    `{% assign l = event.properties.list | slice: 0, 2 %}${times(30, '{% assign l = l | push: l | push: l %}')}{{ l }}{{ l | json }}`,
    { list: NUMBERS },
  ),
  template('long ranges', '{% for a in (1..1000000000) %}{% for b in (1..1000000000) %}{% endfor %}{% endfor %}x'),
  template(
    'loops in loops',
    '{% for a in (1..2000) %}{% for b in (1..2000) %}{% assign c = a | times: b %}{% endfor %}{% endfor %}x',
  ),
  template(
    'spaces that are stripped',
    `${times(40, '{{ event.properties.s | strip | lstrip | rstrip | strip_newlines | normalize_whitespace }}')}x`,
    { s: `${SPACES}x${SPACES.slice(0, 1000)}` },
  ),
  template('tags that are stripped', `${times(20, '{{ event.properties.s | strip_html }}')}x`, {
    s: '<script'.repeat(8000),
  }),
  template('widths of dates', '{{ "now" | date: "%999999999d %999999999Y" }}'),
  template(
    'sorting',
    `{% for a in (1..200) %}{% assign l = event.properties.words | sort | sort_natural | uniq | reverse %}{% endfor %}x`,
    { words: WORDS },
  ),
  template(
    'splits and joins',
    `{% for a in (1..100) %}{% assign l = event.properties.s | split: "" | join: "--" %}{% endfor %}x`,
    { s: LETTERS },
  ),
  template('objects printed often', times(3000, '{{ event.properties.keys }}').slice(0, 32_000 - (32_000 % 27)), {
    keys: KEYS,
  }),
  {
    name: 'forty messages',
    steps: listOf(40, (at) => ({
      id: `tell${at}`,
      type: 'inbox',
      title: 'x',
      body: '{% for a in (1..300) %}{% for b in (1..300) %}{% assign c = a | times: b %}{% endfor %}{% endfor %}x',
    })),
    properties: {},
  },
  {
    name: 'tags that take long to be parsed',
    steps: listOf(10, (at) => ({
      id: `tell${at}`,
      type: 'inbox',
      title: 'x',
      body: times(1500, '{{ a | upcase }}').slice(0, 24_000),
    })),
    properties: {},
  },
  mail('a wide table', { markdown: `${times(5000, 'a|')}\n${times(5000, '-|')}\n${times(5000, 'x\n')}` }),
  mail('a table of all cells', { markdown: `${times(300, 'a|')}\n${times(300, '-|')}\n${times(10_000, 'x\n')}` }),
  mail('deep markup', { html: '<div>'.repeat(6000) }),
  mail('unclosed tags', { html: '<a href="'.repeat(3500) }),
  mail('styles for all elements', {
    html: `<style>${listOf(800, (at) => `*{a${at}:b}`).join('')}</style>${times(1500, '<p>x')}`,
  }),
]
