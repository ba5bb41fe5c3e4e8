// Tests descriptions of socket frames.

import { expect, test } from 'vitest'
import { describeFrame } from './frames.ts'

test.each([
  ['40{"token":"•••"}', 'connect', ''],
  [
    '42["inbox",{"seq":7,"unread":2,"changes":[{"op":"add"},{"op":"update"}]}]',
    'inbox',
    'add, update · seq 7 · unread 2',
  ],
  ['42["inbox",{"seq":7,"unread":2,"changes":[]}]', 'inbox', 'heads · seq 7 · unread 2'],
  ['42["inbox",{"seq":9,"unread":0,"changes":[],"reset":true}]', 'inbox', 'reset · seq 9 · unread 0'],
  ['430[{"seq":3,"unread":1,"changes":[{"op":"remove"}]}]', 'acknowledgement', 'remove · seq 3 · unread 1'],
  ['44{"message":"no","data":{"code":"auth/invalid-session"}}', 'refusal', ''],
])('%s', (text, title, note) => {
  expect(describeFrame(text)).toMatchObject({ title, note })
})

test('the heartbeat says nothing', () => {
  expect(describeFrame('2')).toBeUndefined()
  expect(describeFrame('3')).toBeUndefined()
})
