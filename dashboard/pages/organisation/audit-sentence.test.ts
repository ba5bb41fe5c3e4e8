// Tests the sentences of the audit log, and the pages that they lead to.

import { expect, test } from 'vitest'
import { doneOf, pageOf, subjectOf } from './audit-sentence.ts'

test.each([
  ['campaign.publish', 'published the campaign'],
  ['campaign.pause', 'paused the campaign'],
  ['campaign.ask-publish', 'asked to publish the campaign'],
  ['campaign.decline-publish', 'declined to publish the campaign'],
  ['campaign.void-publish', 'ended, as its texts have changed, the request to publish the campaign'],
  ['enricher.put', 'saved the enricher'],
  ['env.set-identity-provider', 'set the identity provider of'],
  ['member.change-role', 'changed the role of'],
  ['secret.rotate', 'rotated the secret'],
  ['settings.change', 'changed the settings of'],
  ['person.reset-totp', 'Person: reset totp,'],
  ['unknown.thing', 'Unknown: thing,'],
])('%s says "%s"', (action, words) => expect(doneOf(action)).toBe(words))

test('a publication says whether somebody approved it', () => {
  expect(doneOf('campaign.publish', { askedBy: 'ada@b.example' })).toBe('approved and published the campaign')
  expect(doneOf('campaign.publish', { withoutApproval: true })).toContain('without the approval')
})

const entry = { subject: 's', environment: 'env_1', detail: {} }

test.each([
  ['campaign.change', { detail: { campaignId: 'cmp_1' } }, { page: 'campaign', id: 'cmp_1' }],
  ['source.pause', {}, { page: 'source', id: 's' }],
  ['secret.rotate', {}, { page: 'secrets', id: 'env_1' }],
  ['env.change', { environment: null }, undefined],
  ['member.remove', {}, { page: 'members', id: '' }],
  ['enricher.delete', {}, undefined],
  ['user.erase', {}, undefined],
  ['topic.change', {}, undefined],
])('%s leads to its page', (action, more, page) => expect(pageOf({ ...entry, action, ...more })).toEqual(page))

test('a subject has its name, where there is one', () => {
  const org = { id: 'org_1', name: 'Acme' }
  expect(subjectOf({ subject: 'org_1', subjectName: null, detail: {} }, org)).toBe('Acme')
  expect(subjectOf({ subject: 'cfg_1', subjectName: null, detail: { name: 'Main' } }, org)).toBe('Main')
  expect(subjectOf({ subject: 'welcome', subjectName: null, detail: { name: '' } }, org)).toBe('welcome')
  expect(subjectOf({ subject: 'welcome', subjectName: 'Welcome', detail: {} }, org)).toBe('Welcome')
})
