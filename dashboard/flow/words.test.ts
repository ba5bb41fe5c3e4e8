// Tests what the picture says of steps and ways.

import { expect, test } from 'vitest'
import { durationWords } from '../lib/duration-words.ts'
import { readFlow } from './tree.ts'
import { conditionWords, isWaiting, kindOf, stepWords, templateWords, triggerWords, wayWords } from './words.ts'

const stepOf = (written: object) => {
  const [step] = readFlow({ steps: [{ id: 'one', ...written }] }).steps
  if (step === undefined) throw new Error('no step')
  return step
}

test.each([
  [{ type: 'inbox', title: 'Order {{ event.properties.orderId }} is on its way' }, 'Order {orderId} is on its way'],
  [
    { type: 'email', subject: 'Hello{% if user.name %}, {{ user.name | split: " " | first }}{% endif %}' },
    'Hello, {name}',
  ],
  [{ type: 'delay', for: 'PT10M' }, 'Wait 10 minutes'],
  [{ type: 'delay', until: '{{ event.properties.dueAt }}' }, 'Wait until {dueAt}'],
  [{ type: 'delay', untilQuietHoursEnd: true }, 'Wait until the quiet hours end'],
  [{ type: 'waitFor', event: 'order.paid', timeout: 'P3D' }, 'Wait for order.paid, at most 3 days'],
  [{ type: 'digest', window: 'PT1H' }, 'Gather events for 1 hour'],
  [{ type: 'throttle', limit: 3, window: 'P1D' }, 'Let 3 pass in 1 day'],
  [{ type: 'enrich', enricher: 'crm' }, 'Ask crm for data'],
  [{ type: 'exit' }, 'End the run'],
  [{ type: 'exit', reason: 'too small' }, 'End: too small'],
  [{ type: 'unheard' }, 'one'],
  [{ type: 'inbox', title: 7 }, ''],
])('%j says %s', (written, words) => expect(stepWords(stepOf(written))).toBe(words))

test('a branch of one condition asks it, and its ways are labelled in words', () => {
  const step = stepOf({ type: 'branch', branches: [{ key: 'big', when: 'event.properties.total > 100', steps: [] }] })
  expect(stepWords(step)).toBe('If total > 100')
  expect(step.ways.map((way) => wayWords(step, way))).toEqual(['If total > 100', 'Otherwise'])
})

test('a split says the share of each way, and has no way for the rest', () => {
  const branches = [1, 2, 1].map((weight, at) => ({ key: `b${at}`, weight, steps: [] }))
  const step = stepOf({ type: 'branch', branches })
  expect(stepWords(step)).toBe('Take one of 3 ways')
  expect(step.ways.map((way) => wayWords(step, way))).toEqual([
    'b0: 25 % of users',
    'b1: 50 % of users',
    'b2: 25 % of users',
  ])
})

test('a wait for an event has two ways, and stands still', () => {
  const step = stepOf({ type: 'waitFor', event: 'order.paid', timeout: 'P1D' })
  expect(step.ways.map((way) => wayWords(step, way))).toEqual(['order.paid comes', 'It does not come'])
  expect([isWaiting(step), isWaiting(stepOf({ type: 'inbox' }))]).toEqual([true, false])
  expect(kindOf({ type: 'new-type' })).toEqual(['circle', 'new-type'])
})

test.each([
  ['event.properties.total > 100', 'total > 100'],
  ['user.attributes.plan == "pro" && event.properties.items >= 2', 'user.plan is "pro" and items ≥ 2'],
  ['awaited.properties.note != "a == b || c"', 'note is not "a == b || c"'],
  [String.raw`event.properties.name == 'O\'Neil && co'`, String.raw`name is 'O\'Neil && co'`],
])('the condition %s is said as %s', (source, words) => expect(conditionWords(source)).toBe(words))

test('the trigger says its event and its condition', () => {
  expect(triggerWords(readFlow({ trigger: { event: 'order.paid', where: 'event.properties.total > 1' } }))).toBe(
    'order.paid, if total > 1',
  )
  expect(triggerWords(readFlow({}))).toBe('')
})

test('templates lose their tags, and spaces of several lines', () => {
  expect(templateWords('{%- assign a = 1 -%}\n  Hi {{- user.name -}}\n there')).toBe('Hi {name} there')
})

test.each([
  ['PT90M', '1 hour 30 minutes'],
  ['P1D', '1 day'],
  ['PT0.5S', 'PT0.5S'],
  ['soon', 'soon'],
])('the duration %s is %s', (text, words) => expect(durationWords(text)).toBe(words))
