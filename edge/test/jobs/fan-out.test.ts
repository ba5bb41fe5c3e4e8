// Tests a fan-out on a running edge: the job reaches each of many recipients once.

import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ClientToServer, InboxFrame, ServerToClient } from '../../../contract/frames.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'

let given: GivenEdge
let client: Socket<ServerToClient, ClientToServer> | undefined
beforeAll(async () => {
  given = await givenEdge()
  await given.publish(inboxCampaign('everyone', 'news.published'))
})
afterAll(async () => {
  client?.disconnect()
  await given.stop()
})

const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 20 })

test('each of 700 recipients gets one message, also those of later chunks, and a connected one receives its frame', async () => {
  const userIds = Array.from({ length: 700 }, (_, index) => `reader-${index}`)
  const last = await given.signIn('reader-699')
  const frames: InboxFrame[] = []
  const { path } = last.realtime
  client = io(given.url, {
    path,
    transports: ['websocket'],
    auth: { token: last.sessionToken, epoch: last.inbox.epoch, since: last.inbox.seq },
  })
  client.on('inbox', (frame) => frames.push(frame))
  await until(() => expect(frames).toHaveLength(1))
  const tracked = await given.track({ name: 'news.published', userIds, properties: { name: 'all' } })
  expect(tracked.status).toBe(202)
  await until(() => expect(frames).toHaveLength(2))
  expect(frames[1]).toMatchObject({
    from: 0,
    seq: 1,
    unread: 1,
    changes: [{ op: 'add', message: { title: 'Hello all' } }],
  })
  for (const userId of ['reader-0', 'reader-499', 'reader-500', 'reader-699']) {
    const session = await given.signIn(userId)
    expect(session.inbox).toMatchObject({ seq: 1, unread: 1, unopened: 1 })
    expect((await given.page(session)).data.map((message) => message.title)).toEqual(['Hello all'])
  }
  const key = given.demo.environments.dev.sdkSecretKey
  const event = await given.call('GET', `/v1/events/${tracked.body.eventId}`, { key })
  expect(event.body).toMatchObject({ outcome: 'fanned-out' })
})
