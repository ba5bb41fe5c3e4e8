// Tests which channel the figures of a campaign begin with.

import { expect, test } from 'vitest'
import { channelOf } from './funnel-query.ts'

const draftOf = (...types: string[]) => ({ draft: { steps: types.map((type, n) => ({ id: `s${n}`, type })) } })

test.each([
  [['email'], '', 'email'],
  [['delay', 'email'], '', 'email'],
  [['email', 'inbox'], '', 'inbox'],
  [['exit'], '', 'inbox'],
  [['email'], 'channel=inbox', 'inbox'],
  [['inbox'], 'channel=email', 'email'],
  [['email'], 'channel=other', 'email'],
])('of %j at ?%s: %s', (types, query, channel) => {
  expect(channelOf(new URLSearchParams(query), draftOf(...types))).toBe(channel)
})
