// Lists hostile values for bodies, queries and paths, and puts them into valid JSON.

import fc from 'fast-check'

type Json = unknown

/** Marks a text that is sent as a bare JSON token, because no value of JavaScript has it. */
const RAW = /"@raw ([^"@]*)@"/g

/** @returns The value as JSON, with its bare tokens. */
export function toText(value: Json): string {
  return JSON.stringify(value).replace(RAW, '$1')
}

const nested = (depth: number, open: string, close: string) => `@raw ${open.repeat(depth)}${close.repeat(depth)}@`

const TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfffb',
  '\u202e\u200b\ufeff',
  '💥e\u0301',
  '__proto__',
  'constructor',
  'toString',
  "'; DROP TABLE message; --",
  '%00%ff%',
  '../../../etc/passwd',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  'http://[::1]:1/',
  'http://169.254.169.254/latest',
  '{{ 7 | times: 6 }}',
  '{% for i in (1..100000000) %}{{ i }}{% endfor %}',
  '{{',
  'size(event.properties.a.map(x, x)) > 99999999999999999999',
  '((((((((((',
  '0000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '9999-12-31T23:59:60Z',
  '2026-02-30T00:00:00Z',
  'P999999999999Y',
  '-PT1H',
  'PT0.0000001S',
  'a@b',
  '"a b"@[127.0.0.1]',
  'xn--',
  'x'.repeat(300),
  'é'.repeat(5000),
  'x'.repeat(70_000),
]

const VALUES: Json[] = [
  null,
  true,
  false,
  0,
  '@raw -0@',
  -1,
  0.1,
  2 ** 53,
  '@raw 9223372036854775808@',
  '@raw 1e308@',
  '@raw 1e999@',
  '@raw -1e-999@',
  '@raw 00@',
  '@raw NaN@',
  '@raw {}{}@',
  {},
  [],
  [null],
  [[]],
  Array.from({ length: 200 }, (_, index) => index),
  Array.from({ length: 60_000 }, () => 0),
  Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 'v'])),
  nested(33, '[', ']'),
  nested(5000, '[', ']'),
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
]

export const hostileTexts = fc.constantFrom(...TEXTS)
export const hostileValues = fc.oneof(fc.constantFrom(...VALUES), hostileTexts)

/** Keys that no schema has. */
const KEYS = ['__proto__', 'constructor', 'prototype', '', 'toString', 'a\u0000', '\ud800', 'unknown', '$ref', '0']

/** One change of a value: at the place of that number, another value, a further key, or nothing. */
export interface Change {
  place: number
  does: 'replace' | 'add' | 'remove'
  key: string
  value: Json
}

export const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    place: fc.nat(400),
    does: fc.constantFrom('replace', 'replace', 'add', 'remove'),
    key: fc.constantFrom(...KEYS),
    value: hostileValues,
  }),
  { minLength: 1, maxLength: 3 },
)

/** @returns The body with the changes. */
export function changed(body: Json, list: readonly Change[]): Json {
  return list.reduce(applyChange, body)
}

function applyChange(body: Json, { place, does, key, value }: Change): Json {
  const paths = pathsOf(body)
  const path = paths[place % paths.length] ?? []
  const at = valueAt(body, path)
  if (does === 'add' && typeof at === 'object' && at !== null && !Array.isArray(at))
    return replaceAt(body, path, withKey(at, key, value))
  return replaceAt(body, path, does === 'remove' ? undefined : value)
}

type Path = (string | number)[]
const MAX_PATHS = 400

/** @returns The paths of all values in the body, itself first. */
function pathsOf(body: Json): Path[] {
  const found: Path[] = [[]]
  for (let at = 0; at < found.length && found.length < MAX_PATHS; at++) {
    const path = found[at] as Path
    const value = valueAt(body, path)
    if (typeof value !== 'object' || value === null) continue
    for (const key of Object.keys(value)) found.push([...path, key])
  }
  return found
}

const valueAt = (body: Json, path: Path): Json =>
  path.reduce<Json>((value, key) => (value as Record<string, Json>)[key], body)

function replaceAt(body: Json, [key, ...rest]: Path, by: Json): Json {
  if (key === undefined) return by
  const inner = replaceAt((body as Record<string, Json>)[key], rest, by)
  if (Array.isArray(body)) return body.map((item, index) => (index === Number(key) ? inner : item))
  return withKey(body as object, String(key), inner)
}

/** Defines the key as JSON.parse does, also `__proto__`. */
function withKey(value: object, key: string, inner: Json): object {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(value))
  return Object.defineProperty(copy, key, { value: inner, enumerable: true, configurable: true, writable: true })
}

/** A change of the bytes of a text. */
export interface ByteChange {
  at: number
  does: 'cut' | 'insert' | 'drop' | 'repeat'
  bytes: Uint8Array
}

export const byteChanges: fc.Arbitrary<ByteChange> = fc.record({
  at: fc.nat(4000),
  does: fc.constantFrom('cut', 'insert', 'drop', 'repeat'),
  bytes: fc.oneof(
    fc.constantFrom(...['\u0000', '{', '"', '\\', ',', '\ufeff', '//', '\\u000', ']'].map((text) => Buffer.from(text))),
    fc.uint8Array({ minLength: 1, maxLength: 8 }),
  ),
})

/** @returns The text with its bytes changed. */
export function brokenBytes(text: string, { at, does, bytes }: ByteChange): Buffer {
  const whole = Buffer.from(text)
  const place = whole.length === 0 ? 0 : at % whole.length
  const [before, after] = [whole.subarray(0, place), whole.subarray(place)]
  switch (does) {
    case 'cut':
      return before
    case 'insert':
      return Buffer.concat([before, bytes, after])
    case 'drop':
      return Buffer.concat([before, after.subarray(1)])
    case 'repeat':
      return Buffer.concat([before, after.subarray(0, 40), after])
  }
}
