// Tests of both engines: the audit log of an organisation, the entries of its changes, and erased users in it.

import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../domain/audit.ts'
import { givenStore, type OpenStores } from './given.ts'

const BY = { actor: 'dashboard', who: 'ada@example.com', correlationId: 'c-1' } as const

export function auditSuite(open: OpenStores): void {
  describe('audit log', () => {
    const given = givenStore(open)
    const entriesOf = async (environmentId: number) => (await given.stores.audit.list(environmentId, 20)).reverse()

    async function createTenant(): Promise<{ organisationId: number; environmentId: number }> {
      const [organisationId, environmentId] = [given.id(), given.environmentId()]
      const organisation = { name: 'Acme', region: null, onboardedAt: null, retentionDays: 90, createdAt: 1 }
      await given.stores.organisations.create({ ...organisation, id: organisationId })
      const settings = { name: 'dev', isProduction: false, allowedOrigins: [], requireExpiringTokens: false }
      const none = { identityProvider: null, publicKey: null, disabledAt: null, notificationConfigId: null }
      const environment = {
        ...settings,
        ...none,
        sdkKeyMayManage: true,
        requirePublishApproval: false,
        publishRole: 'editor' as const,
        id: environmentId,
        organisationId,
        createdAt: 5,
      }
      const audit = { at: 5, ...BY, action: 'env.create', environmentId, subject: 'dev', detail: {} }
      await given.stores.environments.create(environment, [], audit)
      return { organisationId, environmentId }
    }

    test('the first environment completes the onboarding, with an entry; a later one does not', async () => {
      const { organisationId, environmentId } = await createTenant()
      const { organisations, environments, audit } = given.stores
      expect(await organisations.find(organisationId)).toMatchObject({ onboardedAt: 5 })
      const first = await environments.find(environmentId)
      if (first === undefined) throw new Error('The environment is stored.')
      const { revision: _, ...again } = first
      await environments.create({ ...again, name: 'prod', id: given.environmentId(), createdAt: 9 }, [])
      expect(await organisations.find(organisationId)).toMatchObject({ onboardedAt: 5 })
      const actions = (await audit.page({ organisationId }, null, 10)).map(({ action }) => action)
      expect(actions).toEqual(['org.complete-onboarding', 'env.create'])
    })

    test('the log of an organisation has pages, filters, and the entries of its environments', async () => {
      const { organisationId, environmentId } = await createTenant()
      const { audit } = given.stores
      const entry: AuditEntry = { at: 6, ...BY, action: 'secret.rotate', environmentId, subject: 'x', detail: { n: 1 } }
      await audit.record(entry)
      await audit.record({ ...entry, action: 'secret.retire', actor: 'cli', who: 'root' })
      await audit.record({ ...entry, environmentId: given.environmentId() })
      const page = await audit.page({ organisationId }, null, 2)
      expect(page).toMatchObject([
        { action: 'secret.retire', actor: 'cli', organisationId },
        { action: 'secret.rotate', who: 'ada@example.com', correlationId: 'c-1', detail: { n: 1 }, organisationId },
      ])
      const rest = await audit.page({ organisationId }, page[1]?.number ?? 0, 10)
      expect(rest.map(({ action }) => action)).toEqual(['org.complete-onboarding', 'env.create'])
      const actionsBy = async (filter: object) =>
        (await audit.page({ organisationId, ...filter }, null, 10)).map(({ action }) => action)
      expect(await actionsBy({ action: 'secret' })).toEqual(['secret.retire', 'secret.rotate'])
      expect(await actionsBy({ action: 'secret', actor: 'cli' })).toEqual(['secret.retire'])
      expect(await actionsBy({ environmentId, who: 'root' })).toEqual(['secret.retire'])
      expect(await audit.page({ organisationId: given.id() }, null, 10)).toEqual([])
    })

    test('an organisation is created with its owner, or not at all', async () => {
      const { organisations, people } = given.stores
      const account = { id: given.id(), email: 'founder@example.com', name: 'F', passwordHash: 'h', createdAt: 1 }
      await people.addMember(given.id(), account, 'viewer')
      const id = given.id()
      const organisation = { id, name: 'Acme', region: null, onboardedAt: null, retentionDays: 90, createdAt: 3 }
      const audit = {
        at: 3,
        ...BY,
        action: 'member.add',
        environmentId: null,
        organisationId: id,
        subject: 'f',
        detail: {},
      }
      await organisations.create(organisation, { ...audit, action: 'org.create' }, { personId: account.id, audit })
      expect(await people.findMember(id, account.id)).toMatchObject({ role: 'owner' })
      expect((await given.stores.audit.page({ organisationId: id }, null, 9)).map(({ action }) => action)).toEqual([
        'member.add',
        'org.create',
      ])
    })

    test('a profile of an author has an entry with what was before and after, once', async () => {
      const environmentId = given.environmentId()
      const { users } = given.stores
      const audit = { at: 7, ...BY }
      await users.upsert(environmentId, 'u1', { name: 'Ann', attributes: { plan: 'free' } }, 7, audit)
      await users.upsert(environmentId, 'u1', { name: 'Anna', attributes: { plan: 'pro' } }, 8, audit)
      await users.upsert(environmentId, 'u1', { name: 'Anna' }, 9, audit)
      await users.upsert(environmentId, 'u1', { name: 'Annabel' }, 10)
      expect(await entriesOf(environmentId)).toMatchObject([
        { at: 7, ...BY, action: 'user.create', subject: 'u1' },
        { action: 'user.change', detail: { difference: '~ name: "Ann" → "Anna"\n~ attributes.plan: "free" → "pro"' } },
      ])
      expect(await entriesOf(environmentId)).toHaveLength(2)
    })

    test('a change of a topic has the users who were added and removed, and nothing when none were', async () => {
      const environmentId = given.environmentId()
      const { topics } = given.stores
      const audit = { at: 7, ...BY }
      await topics.change(environmentId, 'news', ['u1', 'u2'], [], 7, audit)
      await topics.change(environmentId, 'news', ['u1', 'u3'], ['u2', 'nobody'], 8, audit)
      await topics.change(environmentId, 'news', ['u1'], ['nobody'], 9, audit)
      await topics.change(environmentId, 'news', ['u4'], [], 10)
      expect((await entriesOf(environmentId)).map(({ action, subject, detail }) => [action, subject, detail])).toEqual([
        ['topic.change', 'news', { difference: '+ u1\n+ u2' }],
        ['topic.change', 'news', { difference: '+ u3\n- u2' }],
      ])
    })

    test('an erasure removes the user from the log, and leaves the others', async () => {
      const environmentId = given.environmentId()
      const { users, topics, audit } = given.stores
      const by = { at: 7, ...BY }
      await users.upsert(environmentId, 'gone', { name: 'Secret name' }, 7, by)
      await users.upsert(environmentId, 'stays', { name: 'Other name' }, 7, by)
      await topics.change(environmentId, 'news', ['gone', 'stays', 'gone-not'], [], 7, by)
      await topics.change(environmentId, 'gone', ['stays'], [], 7, by)
      await audit.record({ ...by, action: 'user.export', environmentId, subject: 'gone', detail: {} })
      await users.erase(environmentId, 'gone', 8)
      const entries = await entriesOf(environmentId)
      expect(JSON.stringify(entries)).not.toContain('Secret name')
      expect(entries.map(({ subject, detail }) => [subject, detail.difference])).toEqual([
        ['a user', undefined],
        ['stays', expect.stringContaining('Other name')],
        ['news', '+ a user\n+ stays\n+ gone-not'],
        ['gone', '+ stays'],
        ['a user', undefined],
      ])
    })
  })
}
