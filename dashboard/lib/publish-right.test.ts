// Tests who may publish, ask, approve and withdraw, by role and by the settings of the environment.

import { expect, test } from 'vitest'
import type { PendingPublish } from '../../contract/resources/campaign.ts'
import { includesRole, type PublishRole, type Role } from '../../contract/role.ts'
import { publishRightOf, requestRightsOf } from './publish-right.ts'

const asker = (role: Role, requirePublishApproval: boolean, publishRole: PublishRole) => ({
  environment: { requirePublishApproval, publishRole },
  may: (needed: Role) => includesRole(role, needed),
  me: { person: { email: 'ada@b.example' } },
})

test.each([
  ['viewer', false, 'editor', 'none'],
  ['viewer', true, 'editor', 'none'],
  ['editor', false, 'editor', 'publish'],
  ['editor', false, 'admin', 'none'],
  ['editor', true, 'admin', 'ask'],
  ['admin', false, 'admin', 'publish'],
  ['owner', true, 'editor', 'ask'],
] as const)('a %s, with approval %j by the role %s: %s', (role, approval, publishRole, right) => {
  expect(publishRightOf(asker(role, approval, publishRole))).toBe(right)
})

test.each([
  ['editor', 'editor', 'ada@b.example', 'waiting', [false, true]],
  ['owner', 'editor', 'ada@b.example', 'waiting', [false, true]],
  ['editor', 'editor', 'bob@b.example', 'waiting', [true, false]],
  ['editor', 'admin', 'bob@b.example', 'waiting', [false, false]],
  ['admin', 'admin', 'bob@b.example', 'waiting', [true, true]],
  ['admin', 'admin', 'bob@b.example', 'changed', [false, true]],
  ['viewer', 'editor', 'ada@b.example', 'waiting', [false, false]],
] as const)(
  'a %s, published by the role %s, with a request of %s that is %s',
  (role, publishRole, askedBy, state, may) => {
    const rights = requestRightsOf(asker(role, true, publishRole), { state, askedBy } as PendingPublish)
    expect([rights.mayAnswer, rights.mayWithdraw]).toEqual(may)
  },
)
