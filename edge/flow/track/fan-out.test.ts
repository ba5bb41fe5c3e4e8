// Tests events with more than 50 recipients: jobs serve them chunk by chunk, none lost and none twice.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FunnelAnswer } from '../../../contract/api.ts'
import type { Job } from '../../domain/job.ts'
import { type GivenFlow, givenFlow, messageCampaign } from '../../test/support/given-flow.ts'
import { FAN_OUT } from './fan-out.ts'

let flow: GivenFlow
beforeEach(async () => {
  flow = await givenFlow()
})
afterEach(async () => flow.close())

const users = (count: number) => Array.from({ length: count }, (_, i) => `u${String(i).padStart(5, '0')}`)

async function delivered(campaignId: string): Promise<number | undefined> {
  const answer: FunnelAnswer = await flow.readFunnel(flow.environment.id, campaignId, {
    window: 'all',
    channel: 'inbox',
  })
  return answer.steps[0]?.count
}

async function claimOne(): Promise<Job> {
  const [job] = await flow.stores.jobs.claim(flow.clock.at, 1000, 1, [FAN_OUT])
  if (job === undefined) throw new Error('No job is due.')
  return job
}

describe('fan-out', () => {
  test('50 recipients are served with the event, 51 by a job', async () => {
    const id = await flow.publish(messageCampaign('a', 'e'))
    const few = await flow.track({ name: 'e', userIds: users(50) })
    expect(await flow.event(few.eventId)).toMatchObject({ outcome: 'matched' })
    expect([await delivered(id), flow.jobs.polls]).toEqual([50, 0])
    const many = await flow.track({ name: 'e', userIds: users(51) })
    expect(await flow.event(many.eventId)).toMatchObject({ outcome: 'fanned-out', runs: [] })
    expect([await delivered(id), flow.jobs.polls]).toEqual([50, 1])
    expect(await flow.work()).toBe(1)
    expect(await delivered(id)).toBe(101)
    const event = await flow.event(many.eventId)
    expect(event.outcome).toBe('fanned-out')
    expect([event.runs.length, event.messageIds.length]).toEqual([20, 20])
  })

  test('a long list goes in chunks of 500, with a user named twice served once', async () => {
    const id = await flow.publish(messageCampaign('a', 'e'))
    const { eventId } = await flow.track({ name: 'e', userIds: [...users(700), ...users(300)] })
    expect(await flow.work()).toBe(2)
    expect(await delivered(id)).toBe(700)
    const seen = new Set<string>()
    let cursor: string | undefined
    do {
      const page = await flow.readEvents.listRuns(flow.environment.id, eventId, { cursor, limit: 100 })
      for (const run of page.data) seen.add(run.userId)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect([...seen].sort()).toEqual(users(700))
  })

  test('while another environment tracks on this node, chunks have 20 runs, also when that begins or ends midway', async () => {
    const id = await flow.publish(messageCampaign('a', 'e'))
    await flow.track({ name: 'e', userIds: users(700) })
    const served: (number | undefined)[] = []
    for (const isShared of [true, false, true, true]) {
      flow.clock.at += 2000
      if (isShared) flow.activeTenants.record(flow.environment.id + 1)
      const job = await claimOne()
      expect(await flow.fanOut(job)).toBeUndefined()
      served.push(await delivered(id))
    }
    expect(served).toEqual([20, 520, 540, 560])
    flow.clock.at += 2000
    expect(await flow.work()).toBe(1)
    expect(await delivered(id)).toBe(700)
  })

  test('a chunk resumes 500 runs, 20 while other environments are active, or those of one user', async () => {
    const steps = [{ id: 'wait', type: 'waitFor', event: 'e', timeout: 'P1D', then: [], onTimeout: [] }]
    await flow.publish({ key: 'waits', trigger: { event: 'began' }, steps: [...steps, { id: 'end', type: 'exit' }] })
    const many = users(60)
    for (const userId of many) {
      const waits = userId === 'u00030' ? 600 : 10
      const began = Array.from({ length: waits }, () => ({ name: 'began', userId }))
      for (let at = 0; at < waits; at += 100) await flow.trackBatch(began.slice(at, at + 100))
    }
    await flow.track({ name: 'e', userIds: many })
    const resumed: number[] = []
    for (const isShared of [false, true, true, false]) {
      flow.clock.at += 2000
      if (isShared) flow.activeTenants.record(flow.environment.id + 1)
      await flow.fanOut(await claimOne())
      resumed.push((await flow.stores.waits.claim(flow.clock.at, 60_000, 5000)).length)
    }
    expect(resumed).toEqual([300, 600, 20, 270])
  })

  describe('with many campaigns on the name', () => {
    const CAMPAIGNS = 60
    const publishAll = async (extra?: Record<string, unknown>) => {
      const ids: string[] = []
      for (let n = 0; n < CAMPAIGNS; n++) ids.push(await flow.publish(messageCampaign(`c${n}`, 'e', extra)))
      return ids
    }
    async function runsOf(eventId: string): Promise<Map<string, number>> {
      const found = new Map<string, number>()
      let cursor: string | undefined
      do {
        const page = await flow.readEvents.listRuns(flow.environment.id, eventId, { cursor, limit: 100 })
        for (const { userId } of page.data) found.set(userId, (found.get(userId) ?? 0) + 1)
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      return found
    }
    /** Handles one chunk. @returns How many runs it began. */
    async function chunk(eventId: string): Promise<number> {
      const count = async () => [...(await runsOf(eventId)).values()].reduce((sum, one) => sum + one, 0)
      const before = await count()
      await flow.fanOut(await claimOne())
      return (await count()) - before
    }

    test('a chunk ends among the campaigns of a user, and each user gets each of them once', async () => {
      await publishAll()
      const { eventId } = await flow.track({ name: 'e', userIds: users(20) })
      expect((await flow.event(eventId)).outcome).toBe('fanned-out')
      expect(await chunk(eventId)).toBe(500)
      flow.activeTenants.record(flow.environment.id + 1)
      expect(await chunk(eventId)).toBe(20)
      flow.clock.at += 2000
      await flow.work()
      expect([...(await runsOf(eventId))].sort()).toEqual(users(20).map((userId) => [userId, CAMPAIGNS]))
    })

    test('a chunk of a topic does so too, also when a user leaves or a campaign is paused meanwhile', async () => {
      const ids = await publishAll()
      await flow.stores.topics.change(flow.environment.id, 'news', users(20), [], flow.clock.at)
      const { eventId } = await flow.track({ name: 'e', topic: 'news' })
      expect(await chunk(eventId)).toBe(500)
      // The ninth user has had 20 campaigns of 60.
      await flow.change.pause(flow.environment.id, ids[5] ?? '')
      await flow.change.pause(flow.environment.id, ids[59] ?? '')
      await flow.stores.topics.change(flow.environment.id, 'news', [], ['u00009'], flow.clock.at)
      await flow.work()
      const runs = users(20).map((userId, nth) => [userId, nth < 8 ? 60 : nth === 8 ? 59 : 58])
      expect([...(await runsOf(eventId))].sort()).toEqual(runs.filter(([userId]) => userId !== 'u00009'))
    })

    test('the rest of the campaigns of an erased user goes to no other user', async () => {
      await publishAll()
      const { eventId } = await flow.track({ name: 'e', userIds: users(20) })
      await chunk(eventId)
      await flow.stores.users.erase(flow.environment.id, 'u00008', flow.clock.at)
      await flow.work()
      const left = users(20).filter((userId) => userId !== 'u00008')
      expect([...(await runsOf(eventId))].sort()).toEqual(left.map((userId) => [userId, CAMPAIGNS]))
    })

    test('long messages end a chunk early', async () => {
      const steps = [{ id: 't', type: 'inbox', title: 't', body: '{{ event.properties.text }}' }]
      await publishAll({ steps })
      const { eventId } = await flow.track({ name: 'e', userIds: users(20), properties: { text: 'x'.repeat(60_000) } })
      expect(await chunk(eventId)).toBeLessThan(100)
    })

    test('messages that are slow to render end a chunk early', async () => {
      await flow.close()
      flow = await givenFlow({ isTimed: true })
      const title = '{% assign n = 0 %}{% for i in (1..3000) %}{% assign n = n | plus: i %}{% endfor %}{{ n }}'
      await publishAll({ steps: [{ id: 't', type: 'inbox', title }] })
      const { eventId } = await flow.track({ name: 'e', userIds: users(20) })
      const begun = await chunk(eventId)
      expect(begun).toBeGreaterThan(0)
      expect(begun).toBeLessThan(400)
      expect(await flow.titles('u00000')).toContain('4501500')
    })

    test('up to 250 runs begin with the event, even for few users', async () => {
      await publishAll()
      expect(await flow.event((await flow.track({ name: 'e', userIds: users(4) })).eventId)).toMatchObject({
        outcome: 'matched',
      })
      const { eventId } = await flow.track({ name: 'e', userIds: users(5) })
      expect(await flow.event(eventId)).toMatchObject({ outcome: 'fanned-out', runs: [] })
      expect(await flow.work()).toBe(1)
      expect((await runsOf(eventId)).size).toBe(5)
    })
  })

  test('only a user who is erased between two chunks is omitted', async () => {
    const id = await flow.publish(messageCampaign('a', 'e'))
    const { eventId } = await flow.track({ name: 'e', userIds: users(700) })
    await flow.fanOut(await claimOne())
    for (const userId of ['u00003', 'u00004', 'u00600', 'u00601']) {
      await flow.stores.users.upsert(flow.environment.id, userId, {}, flow.clock.at)
      await flow.stores.users.erase(flow.environment.id, userId, flow.clock.at)
    }
    expect(await flow.work()).toBe(1)
    expect(await delivered(id)).toBe(698)
    expect(await flow.titles('u00699')).toEqual(['a'])
    expect(await flow.stores.users.find(flow.environment.id, 'u00600')).toBeUndefined()
    expect((await flow.event(eventId)).userIds).toHaveLength(696)
  })

  test('a topic is read page by page, with profiles', async () => {
    const steps = [{ id: 't', type: 'inbox', title: 'Hi {{ user.name }}' }]
    const id = await flow.publish(
      messageCampaign('a', 'e', { steps, trigger: { event: 'e', where: 'user.email == null' } }),
    )
    await flow.stores.topics.change(flow.environment.id, 'news', users(1000), [], flow.clock.at)
    await flow.stores.topics.change(flow.environment.id, 'news', ['ann'], [], flow.clock.at)
    await flow.stores.users.upsert(flow.environment.id, 'ann', { name: 'Ann' }, flow.clock.at)
    const { eventId } = await flow.track({ name: 'e', topic: 'news' })
    expect((await flow.event(eventId)).outcome).toBe('fanned-out')
    expect(await flow.work()).toBe(3)
    expect(await delivered(id)).toBe(1001)
    expect(await flow.titles('ann')).toEqual(['Hi Ann'])
  })

  test('without a campaign on the name there is no job', async () => {
    const { eventId } = await flow.track({ name: 'e', userIds: users(60) })
    expect((await flow.event(eventId)).outcome).toBe('fanned-out')
    expect(await flow.work()).toBe(0)
  })

  test('runs use the version that was live when the event was accepted', async () => {
    const id = await flow.publish(messageCampaign('a', 'e'))
    await flow.track({ name: 'e', userIds: users(60) })
    await flow.change.putDraft(
      flow.environment.id,
      id,
      messageCampaign('a', 'e', { steps: [{ id: 'n', type: 'inbox', title: 'new' }] }),
    )
    await flow.change.publish(flow.environment.id, id)
    await flow.work()
    expect(await flow.titles('u00001')).toEqual(['a'])
  })

  test('the event records which campaign was paused when it was accepted', async () => {
    const id = await flow.publish(messageCampaign('a', 'e'))
    await flow.change.pause(flow.environment.id, id)
    const { eventId } = await flow.track({ name: 'e', userIds: users(60) })
    expect((await flow.event(eventId)).considered).toMatchObject([{ campaignKey: 'a', outcome: 'paused' }])
    expect(await flow.work()).toBe(0)
  })

  test('begins no more runs of a campaign that was paused meanwhile', async () => {
    const id = await flow.publish(messageCampaign('a', 'e'))
    await flow.track({ name: 'e', userIds: users(60) })
    await flow.change.pause(flow.environment.id, id)
    expect(await flow.work()).toBe(1)
    expect(await delivered(id)).toBe(0)
    expect(await flow.stores.jobs.nextDueInMs(flow.clock.at)).toBeNull()
  })
})

describe('after a crash', () => {
  test('a chunk that was claimed and not finished is handled once by the next worker', async () => {
    const id = await flow.publish(messageCampaign('a', 'e'))
    await flow.track({ name: 'e', userIds: users(600) })
    await claimOne()
    expect(await flow.work()).toBe(0)
    flow.clock.at += 60_000
    expect(await flow.work()).toBe(2)
    expect(await delivered(id)).toBe(600)
  })

  test('a worker that lost its lease writes nothing', async () => {
    const id = await flow.publish(messageCampaign('a', 'e'))
    await flow.track({ name: 'e', userIds: users(60) })
    const slow = await claimOne()
    flow.clock.at += 60_000
    const quick = await claimOne()
    await flow.fanOut(quick)
    await flow.fanOut(slow)
    expect(await delivered(id)).toBe(60)
    expect(await flow.titles('u00001')).toHaveLength(1)
  })

  test('a chunk that is handled twice counts once', async () => {
    const id = await flow.publish(messageCampaign('a', 'e'))
    await flow.track({ name: 'e', userIds: users(600) })
    const job = await claimOne()
    await Promise.all([flow.fanOut(job), flow.fanOut(job)])
    await flow.work()
    expect(await delivered(id)).toBe(600)
  })
})
