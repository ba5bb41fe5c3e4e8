// Tests that each remedy of an explanation has its place, in the draft or on a page.

import { expect, test } from 'vitest'
import { REMEDY_KINDS, type Remedy } from '../../../../contract/resources/campaign-explanation.ts'
import { remedyWay } from './remedies.ts'

const known = {
  draft: { steps: [{ id: 'tell', type: 'inbox', title: 'a' }] },
  ...{ campaignId: 'cmp_1', environmentId: 'env_1', configId: 'ncf_1' },
}
const wayOf = (remedy: Remedy) => remedyWay(remedy, known)

test('in the draft', () => {
  expect(wayOf({ kind: 'condition', path: 'trigger.where' })).toMatchObject({
    label: 'Change it: Condition of the start',
    place: { path: ['trigger', 'where'] },
  })
  expect(wayOf({ kind: 'step', stepId: 'tell' })).toMatchObject({ place: { path: ['steps', 0], stepId: 'tell' } })
  expect(wayOf({ kind: 'step', stepId: 'gone' })).toBeUndefined()
})

test('on a page', () => {
  expect(wayOf({ kind: 'preference', userId: 'u_1' })).toMatchObject({ page: 'user', id: 'u_1' })
  expect(wayOf({ kind: 'suppression', address: 'a@b.de' })).toMatchObject({ query: { address: 'a@b.de' } })
  expect(wayOf({ kind: 'suppression', userId: 'u_1' })).toMatchObject({ query: { userId: 'u_1' } })
  expect(wayOf({ kind: 'category', category: 'x' })).toMatchObject({ page: 'config', id: 'ncf_1' })
})

test('every kind but to publish has one', () => {
  const without = REMEDY_KINDS.filter((kind) => wayOf({ kind, path: 'name', userId: 'u_1' }) === undefined)
  expect(without).toEqual(['publish'])
})
