// Makes random steps with all of their fields, sound and faulty, for the forms of the editor.

import fc from 'fast-check'
import type { DraftStep } from '../editor/step-tree.ts'

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('Hello {{ user.name }}', 'two\nlines', 'old\r\nlines\r\n', '', ' ', '{{ event.properties.total'),
)
const duration = fc.constantFrom('PT10M', 'P3D', 'PT1H30M', 'P1W', 'PT090M', 'soon', '')
const condition = fc.constantFrom(
  'event.properties.total>100',
  "event.properties.currency == 'EUR' && user.locale in ['de','fr']",
  'has(event.properties.gift) || event.properties.total <= 2.50',
  'size(event.properties.items) > 2 && (user.id == "a" || user.id == "b")',
  'event.properties["a b"] == null',
  'event.properties.',
  '',
)
/** What no form expects. */
const odd = fc.constantFrom<unknown>(null, 5, true, [], ['a'], {}, { a: 1 })
const json = fc.dictionary(fc.constantFrom('kind', 'list', 'a b', 'deep'), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
})
const tag = fc.constantFrom('de', 'fr-CA', 'pt_BR')

/** A field may have what it should not. */
const maybe = (value: fc.Arbitrary<unknown>) => fc.oneof({ weight: 8, arbitrary: value }, { weight: 1, arbitrary: odd })
const fields = (all: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(Object.fromEntries(Object.entries(all).map(([key, value]) => [key, maybe(value)])), { requiredKeys: [] })
const list = (one: fc.Arbitrary<unknown>) => fc.array(one, { maxLength: 3 })
const locales = (one: fc.Arbitrary<unknown>) => fc.dictionary(tag, maybe(one), { maxKeys: 2 })

const parts = { subject: text, preheader: text, html: text, markdown: text, text }
const branch = fields({
  key: fc.constantFrom('a', 'b', ''),
  when: condition,
  weight: fc.double({ min: 0, max: 1000, noNaN: true }),
  else: fc.boolean(),
  steps: fc.constant([]),
})

const BY_TYPE: Readonly<Record<string, Record<string, fc.Arbitrary<unknown>>>> = {
  inbox: {
    title: text,
    body: text,
    bodyFormat: fc.constantFrom('text', 'markdown'),
    link: text,
    icon: fc.constantFrom('info', 'success', 'https://example.com/a.png', ''),
    imageUrl: text,
    entity: text,
    collapseKey: text,
    actions: list(fields({ label: text, link: text, style: fc.constantFrom('primary', 'danger', 'loud') })),
    priority: fc.constantFrom('low', 'normal', 'urgent', 'very'),
    expiresAfter: duration,
    data: json,
    locales: locales(fields({ title: text, body: text })),
  },
  email: {
    ...parts,
    locales: locales(fields(parts)),
    from: text,
    replyTo: text,
    cc: fc.oneof(text, list(text)),
    bcc: list(text),
    headers: fc.dictionary(fc.constantFrom('X-A', 'x-b', 'Odd name', ''), maybe(text), { maxKeys: 3 }),
    attachments: list(fields({ filename: text, url: text, content: fc.constant('aGk='), contentType: text })),
    unless: fields({ read: fc.constantFrom('s0', 'gone', '') }),
  },
  branch: { branches: list(branch) },
  delay: { for: duration, until: fc.oneof(text, fc.integer()), untilQuietHoursEnd: fc.constant(true) },
  enrich: { enricher: fc.constantFrom('orders', 'gone'), params: json, onError: fc.constantFrom('stop', 'continue') },
  waitFor: { event: text, timeout: duration, where: condition, then: fc.constant([]), onTimeout: fc.constant([]) },
  exit: { reason: text },
  throttle: { limit: fc.oneof(fc.integer(), fc.constant('many')), window: duration },
  digest: { window: duration, key: text, max: fc.integer() },
  unheard: { of: text },
}

/** One step of each type, in this order, with ids `s0`, `s1` … and now and then a field that no form has. */
export const oneOfEach: fc.Arbitrary<DraftStep[]> = fc.tuple(
  ...Object.entries(BY_TYPE).map(([type, own], at) =>
    fc
      .record({ own: fields(own), more: fc.option(fc.constant({ unknown: 1 }), { freq: 4, nil: {} }) })
      .map(({ own: chosen, more }): DraftStep => ({ id: `s${at}`, type, ...chosen, ...more })),
  ),
)
