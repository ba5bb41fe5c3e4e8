// Tests what is sent of a profile that was edited, and what is refused.

import { describe, expect, test } from 'vitest'
import { changeOf, type Profile, readProfile, refuseOverwriting } from './profile-change.ts'

const BEFORE: Profile = {
  ...{ name: 'Zoë', email: 'zoe@example.com', locale: null, timeZone: null },
  ...{ attributes: { plan: 'gold', tags: ['a'] }, externalIds: { stripe: 'cus_1' } },
}

describe('only what differs is sent', () => {
  test.each<[Partial<Profile>, object]>([
    [{}, {}],
    [{ name: null }, { name: null }],
    [{ locale: 'sv' }, { locale: 'sv' }],
    [{ attributes: { plan: 'gold', tags: ['a', 'b'] } }, { attributes: { tags: ['a', 'b'] } }],
    [{ attributes: { tags: ['a'], age: 31 } }, { attributes: { plan: null, age: 31 } }],
    [{ externalIds: {} }, { externalIds: { stripe: null } }],
    [{ externalIds: { stripe: 'cus_2', hubspot: '7' } }, { externalIds: { stripe: 'cus_2', hubspot: '7' } }],
  ])('%j', (changed, expected) => expect(changeOf(BEFORE, { ...BEFORE, ...changed })).toEqual(expected))
})

describe('a change that others came before', () => {
  const refusal = (now: Partial<Profile>, change: object) => {
    try {
      refuseOverwriting(BEFORE, { ...BEFORE, ...now }, change)
    } catch (error) {
      return (error as { body: { details: { path: string }[] } }).body.details.map(({ path }) => path)
    }
    return undefined
  }
  test('of the same field is refused at the field', () => {
    expect(refusal({ name: 'Zoe' }, { name: 'Z' })).toEqual(['name'])
    expect(refusal({ attributes: { plan: 'free', tags: ['a'] } }, { attributes: { plan: null } })).toEqual([
      'attributes',
    ])
  })
  test('of another field or key is none', () => {
    expect(refusal({ name: 'Zoe' }, { locale: 'sv' })).toBeUndefined()
    expect(refusal({ attributes: { plan: 'gold', tags: [] } }, { attributes: { plan: 'free' } })).toBeUndefined()
  })
})

describe('a form', () => {
  const formOf = (values: Record<string, string>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(values)) form.set(name, value)
    return form
  }
  test('is read with empty fields as null, and external ids line by line', () => {
    const form = formOf({
      name: ' Zoë ',
      email: '',
      attributes: '{"a":1}',
      externalIds: 'stripe: cus_1\n\nhubspot:7: 8',
    })
    expect(readProfile(form)).toEqual({
      ...{ name: 'Zoë', email: null, locale: null, timeZone: null },
      ...{ attributes: { a: 1 }, externalIds: { stripe: 'cus_1', hubspot: '7: 8' } },
    })
  })
  test('is refused in words', () => {
    expect(() => readProfile(formOf({ attributes: '[1]' }))).toThrow('must be a JSON object')
    expect(() => readProfile(formOf({ externalIds: 'stripe' }))).toThrow('“stripe” has no system and id')
  })
})
