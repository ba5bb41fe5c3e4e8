// Tests how the webhooks of HubSpot name their user: merges, changes of properties, and times.

import { expect, test } from 'vitest'
import type { SourceMapping } from '../../contract/resources/source-mapping.ts'
import { connectors } from './connectors.ts'
import { mapItem } from './map-item.ts'

const KNOWN = new Map([['hubspot:5', 'u_contact']])
const NONE = { requireV3: false, allowUnsignedBatchTail: false, settings: null }
const read = (body: unknown) => {
  const bytes = Buffer.from(JSON.stringify(body))
  const [item] = connectors.hubspot.read({ method: 'POST', url: '', headers: {}, body: bytes, now: 1.8e12 }, NONE).items
  if (item === undefined) throw new Error('no item')
  return item
}
const userOf = (body: unknown, mappings: SourceMapping[] = []) => mapItem(read(body), mappings, KNOWN)

test('all merged contacts are looked up, and without a known one it is the user of the primary contact', () => {
  const merge = (changes: object) =>
    userOf([{ subscriptionType: 'contact.merge', primaryObjectId: 4, newObjectId: 6, ...changes }])
  expect(merge({ mergedObjectIds: [1, 2, 3, 5] })).toMatchObject({
    userId: 'u_contact',
    profile: { externalIds: { hubspot: '6' } },
  })
  expect(merge({ mergedObjectIds: [1] })).toMatchObject({ userId: '4', profile: { externalIds: { hubspot: '6' } } })
  expect(merge({ subscriptionType: 'object.merge', objectTypeId: '0-1', mergedObjectIds: [5] })).toMatchObject({
    userId: 'u_contact',
  })
  expect(merge({ subscriptionType: 'object.merge', objectTypeId: '0-2', mergedObjectIds: [5] }).userId).toBeNull()
  expect(merge({ newObjectId: undefined, mergedObjectIds: 'x' }).userId).toBe('4')
})

test('a change of any contact’s property identifies, and times are milliseconds or ISO 8601', () => {
  const mappings = [
    { providerEvent: '*', event: null, userIdPath: null, propertiesPath: null, traits: ['firstname', 'phone'] },
  ]
  const change = (propertyName: string, propertyValue: string, changes: object = {}) => {
    const event = { subscriptionType: 'object.propertyChange', objectTypeId: '0-1', objectId: 5 }
    return userOf([{ ...event, propertyName, propertyValue, ...changes }], mappings)
  }
  expect(change('email', 'a@b.example')).toMatchObject({ userId: 'u_contact', profile: { email: 'a@b.example' } })
  expect(change('firstname', 'Ada').profile).toEqual({ attributes: { firstname: 'Ada' } })
  expect(change('hs_language', 'de').profile).toMatchObject({ locale: 'de' })
  expect(change('email', 'a@b.example', { objectTypeId: '0-3' }).userId).toBeNull()
  const timeOf = (occurredAt: unknown) => read([{ occurredAt }]).occurredAt
  const at = 1_700_000_000_000
  expect([at, String(at), '2023-11-14T22:13:20Z', '2023-11-14T23:13:20.000+0100'].map(timeOf)).toEqual(
    Array(4).fill(at),
  )
})
