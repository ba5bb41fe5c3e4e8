// Tests which filter a text in the search field means.

import { expect, test } from 'vitest'
import type { UserAnswer } from '../../../contract/resources/user.ts'
import { findMeant } from './find-meant.ts'

const user = (userId: string, email: string | null, name: string | null) => ({ userId, email, name }) as UserAnswer
const USERS = [
  user('zoe2', null, null),
  user('zoe', 'Zoe@Example.com', 'Zoë'),
  user('other', 'x@example.com', 'zoe'),
  user('u3', null, 'Jörg Éa'),
]
const api = { users: async () => ({ data: USERS, nextCursor: null }) }

test.each([
  ['zoe', { userId: 'zoe' }],
  [' zoe@example.com ', { userId: 'zoe' }],
  ['zoë', { userId: 'zoe' }],
  ['jorg ea', { userId: 'u3' }],
  ['zo', { correlationId: 'zo' }],
  ['01a22a86-3b99', { correlationId: '01a22a86-3b99' }],
  ['msg_1', { messageId: 'msg_1' }],
  ['', {}],
])('%j means %j', async (text, filters) => {
  expect(await findMeant(api, text)).toEqual(filters)
})

test('when users cannot be read, a text is a correlation id', async () => {
  expect(await findMeant({ users: () => Promise.reject(new Error('away')) }, 'zoe')).toEqual({ correlationId: 'zoe' })
})
