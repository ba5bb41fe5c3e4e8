// Tests of both engines: integrations of mail, their state, and the events of providers that were taken.

import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../domain/audit.ts'
import type { MailIntegration } from '../../domain/mail/mail-integration.ts'
import { givenStore, type OpenStores } from './given.ts'

const NO_STATE = { lastSentAt: null, lastErrorAt: null, lastError: null, lastWebhookAt: null }

export function mailIntegrationSuite(open: OpenStores): void {
  describe('integrations of mail', () => {
    const given = givenStore(open)
    const auditOf = (environmentId: number, verb: string): AuditEntry => ({
      at: 5,
      actor: 'api',
      who: 'sec_1',
      action: `email-integration.${verb}`,
      environmentId,
      subject: 'int_1',
      detail: {},
    })
    function integrationOf(environmentId: number, changes: Partial<MailIntegration> = {}): MailIntegration {
      const id = given.id()
      return {
        id,
        environmentId,
        name: 'main',
        provider: 'postmark',
        sealed: `sealed ${id}`,
        from: { name: 'Shop', address: 'shop@example.com' },
        priority: 1,
        maxPerSecond: null,
        webhookId: `whi_${id}`,
        webhookPasswordHash: 'hash',
        createdAt: 1,
        updatedAt: 1,
        ...changes,
      }
    }
    async function add(environmentId: number, changes: Partial<MailIntegration> = {}) {
      const integration = integrationOf(environmentId, changes)
      const { mailIntegrations } = given.stores
      expect(await mailIntegrations.insertOnce(integration, auditOf(environmentId, 'create'))).toBe(true)
      return { ...integration, revision: 1 }
    }
    const actionsOf = async (environmentId: number) =>
      (await given.stores.audit.list(environmentId, 10)).map(({ action }) => action)

    test('an integration is added once for a name, and found only in its environment', async () => {
      const [mine, other] = [given.environmentId(), given.environmentId()]
      const { mailIntegrations } = given.stores
      const added = await add(mine)
      const again = integrationOf(mine)
      expect(await mailIntegrations.insertOnce(again, auditOf(mine, 'create'))).toBe(false)
      expect(await mailIntegrations.find(mine, added.id)).toEqual({ ...added, ...NO_STATE })
      expect(await mailIntegrations.find(mine, again.id)).toBeUndefined()
      expect(await mailIntegrations.find(other, added.id)).toBeUndefined()
      expect(await mailIntegrations.findByWebhookId(added.webhookId)).toEqual(added)
      expect(await mailIntegrations.findByWebhookId('whi_unknown')).toBeUndefined()
      expect(await actionsOf(mine)).toEqual(['email-integration.create'])
    })

    test('the list of an environment is ordered by priority, then by creation', async () => {
      const [mine, other] = [given.environmentId(), given.environmentId()]
      await add(mine, { name: 'second', priority: 2 })
      await add(mine, { name: 'first', priority: 1, from: null, webhookPasswordHash: null })
      await add(mine, { name: 'third', priority: 2 })
      await add(other, { name: 'first' })
      const names = (await given.stores.mailIntegrations.listOf(mine)).map(({ name }) => name)
      expect(names).toEqual(['first', 'second', 'third'])
    })

    test('a change is saved at the revision that was read, and not under a taken name', async () => {
      const environmentId = given.environmentId()
      const { mailIntegrations } = given.stores
      const first = await add(environmentId)
      await add(environmentId, { name: 'other' })
      const changed = { ...first, name: 'renamed', sealed: 'anew', from: null, priority: 7, updatedAt: 9 }
      const save = (integration: typeof first) => mailIntegrations.save(integration, auditOf(environmentId, 'change'))
      expect(await save(changed)).toBe('saved')
      expect(await save(changed)).toBe('changed')
      expect(await save({ ...changed, revision: 2, name: 'other' })).toBe('taken')
      expect(await save({ ...changed, revision: 2, name: ' OT\u200bher ' })).toBe('taken')
      expect(await save({ ...changed, revision: 2, environmentId: given.environmentId() })).toBe('changed')
      expect(await mailIntegrations.find(environmentId, first.id)).toEqual({ ...changed, ...NO_STATE, revision: 2 })
      expect(await actionsOf(environmentId)).toHaveLength(3)
    })

    test('a removal forgets its events, and a repeated one writes nothing', async () => {
      const [mine, other] = [given.environmentId(), given.environmentId()]
      const { mailIntegrations } = given.stores
      const { id } = await add(mine)
      await mailIntegrations.rememberEvents(id, ['a'], given.now())
      expect(await mailIntegrations.remove(other, id, 1, auditOf(other, 'delete'))).toBe(false)
      expect(await mailIntegrations.remove(mine, id, 2, auditOf(mine, 'delete'))).toBe(false)
      expect(await mailIntegrations.remove(mine, id, 1, auditOf(mine, 'delete'))).toBe(true)
      expect(await mailIntegrations.remove(mine, id, 1, auditOf(mine, 'delete'))).toBe(false)
      expect(await mailIntegrations.find(mine, id)).toBeUndefined()
      expect(await actionsOf(mine)).toHaveLength(2)
      expect(await actionsOf(other)).toEqual([])
      expect(await mailIntegrations.rememberEvents(id, ['a'], given.now())).toEqual(new Set(['a']))
    })

    test('each change of an integration is a notice, and a failed one is none', async () => {
      const environmentId = given.environmentId()
      const { mailIntegrations, notices } = given.stores
      const before = await notices.lastNumber()
      const added = await add(environmentId)
      await mailIntegrations.insertOnce(integrationOf(environmentId), auditOf(environmentId, 'create'))
      await mailIntegrations.save(added, auditOf(environmentId, 'change'))
      await mailIntegrations.save(added, auditOf(environmentId, 'change'))
      await mailIntegrations.recordHealth(added.id, { lastSentAt: 4 })
      await mailIntegrations.remove(environmentId, added.id, 2, auditOf(environmentId, 'delete'))
      const written = (await notices.listAfter(before)).map(({ notice }) => notice)
      const notice = { topic: 'mail-integrations-changed', payload: { environmentId } }
      expect(written).toEqual([notice, notice, notice])
    })

    test('the state is recorded field by field, and raises no revision', async () => {
      const environmentId = given.environmentId()
      const { mailIntegrations } = given.stores
      const added = await add(environmentId)
      await mailIntegrations.recordHealth(added.id, { lastSentAt: 3, lastErrorAt: 4, lastError: 'quota' })
      await mailIntegrations.recordHealth(added.id, { lastSentAt: 6, lastWebhookAt: 8, lastError: null })
      await mailIntegrations.recordHealth(added.id, {})
      const state = { lastSentAt: 6, lastErrorAt: 4, lastError: null, lastWebhookAt: 8 }
      expect(await mailIntegrations.find(environmentId, added.id)).toEqual({ ...added, ...state })
    })

    test('an event is taken once for an integration, until it is forgotten', async () => {
      const { mailIntegrations } = given.stores
      const [one, two] = [given.id(), given.id()]
      const long = 'e'.repeat(20_000)
      expect(await mailIntegrations.rememberEvents(one, ['a', long, 'a'], 10)).toEqual(new Set(['a', long]))
      expect(await mailIntegrations.rememberEvents(one, ['a', 'b', long], 20)).toEqual(new Set(['b']))
      expect(await mailIntegrations.rememberEvents(two, ['a'], 20)).toEqual(new Set(['a']))
      expect(await mailIntegrations.rememberEvents(one, [], 20)).toEqual(new Set())
      expect(await mailIntegrations.findEvents(one, ['a', 'x', long])).toEqual(new Set(['a', long]))
      expect(await mailIntegrations.findEvents(two, ['a', 'b'])).toEqual(new Set(['a']))
      expect(await mailIntegrations.findEvents(two, [])).toEqual(new Set())
      await mailIntegrations.purgeEvents(20)
      expect(await mailIntegrations.rememberEvents(one, ['a', 'b'], 30)).toEqual(new Set(['a']))
    })

    test('events of two deliveries at once are each taken by one of them', async () => {
      const { mailIntegrations } = given.stores
      const id = given.id()
      const events = Array.from({ length: 50 }, (_, index) => `event ${index}`)
      const [some, others] = await Promise.all([
        mailIntegrations.rememberEvents(id, events, 1),
        mailIntegrations.rememberEvents(id, [...events].reverse(), 1),
      ])
      expect(some.size + others.size).toBe(50)
      expect(new Set([...some, ...others])).toEqual(new Set(events))
    })

    test('credentials are listed and sealed again with other secrets', async () => {
      const environmentId = given.environmentId()
      const { mailIntegrations, rotations } = given.stores
      const { id, sealed } = await add(environmentId)
      const text = { environmentId: 0, id, sealed }
      expect(await rotations.listSealed({ ...text, id: id - 1 }, 1, 'mail_integration')).toEqual([text])
      expect(await rotations.reseal(text, 'anew', 'mail_integration')).toBe(true)
      expect(await mailIntegrations.find(environmentId, id)).toMatchObject({ sealed: 'anew', revision: 1 })
    })
  })
}
