// Tests preferences with the channels of an environment, on a real store.

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Channel } from '../../../contract/delivery.ts'
import { type GivenFlow, givenFlow, messageCampaign } from '../../test/support/given-flow.ts'
import { createManagePreferences } from './manage-preferences.ts'

let flow: GivenFlow
let sendable: readonly Channel[]
beforeEach(async () => {
  flow = await givenFlow()
  sendable = ['inbox']
  await flow.publish(messageCampaign('news', 'e', { category: 'news' }))
})
afterEach(() => flow.close())

test('a channel has a switch only while the environment can send by it; an earlier choice is effective again then', async () => {
  const { stores, live, bus, clock, environment } = flow
  const preferences = createManagePreferences({ ...stores, live, bus, clock, findChannels: async () => sendable })
  const { userNo } = await stores.users.upsert(environment.id, 'u', {}, clock.at)
  const session = { id: 1, environmentId: environment.id, userId: 'u', userNo, credential: 'c', frontKeyId: 1 }
  const of = { ...session, createdAt: clock.at, expiresAt: clock.at + 1000 }
  const channels = async () => (await preferences.get(of)).categories.map((one) => one.channels)
  expect(await channels()).toEqual([{ inbox: true }])
  await preferences.put(of, { categories: [{ key: 'news', channels: { email: false } }] })
  expect(await channels()).toEqual([{ inbox: true }])
  sendable = ['inbox', 'email']
  expect(await channels()).toEqual([{ inbox: true, email: false }])
})
