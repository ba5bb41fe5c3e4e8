// Tests which licences a release may contain.

import { expect, test } from 'vitest'
import { type Component, isAllowed, licenceOf, refuseUnknown } from './licences.ts'

const component = (name: string, ...licenses: Component['licenses'] & object): Component => ({
  name,
  version: '1.0.0',
  'bom-ref': `${name}@1.0.0`,
  licenses,
})

test('of alternatives one must be allowed, of licences together all', () => {
  const allowed = ['MIT', '(MIT OR WTFPL)', '(BSD-2-Clause OR MIT OR Apache-2.0)', 'MIT AND ISC']
  expect(allowed.filter((expression) => !isAllowed(expression))).toEqual([])
  const refused = ['GPL-3.0', '(GPL-2.0 OR WTFPL)', 'MIT AND GPL-3.0', 'SEE LICENSE IN x', '', '(MIT OR X) AND ISC']
  expect(refused.filter(isAllowed)).toEqual([])
})

test('a licence that is not in the list, and a package without one, end the release', () => {
  const fine = component('fine', { license: { id: 'MIT' } })
  expect(() => refuseUnknown([fine])).not.toThrow()
  const faulty = [component('strict', { expression: 'AGPL-3.0-only' }), component('silent')]
  expect(() => refuseUnknown([fine, ...faulty])).toThrow(/strict@1\.0\.0: AGPL-3\.0-only\n {2}silent@1\.0\.0: none$/)
})

test('two licences of a package apply together', () => {
  expect(licenceOf(component('two', { license: { id: 'MIT' } }, { license: { name: 'Own' } }))).toBe('MIT AND Own')
})
