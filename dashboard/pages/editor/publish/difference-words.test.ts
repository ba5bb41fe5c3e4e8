// Tests that the difference of two definitions is said in words, each change once and at its step.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Draft } from '../../../editor/step-tree.ts'
import { anyDraft } from '../../../editor/test/any-draft.ts'
import { differenceWords } from './difference-words.ts'

const TELL = { id: 'tell', type: 'inbox', title: 'Hello' }
const WAIT = { id: 'wait', type: 'delay', for: 'PT10M' }
const MAIL = { id: 'mail', type: 'email', subject: 'You missed it', markdown: 'x', unless: { read: 'tell' } }
const draft = (...steps: object[]): Draft => ({ key: 'c', name: 'Orders', trigger: { event: 'order.paid' }, steps })
const words = (before: Draft, after: Draft) => differenceWords(before, after).map((one) => one.words)
const BASE = draft(TELL, WAIT, MAIL)

test('equal definitions differ in nothing, also where an absent field is null', () => {
  expect(differenceWords(BASE, structuredClone(BASE))).toEqual([])
  expect(differenceWords(BASE, { ...BASE, category: null })).toEqual([])
})

describe('fields', () => {
  test('of the campaign', () => {
    const after = { ...BASE, name: 'Paid', category: 'orders', trigger: { event: 'order.paid', where: 'a > 1' } }
    expect(differenceWords(BASE, after)).toEqual([
      { words: 'Name: “Orders” → “Paid”', kind: 'changed' },
      { words: 'Category is new: “orders”', kind: 'added' },
      { words: 'Condition of the start is new: “a > 1”', kind: 'added' },
    ])
  })

  test('of a step, with the step', () => {
    expect(differenceWords(BASE, draft({ ...TELL, title: 'Hi' }, WAIT, MAIL))).toEqual([
      { words: 'Title of “tell”: “Hello” → “Hi”', stepId: 'tell', kind: 'changed' },
    ])
    expect(words(BASE, draft(TELL, { ...WAIT, for: 'PT1H' }, MAIL))).toEqual(['Wait 10 minutes → 1 hour'])
    expect(words(BASE, draft(TELL, WAIT, { ...MAIL, unless: undefined }))).toEqual([
      'Exception of “mail” is removed: {"read":"tell"}',
    ])
    expect(words(BASE, draft(TELL, WAIT, { ...MAIL, unless: { read: 'other' } }))).toEqual([
      'Not sent after reading of “mail”: “tell” → “other”',
    ])
  })

  test('of a step that has another type', () => {
    expect(words(draft(TELL), draft({ ...TELL, type: 'exit' }))).toEqual([
      'Type of “tell”: a message in the inbox → an end',
    ])
  })

  test('of a long text, where it differs', () => {
    const long = `${'a '.repeat(100)}the old end`
    const [line = ''] = words(draft({ ...TELL, body: long }), draft({ ...TELL, body: long.replace('old', 'new') }))
    expect(line).toBe('Body of “tell”: “…a a a a the old end” → “…a a a a the new end”')
  })

  test('in another language', () => {
    const french = { ...TELL, locales: { fr: { title: 'Bonjour' } } }
    expect(words(draft(TELL), draft(french))).toEqual(['“tell” has texts in fr now'])
    expect(words(draft(french), draft({ ...TELL, locales: { fr: { title: 'Salut' } } }))).toEqual([
      'Title of “tell” in fr: “Bonjour” → “Salut”',
    ])
    expect(words(draft(french), draft(TELL))).toEqual(['“tell” has no texts in fr any more'])
  })

  test('of buttons', () => {
    const one = { ...TELL, actions: [{ label: 'Open', link: '/a' }] }
    const two = { ...TELL, actions: [{ label: 'Show', link: '/a' }, { label: 'Later' }] }
    expect(words(draft(one), draft(two))).toEqual([
      'Label of button 1 of “tell”: “Open” → “Show”',
      'Button “Later” of “tell” is new',
    ])
    expect(words(draft(two), draft(one))[1]).toBe('Button “Later” of “tell” is removed')
  })
})

describe('steps', () => {
  test('new and removed', () => {
    expect(differenceWords(draft(TELL, WAIT), BASE)).toEqual([
      { words: 'Step “mail” is new: a mail', stepId: 'mail', kind: 'added' },
    ])
    expect(differenceWords(BASE, draft(TELL, WAIT))).toEqual([{ words: 'Step “mail” is removed', kind: 'removed' }])
  })

  test('moved, by the fewest moves', () => {
    expect(differenceWords(BASE, draft(WAIT, TELL, MAIL))).toMatchObject([{ kind: 'moved' }])
    expect(
      words(draft(TELL, WAIT, MAIL, { id: 'end', type: 'exit' }), draft(WAIT, MAIL, TELL, { id: 'end', type: 'exit' })),
    ).toEqual(['“tell” moved after “mail”'])
    expect(words(BASE, draft(MAIL, TELL, WAIT))).toEqual(['“mail” moved to the beginning'])
  })

  test('called otherwise', () => {
    expect(words(BASE, draft({ ...TELL, id: 'inform' }, WAIT, { ...MAIL, unless: { read: 'inform' } }))).toEqual([
      '“tell” is called “inform” now',
      'Not sent after reading of “mail”: “tell” → “inform”',
    ])
  })

  test('in branches', () => {
    const branch = (when: string, ...steps: object[]) => ({
      id: 'size',
      type: 'branch',
      branches: [{ key: 'big', when, steps }],
    })
    const before = draft(TELL, branch('event.properties.total > 100', WAIT))
    expect(words(before, draft(branch('event.properties.total > 200', TELL, WAIT)))).toEqual([
      'Condition of branch “big” of “size”: “event.properties.total > 100” → “event.properties.total > 200”',
      '“tell” moved into “size” (branch “big”)',
    ])
    expect(words(draft(TELL), before)).toEqual(['Step “size” is new, with 1 step in it: a branch'])
    expect(words(before, draft(TELL))).toEqual(['Step “size” is removed, with 1 step in it'])
    expect(words(before, draft(TELL, branch('event.properties.total > 100'), WAIT))).toEqual([
      '“wait” moved out of “size”, after “size”',
    ])
  })
})

test('a definition that is no valid one is compared as far as it goes', () => {
  expect(words({ steps: 'no' } as Draft, { steps: [null, { type: 'inbox' }, TELL, TELL] } as Draft)).toHaveLength(3)
  expect(words({}, {})).toEqual([])
})

test('no difference is silent, and no equal definitions differ', () => {
  fc.assert(
    fc.property(anyDraft, anyDraft, (before, after) => {
      const isEqual = JSON.stringify(sorted(before)) === JSON.stringify(sorted(after))
      return (differenceWords(before, after).length === 0) === isEqual
    }),
    { numRuns: 200, seed: 41 },
  )
})

/** Two objects with the same members in another order are equal. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
