// Tests `nc retention run` while an edge runs: open pages receive the removals at once.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { InboxFrame } from '../../../contract/frames.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { ncProcess } from '../support/given-nc.ts'
import { within } from '../support/within.ts'
import { DAY_MS } from './given-retention.ts'

let given: GivenEdge
let socket: Socket | undefined
beforeAll(async () => {
  given = await givenEdge()
})
afterAll(async () => {
  socket?.close()
  await given.stop()
})

test('removals by the command line are pushed to open pages before the next regular positions', async () => {
  await given.publish(inboxCampaign('welcome', 'user.joined'))
  await given.track({ name: 'user.joined', userId: 'ann' })
  const session = await given.signIn('ann')
  const frames: InboxFrame[] = []
  socket = io(session.realtime.url, {
    path: session.realtime.path,
    transports: ['websocket'],
    auth: { token: session.sessionToken, epoch: session.inbox.epoch, since: session.inbox.seq },
    reconnection: false,
    forceNew: true,
  })
  socket.on('inbox', (frame: InboxFrame) => frames.push(frame))
  await vi.waitFor(() => expect(frames.length).toBeGreaterThan(0), 20_000)
  expect(frames[0]).toMatchObject({ seq: 1, unread: 1 })

  // The command line's clock is a hundred days ahead.
  const later = join(given.dataDir, 'later.cjs')
  await writeFile(later, `const now = Date.now; Date.now = () => now() + ${100 * DAY_MS}`)
  const env = { ...given.settings, NODE_OPTIONS: `--require ${later}` }
  const report = await ncProcess<{ rows: number }>(env, 'retention run')
  expect(report.rows).toBeGreaterThan(0)
  await within(10_000, () => expect(frames.at(-1)).toMatchObject({ seq: 2, unread: 0 }))
  expect(await socket.emitWithAck('sync', { since: 1 })).toMatchObject({ seq: 2 })
})
