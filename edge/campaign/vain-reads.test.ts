// Tests what the author of a definition is told of fields that there are not, and of formats of dates that print themselves.

import { expect, test } from 'vitest'
import type { StoredDefinition } from '../domain/campaign.ts'
import { listVainReads } from './vain-reads.ts'

const told = (where: string, title: string) => {
  const definition = { trigger: { event: 'a', where }, steps: [{ id: 'tell', type: 'inbox', title }] }
  return [...listVainReads(definition as Pick<StoredDefinition, 'trigger' | 'steps'>)].map(
    ({ path, message }) => `${path}: ${message}`,
  )
}

test.each([
  ['user.plan == "pro"', 'user has no field plan; attributes stand in user.attributes.plan.'],
  ['has(user.plan)', 'user has no field plan; attributes stand in user.attributes.plan.'],
  ['user["plan"] == "pro" || user.plan == "x"', 'user has no field plan; attributes stand in user.attributes.plan.'],
  ['event.total > 1', 'event has no field total; properties stand in event.properties.total.'],
  ['awaited.total > 1', 'awaited has no field total; properties stand in awaited.properties.total.'],
  ['user.timezone == "UTC"', 'user has no field timezone. Write user.timeZone.'],
  ['user.userId == "u"', 'user has no field userId. Write user.id.'],
])('of the condition %s', (where, message) => {
  expect(told(where, 'x')).toEqual([`trigger.where: ${message}`])
})

test.each([
  'user.attributes.plan == "pro" && user.id != "" && user.email == null && user.name == user.locale + user.timeZone',
  'event.name == event.userId && event.occurredAt != "" && event.properties.total > 1 && enriched.a.plan == 1',
  'event.properties.users.exists(user, user.plan == "pro")',
])('nothing of the condition %s', (where) => {
  expect(told(where, 'x')).toEqual([])
})

test.each([
  ['{{ user.plan }}', 'user has no field plan; attributes stand in user.attributes.plan.'],
  [
    '{% if user.first_name %}{{ user.first_name }}{% endif %}',
    'user has no field first_name; attributes stand in user.attributes.first_name.',
  ],
  [
    '{% liquid\n for user in event.properties.users\n endfor\n echo user.plan %}',
    'user has no field plan; attributes stand in user.attributes.plan.',
  ],
  ['{{ event.order.id }}', 'event has no field order; properties stand in event.properties.order.'],
  [
    '{% for e in events %}{{ e.total }}{{ event.total }}{% endfor %}',
    'event has no field total; properties stand in event.properties.total.',
  ],
  [
    '{{ event.properties.at | date: "DD.MM.YYYY" }}',
    'The date format "DD.MM.YYYY" prints itself, as it has no sign such as %d. Write "%d.%m.%Y", or one of short, medium, long, full.',
  ],
  [
    "{% assign at = event.occurredAt | date: 'yyyy' %}{{ at }}",
    'The date format "yyyy" prints itself, as it has no sign such as %d. Write "%d.%m.%Y", or one of short, medium, long, full.',
  ],
])('of the template %s', (title, message) => {
  expect(told('true', title)).toEqual([`steps[0].title: ${message}`])
})

test.each([
  '{{ user.attributes.plan }} {{ user.name }} {{ user.size }} {% for pair in user %}{{ pair[0] }}{% endfor %}',
  '{% for user in event.properties.users %}{{ user.plan }}{% endfor %}',
  '{% assign user = event.properties.owner %}{{ user.plan }}',
  'user.plan {% raw %}{{ user.plan }}{% endraw %}{% comment %}{{ user.plan }}{% endcomment %}{{ "user.plan" }}',
  '{{ event.occurredAt | date: "%d.%m.%Y" }} {{ event.occurredAt | date: "long" }} {{ event.occurredAt | date }}',
  '{% liquid\n for user in event.properties.users\n  echo user.plan\n endfor\n # user.plan\n comment\n  user.plan\n endcomment %}',
  '{% # user.plan %}{% # | date: "DD" %}{{ "a \\" user.plan" }}',
  '{{ event.occurredAt | date: event.properties.format }} {{ "| date: " }} | date: "DD"',
])('nothing of the template %s', (title) => {
  expect(told('true', title)).toEqual([])
})
