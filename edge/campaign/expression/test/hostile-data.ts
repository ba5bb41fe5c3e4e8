// Makes data of the largest sizes that tracking accepts, in the shapes that cost engines most.

import type { TemplateScope } from '../template.ts'

const TEXT = 65_000

const nested = (levels: number): unknown => (levels === 0 ? [] : [nested(levels - 1)])
const wide = (levels: number): unknown => (levels === 0 ? 1 : { a: wide(levels - 1), b: wide(levels - 1) })

const texts = {
  a: 'a'.repeat(TEXT),
  b: `b${'a'.repeat(TEXT / 2)}`,
  lt: '<>'.repeat(TEXT / 2),
  quot: "'".repeat(TEXT),
  lines: '\n'.repeat(TEXT),
  blank: ' '.repeat(TEXT),
  words: 'a '.repeat(TEXT / 2),
  cjk: '漢'.repeat(TEXT),
  emoji: '😀'.repeat(TEXT / 2),
  digits: '9'.repeat(TEXT),
  signs: '%A'.repeat(2000),
  links: '](  '.repeat(TEXT / 4),
  links2: `](${' '.repeat(2090)}`.repeat(31),
  href: ' href="'.repeat(9000),
  table: `${'a|'.repeat(400)}\n${'-|'.repeat(400)}\n${'x\n'.repeat(5000)}`,
  base64: 'YWFh'.repeat(TEXT / 4),
  short: 'Ann',
  empty: '',
}
const lists = {
  numbers: Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 20_011),
  nulls: Array.from({ length: 30_000 }, () => null),
  empties: Array.from({ length: 30_000 }, () => ''),
  words: Array.from({ length: 5000 }, (_, i) => `word ${i}`),
  objects: Array.from({ length: 2000 }, (_, i) => ({ n: i % 50, t: `t${i}`, l: [i, [i]] })),
  pairs: Array.from({ length: 3000 }, (_, i) => [i, i]),
  deep: nested(30),
  three: ['a', 'b', 'c'],
  none: [],
}
const maps = {
  wide: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i])),
  tree: wide(11),
  small: { k: '*', n: 1, l: [1, 2] },
}

export const HOSTILE: TemplateScope = {
  event: {
    name: 'order',
    properties: { ...texts, list: lists, map: maps, n: 3, zero: 0, yes: true, date: '2026-05-01' },
  },
  user: { id: 'u_1', name: 'Ann', locale: 'ar-EG', timeZone: 'Asia/Kathmandu', attributes: maps.wide },
  enriched: { shop: { items: lists.objects } },
  events: Array.from({ length: 100 }, (_, i) => ({
    name: 'a',
    properties: { n: i, list: lists.numbers, text: texts.a },
  })),
  texts: {
    translations: {
      ar: { order: `{count, plural, one {{name}} other {${'{name}'.repeat(500)}}} {count, number} {name, date}` },
    },
    fallback: 'ar',
    isOpen: true,
    snippets: {
      long: '{{ a }}{% assign b = a | append: b %}'.repeat(500),
      outer: '{% render "long", a: a %}'.repeat(9),
    },
  },
  campaign: { key: 'k' },
  env: { name: 'dev' },
}

/** Paths to small values are more frequent: a large one ends most evaluations at once. */
const SMALL = [
  'short',
  'empty',
  'n',
  'zero',
  'yes',
  'date',
  'list.three',
  'list.none',
  'list.deep',
  'map.small',
  'signs',
].map((key) => `event.properties.${key}`)

/** Paths into the data. */
export const PATHS = [
  ...SMALL,
  ...SMALL,
  ...SMALL,
  ...Object.keys(texts).map((key) => `event.properties.${key}`),
  ...Object.keys(lists).map((key) => `event.properties.list.${key}`),
  ...Object.keys(maps).map((key) => `event.properties.map.${key}`),
  ...[
    'event',
    'user',
    'events',
    'enriched.shop.items',
    'user.attributes',
    'event.properties',
    'event.properties.list',
    'user.timeZone',
  ],
]
