// Tests which properties the fields of a definition read, and of which events they are.

import { expect, test } from 'vitest'
import { parseDefinition } from './definition.ts'
import { listReadProperties } from './read-properties.ts'

test('each field with the keys that it reads, and the events that may have them', () => {
  const definition = parseDefinition({
    key: 'k',
    trigger: { event: 'order.paid', where: 'event.properties.total > 1 && user.attributes.plan == "pro"' },
    steps: [
      {
        id: 'tell',
        type: 'inbox',
        title: '{{ event.properties.items[0].sku }} {{ event.name }}',
        data: { a: ['{{ event.properties.b }}'] },
      },
      {
        id: 'wait',
        type: 'waitFor',
        event: 'order.sent',
        timeout: 'PT1H',
        where: 'awaited.properties.orderId == event.properties.orderId',
        then: [{ id: 'way', type: 'branch', branches: [{ key: 'a', when: 'awaited.properties.fast', steps: [] }] }],
        onTimeout: [{ id: 'again', type: 'waitFor', event: 'order.lost', timeout: 'PT1H', then: [], onTimeout: [] }],
      },
    ],
  })
  const found = [...listReadProperties(definition)].map(({ path, keys, events }) => [
    path,
    keys.join('.'),
    events.join(),
  ])
  expect(found).toEqual([
    ['trigger.where', 'total', 'order.paid'],
    ['steps[0].title', 'items.0.sku', 'order.paid'],
    ['steps[0].data.a[0]', 'b', 'order.paid'],
    ['steps[1].then[0].branches[0].when', 'fast', 'order.sent,order.lost'],
    ['steps[1].where', 'orderId', 'order.sent'],
    ['steps[1].where', 'orderId', 'order.paid'],
  ])
})

test("of data and params, whose keys are the customer's, each text is a template", () => {
  const free = { where: 'in Berlin (', type: 'waitFor', event: 'x', when: ['{{ event.properties.at }}'] }
  const definition = parseDefinition({
    key: 'k',
    trigger: { event: 'order.paid' },
    steps: [
      { id: 'ask', type: 'enrich', enricher: 'geo', params: free },
      { id: 'tell', type: 'inbox', title: 'x', data: { data: free, at: '{{ awaited.properties.at }}' } },
    ],
  })
  expect([...listReadProperties(definition)].map(({ path, events }) => [path, events.join()])).toEqual([
    ['steps[0].params.when[0]', 'order.paid'],
    ['steps[1].data.data.when[0]', 'order.paid'],
  ])
})
