// Tests what templates see of a user: empty texts are missing, and the keys of an object's prototype are data.

import { expect, test } from 'vitest'
import { compileTemplate } from './expression/template.ts'
import { scopeOf, userScopeOf } from './run-state.ts'

function render(source: string, profile: { name: string | null; attributes: Record<string, unknown> }): string {
  const user = userScopeOf('u_1', { email: null, locale: null, timeZone: null, externalIds: {}, ...profile })
  const campaign = { campaign: { id: 1, key: 'k' }, version: 1, definition: { name: 'n', category: null } }
  const environment = { id: 1, name: 'dev', isProduction: false }
  const event = { name: 'a', properties: profile.attributes }
  const compiled = compileTemplate(source, 'text')
  if ('fault' in compiled) throw new Error(compiled.fault.message)
  return compiled.template.render(scopeOf({ campaign, environment, event, user } as never))
}

const GREETING =
  '{% if user.name %}{{ user.name }}{% else %}friend{% endif %} {{ user.attributes.team | default: "team" }}'

test.each([
  ['', '', 'friend team'],
  [' \t', ' ', 'friend team'],
  [null, null, 'friend team'],
  ['Ada', 'Core', 'Ada Core'],
  [' Ada', 0, ' Ada 0'],
])('the name %j and the attribute %j: %s', (name, team, text) => {
  expect(render(GREETING, { name, attributes: { team, other: '' } })).toBe(text)
})

test('an empty text of an event stays one', () => {
  const source = '{% if event.properties.note %}is{% endif %} {% if event.properties.note == "" %}empty{% endif %}'
  expect(render(source, { name: '', attributes: { note: '' } })).toBe('is empty')
})

test('constructor and prototype are data, and otherwise nothing', () => {
  const source =
    '[{{ user.attributes.constructor }}{{ user.attributes.prototype.a }}{{ event.properties["constructor"] }}]'
  expect(render(source, { name: null, attributes: {} })).toBe('[]')
  expect(render(source, { name: null, attributes: { constructor: 1, prototype: { a: 2 } } })).toBe('[121]')
})
