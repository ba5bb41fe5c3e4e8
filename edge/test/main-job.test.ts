// Tests the main journey: a tracked event becomes a message, and the user's actions become the funnel.

import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthAnswer, FunnelAnswer, InboxHead } from '../../contract/api.ts'
import type { InboxFrame } from '../../contract/frames.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from './support/given.ts'

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge()
})
afterAll(() => given.stop())

function connect(
  session: AuthAnswer,
  since = 0,
): { socket: Socket; frames: InboxFrame[]; next(): Promise<InboxFrame> } {
  const frames: InboxFrame[] = []
  let onFrame: (() => void) | undefined
  let consumed = 0
  const socket = io(session.realtime.url, {
    path: session.realtime.path,
    transports: ['websocket'],
    auth: { token: session.sessionToken, epoch: session.inbox.epoch, since },
    reconnection: false,
  })
  socket.on('inbox', (frame: InboxFrame) => {
    frames.push(frame)
    onFrame?.()
  })
  const next = async (): Promise<InboxFrame> => {
    while (frames.length <= consumed) {
      await new Promise<void>((resolve) => {
        onFrame = resolve
      })
    }
    return frames[consumed++] as InboxFrame
  }
  return { socket, frames, next }
}

async function funnelOf(campaignId: string, query = ''): Promise<FunnelAnswer> {
  const { dev } = given.demo.environments
  const answer = await given.call<FunnelAnswer>('GET', `/v1/campaigns/${campaignId}/stats${query}`, {
    key: dev.sdkSecretKey,
  })
  expect(answer.status).toBe(200)
  return answer.body
}

const countsOf = (funnel: FunnelAnswer) => funnel.steps.map((step) => step.count)

test('a tracked event is pushed, read, opened, clicked and counted', async () => {
  const campaignId = await given.publish(inboxCampaign('main-job', 'main.job'))
  const session = await given.signIn('u_main')
  const client = connect(session)
  const first = await client.next()
  expect(first).toMatchObject({ from: 0, seq: 0, unread: 0, unopened: 0, changes: [] })

  const tracked = await given.track({ name: 'main.job', userId: 'u_main', properties: { name: 'Ada' } })
  expect(tracked.status).toBe(202)
  const frame = await client.next()
  expect(frame).toMatchObject({ from: 0, seq: 1, unread: 1, unopened: 1 })
  const change = frame.changes[0]
  if (change?.op !== 'add') throw new Error('the first change is no add')
  expect(change.message).toMatchObject({ seq: 1, title: 'Hello Ada', link: '/somewhere', unopened: true, readAt: null })

  const messageId = change.message.id
  const clicked = await given.register(session, [{ messageId, eventType: 'clicked', link: '/somewhere' }])
  expect(clicked.body.results).toEqual([{ messageId, eventType: 'clicked', recorded: true }])
  expect(clicked.body.inbox as InboxHead).toMatchObject({ seq: 2, unread: 0, unopened: 0 })
  expect(await client.next()).toMatchObject({ from: 1, seq: 2, changes: [{ op: 'update', id: messageId }] })

  // Clicked implied read and opened; the real ones are recorded once and change no count.
  const repeated = await given.register(session, [
    { messageId, eventType: 'read' },
    { messageId, eventType: 'opened' },
    { messageId, eventType: 'opened' },
  ])
  expect((repeated.body.results as { recorded: boolean }[]).map((result) => result.recorded)).toEqual([
    true,
    true,
    false,
  ])
  for (const window of ['24h', '7d', '30d', 'all']) {
    const funnel = await funnelOf(campaignId, `?window=${window}`)
    expect(countsOf(funnel)).toEqual([1, 1, 1, 1])
    expect(funnel.steps.map((step) => step.percentOfPrevious)).toEqual([null, 100, 100, 100])
    expect(funnel.branches).toBeUndefined()
  }
  client.socket.close()
})

test('every accepted event has its outcome and its runs', async () => {
  const { dev } = given.demo.environments
  const tracked = await given.track({ name: 'no.campaign', userId: 'u_main' })
  const unmatched = await given.call('GET', `/v1/events/${tracked.body.eventId}`, { key: dev.sdkSecretKey })
  expect(unmatched.body).toMatchObject({ outcome: 'unmatched', runs: [], messageIds: [], userId: 'u_main' })

  const matched = await given.track({ name: 'main.job', userId: 'u_trace', properties: {} })
  const event = await given.call<{ runs: { runId: string }[]; messageIds: string[] }>(
    'GET',
    `/v1/events/${matched.body.eventId}`,
    { key: dev.sdkSecretKey },
  )
  expect(event.body).toMatchObject({ outcome: 'matched', runs: [{ campaignKey: 'main-job', state: 'completed' }] })
  expect(event.body.messageIds).toHaveLength(1)
  const run = await given.call('GET', `/v1/runs/${event.body.runs[0]?.runId}`, { key: dev.sdkSecretKey })
  expect(run.body).toMatchObject({ state: 'completed', steps: [{ stepId: 'tell', type: 'inbox', outcome: 'done' }] })
})

test('the funnel is divided by branch', async () => {
  const campaignId = await given.publish({
    ...inboxCampaign('sliced', 'sliced.happened'),
    steps: [
      {
        id: 'size',
        type: 'branch',
        branches: [
          { key: 'big', when: 'event.properties.total > 500', steps: [{ id: 'b', type: 'inbox', title: 'Big' }] },
          { key: 'rest', else: true, steps: [{ id: 'r', type: 'inbox', title: 'Rest' }] },
        ],
      },
    ],
  })
  for (const total of [900, 10, 20]) {
    await given.track({ name: 'sliced.happened', userId: 'u_branch', properties: { total } })
  }
  const funnel = await funnelOf(campaignId)
  expect(countsOf(funnel)).toEqual([3, 0, 0, 0])
  const slices = (funnel.branches ?? []).map(({ version, branch, steps }) => [version, branch, steps[0]?.count])
  expect(slices.sort()).toEqual([
    [1, 'big', 1],
    [1, 'rest', 2],
  ])
})

test('an event to 60 users is fanned out by jobs, and each gets one message', async () => {
  const campaignId = await given.publish(inboxCampaign('fan', 'fan.out'))
  const { dev } = given.demo.environments
  const userIds = Array.from({ length: 60 }, (_, index) => `fan_${index}`)
  const watcher = connect(await given.signIn('fan_59'))
  await watcher.next()
  const tracked = await given.track({ name: 'fan.out', userIds, properties: { name: 'all' } })
  const frame = await watcher.next()
  expect(frame).toMatchObject({ seq: 1, unread: 1 })
  const event = await given.call('GET', `/v1/events/${tracked.body.eventId}`, { key: dev.sdkSecretKey })
  expect(event.body.outcome).toBe('fanned-out')
  await expect.poll(async () => countsOf(await funnelOf(campaignId))[0]).toBe(60)
  watcher.socket.close()
})

test('a restart keeps sessions, inbox and counts', async () => {
  const session = await given.signIn('u_main')
  const before = await given.page(session)
  await given.restart()
  expect(await given.page(session)).toEqual(before)
  const changes = await given.call('GET', `/v1/inbox/changes?since=0&epoch=${session.inbox.epoch}`, { session })
  expect(changes.body).toMatchObject({ reset: false, seq: before.inbox.seq, unread: before.inbox.unread })
})
