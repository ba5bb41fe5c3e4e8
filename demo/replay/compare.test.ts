// Tests that the comparison finds lost, doubled and miscounted messages.

import { expect, test } from 'vitest'
import { compareUser } from './compare.ts'
import type { Inbox } from './inbox.ts'
import type { Sent, Trace } from './send.ts'

const event = { name: 'github.push', type: 'push', place: 'x:push:0', properties: {} }
const sent: Sent[] = ['a', 'b'].map((id) => ({ event, userId: 'u', eventId: id, isDuplicate: false, refusal: null }))
const traces: Trace[] = ['m1', 'm2'].map((id) => ({
  outcome: 'matched',
  campaignKeys: ['k'],
  messageIds: [id],
  failures: [],
}))

function inbox(ids: string[], head: { unread: number; unopened: number }): Inbox {
  const messages = ids.map((id) => ({
    id,
    title: id,
    body: '',
    link: '/',
    imageUrl: null,
    icon: 'info',
    unopened: true,
    readAt: null,
  }))
  return { head: { epoch: 'e', seq: 1, ...head }, messages, asideIds: [] }
}

test('equal counts have no difference', () => {
  const user = compareUser('u', sent, traces, inbox(['m1', 'm2'], { unread: 2, unopened: 2 }))
  expect(user).toMatchObject({ promised: 2, found: 2, differences: [] })
})

test.each([
  ['a lost message', inbox(['m1'], { unread: 1, unopened: 1 }), /not there exactly once/],
  ['a doubled message', inbox(['m1', 'm2', 'm2'], { unread: 3, unopened: 3 }), /not there exactly once/],
  ['a badge that drifted', inbox(['m1', 'm2'], { unread: 3, unopened: 2 }), /unread: the server says 3/],
  ['a dot count that drifted', inbox(['m1', 'm2'], { unread: 2, unopened: 1 }), /unopened: the server says 1/],
])('%s is found', (_, there, words) => {
  expect(compareUser('u', sent, traces, there).differences.join()).toMatch(words)
})
