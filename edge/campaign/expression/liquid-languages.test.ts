// Tests what templates print in the user's language and zone: dates, numbers, amounts, plurals and lists.

import { expect, test } from 'vitest'
import { compileTemplate, mustCompileTemplate } from './template.ts'

const DAY = '2026-12-24'
const AT = '2026-12-24T22:30:00Z'

interface Reader {
  locale?: unknown
  timeZone?: unknown
}

function render(source: string, user: Reader = {}, properties: object = {}): string {
  const compiled = compileTemplate(source, 'text')
  if ('fault' in compiled) throw new Error(`${source}: ${compiled.fault.message}`)
  const scope = { event: { properties }, user, enriched: {}, events: [], campaign: {}, env: {} }
  return compiled.template.render(scope).replace(/[\u00a0\u202f]/g, ' ')
}

test.each([
  [{ locale: 'de' }, '%A, %d. %B', 'Donnerstag, 24. Dezember'],
  [{ locale: 'de-AT' }, '%a %b', 'Do Dez'],
  [{ locale: 'de_CH' }, '%^A', 'DONNERSTAG'],
  [{ locale: 'fr' }, '%A %-d %B %Y', 'jeudi 24 décembre 2026'],
  [{ locale: 'pl' }, '%-d %B', '24 grudnia'],
  [{ locale: 'pl' }, '%B %Y', 'grudzień 2026'],
  [{ locale: 'ja' }, '%B%-d日 %A', '12月24日 木曜日'],
  [{ locale: 'no' }, '%A', 'torsdag'],
  [{ locale: 'de' }, '%x %X', '24.12.26 00:00:00'],
  [{ locale: 'de' }, '%-d%q', '24'],
  [{ locale: 'en-GB' }, '%-d%q %x', '24th 24/12/2026'],
  [{}, '%A %-d%q %B', 'Thursday 24th December'],
  [{ locale: 'not a locale' }, '%A', 'Thursday'],
  [{ locale: 'constructor' }, '%A', 'Thursday'],
  [{ locale: `de-${'x'.repeat(100)}` }, '%A', 'Thursday'],
  [{ locale: 7 }, '%A', 'Thursday'],
  [{ locale: null }, '%A', 'Thursday'],
])('a date for %j: %s', (user, format, printed) => {
  expect(render(`{{ "${DAY}" | date: "${format}" }}`, user)).toBe(printed)
})

test.each([
  [{ timeZone: 'Europe/Berlin' }, `"${AT}" | date: "%F %R %Z"`, '2026-12-24 23:30 Europe/Berlin'],
  [{ timeZone: 'W. Europe Standard Time' }, `"${AT}" | date: "%F %R"`, '2026-12-24 23:30'],
  [{ timeZone: '+02:00' }, `"${AT}" | date: "%F %R"`, '2026-12-25 00:30'],
  [{ timeZone: 'Asia/Tokyo' }, `"${AT}" | date: "%F %R"`, '2026-12-25 07:30'],
  [{ timeZone: 'Asia/Tokyo' }, `"${DAY}" | date: "%F %R"`, '2026-12-24 00:00'],
  [{ timeZone: 'Asia/Tokyo' }, `"${AT}" | date: "%F %R", "UTC"`, '2026-12-24 22:30'],
  [{ timeZone: 'Asia/Tokyo' }, `"${AT}" | date: "%F %R", "nowhere"`, '2026-12-24 22:30'],
  [{ timeZone: 'Asia/Tokyo' }, `"${AT}" | date: "%R", 0`, '22:30'],
  [{ timeZone: 'Mars/Olympus' }, `"${AT}" | date: "%R"`, '22:30'],
  [{ timeZone: 'Asia/Tokyo', locale: 'de' }, `"${AT}" | date: "%A", locale: "fr"`, 'vendredi'],
  [{ timeZone: 'Asia/Tokyo', locale: 'de' }, `"${AT}" | date_to_long_string`, '25 Dezember 2026'],
  [{ timeZone: 'Europe/Berlin', locale: 'de' }, `"${AT}" | date`, '24. Dezember 2026 um 23:30'],
  [{ locale: 'fr' }, `"${AT}" | date: event.none`, '24 décembre 2026 à 22:30'],
  [{}, `"${AT}" | date`, 'Thursday, December 24, 2026 at 10:30 pm +0000'],
  [{ locale: 'de' }, `"${AT}" | date: "long"`, '24. Dezember 2026'],
  [{ locale: 'de' }, `"${AT}" | date: "full", "Asia/Tokyo"`, 'Freitag, 25. Dezember 2026'],
  [{ locale: 'en-GB' }, `"${AT}" | date: "short"`, '24/12/2026'],
  // Programs read these.
  [{ timeZone: 'Asia/Tokyo', locale: 'de' }, `"${AT}" | date_to_rfc822`, 'Thu, 24 Dec 2026 22:30:00 +0000'],
  [{ timeZone: 'Asia/Tokyo', locale: 'de' }, `"${AT}" | date_to_xmlschema`, '2026-12-24T22:30:00+00:00'],
  // Seconds below 10^11, else milliseconds, also as text.
  [{}, '1766572800 | date: "%F"', '2025-12-24'],
  [{}, '1766572800000 | date: "%F"', '2025-12-24'],
  [{}, '"1766572800000" | date: "%F"', '2025-12-24'],
  [{}, '99999999999 | date: "%Y"', '5138'],
  [{}, '100000000000 | date: "%Y"', '1973'],
  [{}, 'nil | date: "%Y"', ''],
  [{}, '"soon" | date: "%Y"', 'soon'],
])('for %j: %s', (user, output, printed) => {
  expect(render(`{{ ${output} }}`, user)).toBe(printed)
})

const PROPERTIES = {
  amount: 1234.5,
  text: ' 1234.50 ',
  digits: '12345678901234567890',
  hostile: '"><script>',
  names: ['A', null, 'B', 'C'],
  pair: ['one', 'two'],
  zero: 0,
}

test.each([
  ['de', 'amount | number', '1.234,5'],
  ['en', 'amount | number: 2', '1,234.50'],
  ['hi', 'digits | number', '1,23,45,67,89,01,23,45,67,890'],
  ['de', 'digits | number', '12.345.678.901.234.567.890'],
  ['de', 'text | number: 0', '1.235'],
  ['de', 'zero | number: 99', '0,00000000000000000000'],
  ['de', 'amount | number: -1', '1.234,5'],
  ['fr', 'amount | number: style: "compact"', '1,2 k'],
  ['de', '0.256 | number: 1, style: "percent"', '25,6 %'],
  ['de', 'amount | number: style: "constructor"', '1.234,5'],
  ['de', 'hostile | number', '"><script>'],
  ['de', 'missing | number', ''],
  ['de', 'amount | divided_by: 0 | number', 'Infinity'],
  [null, 'amount | number', '1,234.5'],
  ['de', 'amount | money: "EUR"', '1.234,50 €'],
  ['en-US', 'amount | money: "usd"', '$1,234.50'],
  ['ja', 'amount | money: "JPY"', '￥1,235'],
  ['de', 'amount | money: "EUR", 0', '1.235 €'],
  ['de', 'text | money: "EUR", locale: "en"', '€1,234.50'],
  ['de', 'amount | money', '1.234,50'],
  ['de', 'amount | money: "EURO"', '1.234,50 EURO'],
  ['de', 'amount | money: 7', '1.234,50'],
  ['de', 'hostile | money: "EUR"', '"><script>'],
  ['en', '1 | plural: "# item", "# items"', '1 item'],
  ['en', '1234 | plural: "# item", "# items"', '1,234 items'],
  ['en', 'zero | plural: zero: "nothing", one: "# item", other: "# items"', 'nothing'],
  ['pl', '3 | plural: one: "# plik", few: "# pliki", many: "# plików", other: "# pliku"', '3 pliki'],
  ['pl', '5 | plural: one: "# plik", few: "# pliki", many: "# plików", other: "# pliku"', '5 plików'],
  ['pl', '5 | plural: one: "# plik", few: "# pliki"', '# pliki'.replace('#', '5')],
  ['ar', '2 | plural: two: "two", other: "other"', 'two'],
  ['en', 'names | plural: "# name", "# names"', '4 names'],
  ['en', 'hostile | plural: "# item", "# items"', ' items'],
  ['en', '3 | plural', ''],
  ['en', 'names | list', 'A, B, and C'],
  ['de', 'names | list', 'A, B und C'],
  ['de', 'names | list: "or"', 'A, B oder C'],
  ['ja', 'names | list', 'A、B、C'],
  ['de', 'pair | list', 'one und two'],
  ['de', 'hostile | list', '"><script>'],
  ['de', 'missing | list', ''],
  ['de', '0.45 | number: "percent"', '45 %'],
  ['de', 'nil | number', ''],
  ['de', 'nil | money: "EUR"', ''],
  ['de', 'nil | list', ''],
  ['de', 'nil | t', ''],
  ['de', 'nil | truncatewords: 2', ''],
  ['de', 'nil | prepend: "x"', 'x'],
  ['de', 'empty | number', ''],
])('for %s: %s', (locale, output, printed) => {
  const source = /^(?!nil|empty)[a-z]/.test(output) ? `event.properties.${output}` : output
  expect(render(`{{ ${source} }}`, { locale }, PROPERTIES)).toBe(printed)
})

test('what is printed is escaped', () => {
  const compiled = mustCompileTemplate('{{ event.properties.names | list }}{{ 1 | plural: "<b>", "" }}', 'html')
  const event = { properties: { names: ['<i>', '&'] } }
  const scope = { event, user: {}, enriched: {}, events: [], campaign: {}, env: {} }
  expect(compiled.render(scope)).toBe('&lt;i&gt; and &amp;&lt;b&gt;')
})

test.each(['date: "%F"', 'date_to_string', 'number', 'money: "EUR"', 'plural: "a"', 'list'])(
  'the profile is read for %s',
  (filter) => {
    for (const source of [`{{ event.name | ${filter} }}`, `{% assign x = event.name |${filter} %}`]) {
      expect(mustCompileTemplate(source, 'text').readsProfile).toBe(true)
      const compiled = compileTemplate(source, 'text')
      expect('template' in compiled && compiled.template.readsProfile).toBe(true)
    }
    expect(mustCompileTemplate('{{ event.name | upcase }}', 'text').readsProfile).toBe(false)
  },
)

test('each locale, style and currency costs a formatter, whether it was kept or not', () => {
  const codes = Array.from(
    { length: 700 },
    (_, at) => `A${String.fromCharCode(65 + (at % 26), 65 + Math.floor(at / 26))}`,
  )
  const source = '{% for c in event.properties.codes %}{{ 1 | money: c }}{% endfor %}'
  for (let turn = 0; turn < 2; turn++) {
    expect(() => render(source, {}, { codes })).toThrow('costs too much')
    expect(render(source, {}, { codes: codes.slice(0, 300) })).toContain('1.00')
  }
})

test.each([
  ['{{ event.properties.many | list }}', 'makes a text of more than'],
  ['{{ 1000 | plural: event.properties.hashes }}', 'makes a text of more than'],
  [
    '{% for i in (1..20000) %}{% assign x = i | number %}{% assign y = i | plural: "a", "b" %}{% endfor %}',
    'costs too much',
  ],
])('%s ends', (source, message) => {
  const properties = { many: Array(9000).fill('abcdefgh'), hashes: '#'.repeat(65_000) }
  expect(() => render(source, { locale: 'de' }, properties)).toThrow(message)
})
