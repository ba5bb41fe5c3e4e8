// Tests of both engines: preferences and suppressions, read for a whole plan at once.

import { describe, expect, test } from 'vitest'
import { act, firstMessage, type Given, givenStore, type OpenStores, report, trackPlan, write } from './given.ts'

const NIGHT = { start: '22:00', end: '07:00', timeZone: 'Europe/Berlin' }

export function sendingSuite(open: OpenStores): void {
  describe('send rules', () => {
    const given = givenStore(open)

    test('an environment has none until its first preference or suppression, which writes one notice', async () => {
      const { sendRules } = given.stores
      const [environmentId, other] = [given.environmentId(), given.environmentId()]
      const userNo = await userOf(given, environmentId, 'u')
      const before = await given.stores.notices.lastNumber()
      expect(await sendRules.isUsed(environmentId)).toBe(false)
      const set = await sendRules.changePreferences(environmentId, userNo, { choices: { news: { email: false } } }, 1)
      const since = { news: { email: 1 } }
      const choices = { news: { email: false } }
      expect(set).toEqual({ preferences: { choices, since, quietHours: null }, first: true })
      const again = await sendRules.changePreferences(environmentId, userNo, { choices: {}, quietHours: NIGHT }, 2)
      expect(again).toEqual({ preferences: { choices, since, quietHours: NIGHT }, first: false })
      const subject = { environmentId: other, channel: 'email', userId: 'x' } as const
      expect(await sendRules.suppress(subject, 'manual', 3)).toEqual({ added: true, first: true })
      expect(await sendRules.suppress(subject, 'bounce', 4)).toEqual({ added: false, first: false })
      expect([await sendRules.isUsed(environmentId), await sendRules.isUsed(other)]).toEqual([true, true])
      const notices = (await given.stores.notices.listAfter(before)).map(({ notice }) => notice)
      expect(notices.filter(({ topic }) => topic === 'send-rules-changed')).toEqual([
        { topic: 'send-rules-changed', payload: { environmentId } },
        { topic: 'send-rules-changed', payload: { environmentId: other } },
      ])
    })

    test('concurrent changes of one user are all stored', async () => {
      const environmentId = given.environmentId()
      const userNo = await userOf(given, environmentId, 'u')
      const keys = Array.from({ length: 12 }, (_, at) => `c${at}`)
      await Promise.all(
        keys.map((key) =>
          given.stores.sendRules.changePreferences(environmentId, userNo, { choices: { [key]: { inbox: false } } }, 1),
        ),
      )
      const stored = await given.stores.sendRules.findPreferences(environmentId, userNo)
      expect(Object.keys(stored?.choices ?? {}).sort()).toEqual([...keys].sort())
    })

    test('one query finds preferences, suppressed users and suppressed addresses of many users', async () => {
      const { sendRules } = given.stores
      const environmentId = given.environmentId()
      const a = await userOf(given, environmentId, 'a')
      await userOf(given, environmentId, 'b')
      await sendRules.changePreferences(environmentId, a, { choices: { news: { inbox: false } }, quietHours: NIGHT }, 1)
      await sendRules.suppress({ environmentId, channel: 'email', userId: 'a' }, 'unsubscribe', 2)
      await sendRules.suppress({ environmentId, channel: 'email', address: 'Gone@Example.org ' }, 'bounce', 3)
      const found = await sendRules.findMany(environmentId, [
        { userId: 'a', email: 'gone@example.org' },
        { userId: 'b', email: null },
        { userId: 'not-yet-known', email: 'GONE@example.org' },
        { userId: 'a', email: 'new@example.org' },
      ])
      const bounced = { channel: 'email', reason: 'bounce', mayPass: false, createdAt: 3 }
      expect(found[0]).toMatchObject({ choices: { news: { inbox: false } }, quietHours: NIGHT })
      expect(found[0]?.suppressions.sort((one, other) => one.createdAt - other.createdAt)).toEqual([
        { channel: 'email', reason: 'unsubscribe', mayPass: true, createdAt: 2 },
        bounced,
      ])
      expect(found[1]).toBeUndefined()
      expect(found[2]).toEqual({ choices: {}, quietHours: null, suppressions: [bounced] })
      // The same user with another address, in the same query.
      expect(found[3]?.suppressions.map(({ reason }) => reason)).toEqual(['unsubscribe'])
      const elsewhere = await sendRules.findMany(given.environmentId(), [{ userId: 'a', email: 'gone@example.org' }])
      expect(elsewhere).toEqual([undefined])
    })

    test('a suppression is listed and released', async () => {
      const { sendRules } = given.stores
      const environmentId = given.environmentId()
      const subject = { environmentId, channel: 'email', address: 'a@example.org' } as const
      await sendRules.suppress(subject, 'complaint', 5)
      expect(await sendRules.listOf(subject)).toEqual([
        { channel: 'email', reason: 'complaint', mayPass: false, createdAt: 5 },
      ])
      expect(await sendRules.release({ ...subject, environmentId: given.environmentId() })).toBe(false)
      expect([await sendRules.release(subject), await sendRules.release(subject)]).toEqual([true, false])
      expect(await sendRules.listOf(subject)).toEqual([])
    })

    test('an address is suppressed and released in all spellings of its domain', async () => {
      const { sendRules } = given.stores
      const environmentId = given.environmentId()
      const spellings = [
        'ada@bücher.example',
        'Ada@BÜCHER.example',
        'ada@xn--bcher-kva.example',
        'ada@bu\u0308cher.example',
      ]
      const suppressions = async () => {
        const recipients = spellings.map((email) => ({ userId: 'ada', email }))
        return (await sendRules.findMany(environmentId, recipients)).map((rules) => rules?.suppressions.length ?? 0)
      }
      for (const address of spellings) {
        const subject = { environmentId, channel: 'email', address } as const
        expect(await sendRules.suppress(subject, 'bounce', 3)).toMatchObject({ added: true })
        expect(await suppressions()).toEqual([1, 1, 1, 1])
        for (const other of spellings) {
          expect(await sendRules.suppress({ ...subject, address: other }, 'bounce', 4)).toMatchObject({ added: false })
          expect(await sendRules.listOf({ environmentId, address: other })).toHaveLength(1)
        }
        expect(await sendRules.release({ ...subject, address: spellings[0] })).toBe(true)
        expect(await suppressions()).toEqual([0, 0, 0, 0])
      }
    })

    test('seen steps of a run are those that the user read or marked as opened, not automated events', async () => {
      const environmentId = given.environmentId()
      const plans = Array.from({ length: 5 }, () => trackPlan(given, { environmentId, userIds: ['reader'] }))
      for (const plan of plans) await write(given, plan)
      const user = await given.stores.users.upsert(environmentId, 'reader', {}, 1)
      const ids = plans.map((plan) => firstMessage(plan).id)
      await report(given, user, ids[0] ?? 0, ['read'])
      await act(given, user, [ids[1] ?? 0], [{ action: 'mark-opened' }])
      await report(given, user, ids[2] ?? 0, [{ type: 'opened', automated: true }], { userNo: null })
      await act(given, user, [ids[3] ?? 0], [{ action: 'mark-opened' }, { action: 'unopen' }])
      const runs = plans.map((plan) => plan.runs[0]?.id ?? 0)
      const seen = await given.stores.inboxes.findSeenSteps([...runs, given.id()])
      expect(seen).toEqual(new Map([runs[0], runs[1]].map((run) => [run, new Set(['notify'])])))
      expect(await given.stores.inboxes.findSeenSteps([])).toEqual(new Map())
    })

    test('an erased user has no preferences and cannot set any; a suppressed address stays', async () => {
      const { sendRules, users } = given.stores
      const environmentId = given.environmentId()
      const userNo = await userOf(given, environmentId, 'u')
      await sendRules.changePreferences(environmentId, userNo, { choices: { news: { inbox: false } } }, 1)
      await sendRules.suppress({ environmentId, channel: 'email', userId: 'u' }, 'manual', 1)
      await sendRules.suppress({ environmentId, channel: 'email', address: 'u@example.org' }, 'bounce', 1)
      await users.erase(environmentId, 'u', 2)
      expect(await sendRules.findPreferences(environmentId, userNo)).toBeUndefined()
      expect(await sendRules.changePreferences(environmentId, userNo, { choices: {} }, 3)).toBeUndefined()
      expect(await sendRules.findMany(environmentId, [{ userId: 'u', email: null }])).toEqual([undefined])
      const kept = await sendRules.findMany(environmentId, [{ userId: 'u', email: 'u@example.org' }])
      expect(kept[0]?.suppressions).toHaveLength(1)
    })
  })
}

async function userOf(given: Given, environmentId: number, userId: string): Promise<number> {
  return (await given.stores.users.upsert(environmentId, userId, {}, 1)).userNo
}
