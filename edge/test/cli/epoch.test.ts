// Tests `nc epoch renew` for a store that another tool restored: widgets read the older store again.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InboxChanges } from '../../../contract/api.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge()
})
afterAll(() => given.stop())

test('a renewal is refused while a server runs, and ends the epoch that widgets know', async () => {
  const { nc } = givenNc(given.settings)
  await given.publish(inboxCampaign('tell', 'order.shipped'))
  for (let n = 0; n < 3; n++) await given.track({ name: 'order.shipped', userId: 'u1' })
  const session = await given.signIn('u1')
  const { epoch, seq } = (await given.page(session)).inbox
  const changes = async () => {
    const query = `since=${seq}&epoch=${epoch}`
    return (await given.call<InboxChanges>('GET', `/v1/inbox/changes?${query}`, { session })).body
  }
  expect(await nc('epoch renew')).toMatchObject({ code: 1, err: expect.stringContaining('A server is at work') })
  expect(await changes()).toMatchObject({ epoch, seq, reset: false })

  await given.edge.close()
  expect(await nc('epoch renew')).toMatchObject({ code: 0, err: '' })
  await given.restart()
  const after = await changes()
  expect(after).toMatchObject({ seq, reset: true })
  expect(after.epoch).not.toBe(epoch)
  expect((await given.page(session)).data).toHaveLength(3)
})

test('a renewal without a store is refused', async () => {
  const { nc } = givenNc({ DATA_DIR: `${given.dataDir}/none` })
  expect(await nc('epoch renew')).toMatchObject({ code: 1, err: expect.stringContaining('There is no store') })
})
