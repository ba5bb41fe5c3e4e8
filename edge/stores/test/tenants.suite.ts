// Tests of both engines: organisations, environments, their secrets and settings.

import { describe, expect, test } from 'vitest'
import { byChannel } from '../../../contract/delivery.ts'
import type { ConfigCategory } from '../../../contract/resources/notification-config.ts'
import { SECRET_KINDS, type SecretKind } from '../../../contract/tenant.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import { givenStore, type OpenStores, trackPlan, write } from './given.ts'

const AUDIT: AuditEntry = {
  at: 5,
  actor: 'api',
  who: 'sec_1',
  action: 'config.create',
  environmentId: null,
  correlationId: 'c-1',
  subject: 'x',
  detail: {},
}

export const ENVIRONMENT = {
  name: 'dev',
  isProduction: false,
  allowedOrigins: ['https://*.example.org'],
  requireExpiringTokens: false,
  sdkKeyMayManage: true,
  requirePublishApproval: true,
  publishRole: 'admin' as const,
  identityProvider: null,
  publicKey: null,
  emailSandbox: null,
  disabledAt: null,
  notificationConfigId: null,
  createdAt: 1,
  rateLimits: null,
  siteUrl: 'https://shop.example',
  appSchemes: ['shopapp'],
}

const APPEARANCE = {
  widget: { theme: 'auto' as const, accentColor: null, texts: {} },
  email: {
    senderName: null,
    senderAddress: null,
    replyTo: null,
    logoUrl: '/logo.png',
    accentColor: '#aa3300',
    addressLine: 'Shop Ltd, 1 High Street, London',
    layout: null,
    layoutFormat: 'html' as const,
    tracking: { opens: true, clicks: false },
  },
  siteUrl: 'https://shop.example/de',
}

export function tenantsSuite(open: OpenStores): void {
  describe('tenants', () => {
    const given = givenStore(open)

    test('organisations and environments are stored unchanged', async () => {
      const organisation = {
        id: given.id(),
        name: 'Acme',
        region: 'eu',
        onboardedAt: null,
        retentionDays: 90,
        createdAt: 1,
      }
      await given.stores.organisations.create(organisation)
      expect(await given.stores.organisations.find(organisation.id)).toEqual({ ...organisation, revision: 0 })
      expect(await given.stores.organisations.list()).toContainEqual(organisation)
      const open = { closedAt: null, closedFor: null, movedTo: null, movedAt: null }
      const environment = { ...ENVIRONMENT, ...open, id: given.id(), organisationId: organisation.id }
      await given.stores.environments.create(environment, [])
      const claims = { userId: 'sub' }
      const registered = { issuer: 'i', audience: 'a', jwksUrl: 'https://i/jwks', algorithms: ['RS256'], claims }
      const identityProvider = { ...registered, clientClaim: 'azp' as const }
      const changed = {
        ...environment,
        name: 'dev 2',
        emailSandbox: { mode: 'redirect' as const, addresses: ['qa@shop.example'] },
        identityProvider,
        publicKey: { algorithm: 'EdDSA', key: 'pem', claims },
        disabledAt: 5,
        notificationConfigId: given.id(),
      }
      expect(await given.stores.environments.update({ ...changed, revision: 0 })).toBe('saved')
      expect(await given.stores.environments.update({ ...environment, revision: 0 })).toBe('changed')
      expect(await given.stores.environments.find(environment.id)).toEqual({ ...changed, revision: 1 })
      expect(await given.stores.environments.list(organisation.id)).toEqual([changed])
      expect(await given.stores.environments.find(given.id())).toBeUndefined()
    })

    test('a name is of one environment of an organisation, also of two callers at once, however it is written', async () => {
      const { environments } = given.stores
      const [organisationId, other] = [given.id(), given.id()]
      const named = (name: string, owner = organisationId) => ({
        ...ENVIRONMENT,
        name,
        id: given.id(),
        organisationId: owner,
      })
      const both = [named('Prod'), named(' PROD ')]
      expect((await Promise.all(both.map((one) => environments.create(one, [])))).sort()).toEqual([false, true])
      const dev = named('dev')
      expect(await environments.create(dev, [])).toBe(true)
      expect(await environments.create(named('dev', other), [])).toBe(true)
      expect(await environments.update({ ...dev, name: 'prod', revision: 0 })).toBe('taken')
      expect(await environments.update({ ...dev, name: 'DEV', revision: 0 })).toBe('saved')
      const names = ['qa', ' QA']
      const [qa, stage] = [named('a'), named('b')]
      for (const one of [qa, stage]) await environments.create(one, [])
      const renamed = [qa, stage].map((one, at) => environments.update({ ...one, name: names[at] ?? '', revision: 0 }))
      expect((await Promise.all(renamed)).sort()).toEqual(['saved', 'taken'])
    })

    test('an environment is created with its secrets and its audit entry, or not at all', async () => {
      const { environments, secrets, audit } = given.stores
      const organisationId = given.id()
      const draft = { organisationId, ...ENVIRONMENT }
      const secret = (environmentId: number, kind: SecretKind, id = given.id()) => {
        const hash = `${kind}-${environmentId}`
        const kept = { plain: null, sealed: 's', createdAt: 1, retiresAt: null, lastUsedAt: null }
        return { id, environmentId, kind, hash, ...kept }
      }
      const whole = { ...draft, id: given.id() }
      const made = SECRET_KINDS.map((kind) => secret(whole.id, kind))
      const entry = { ...AUDIT, action: 'env.create', organisationId }
      await environments.create(whole, made, entry)
      const kept = await Promise.all(SECRET_KINDS.map((kind) => secrets.list(whole.id, kind)))
      expect(kept.flat()).toEqual(made.map((one) => ({ ...one, settledAt: null })))
      // Its last secret cannot be written: the rows before it are rolled back.
      const half = { ...draft, name: 'prod', id: given.id() }
      const taken = given.id()
      const broken = [secret(half.id, 'authSecretKey', taken), secret(half.id, 'sdkSecretKey', taken)]
      await expect(environments.create(half, broken, entry)).rejects.toThrow()
      expect(await environments.find(half.id)).toBeUndefined()
      expect(await secrets.list(half.id, 'authSecretKey')).toEqual([])
      const entries = (await audit.search({}, 100)).filter((one) => one.organisationId === organisationId)
      expect(entries).toHaveLength(1)
      // Its id is free again.
      await environments.create(half, [secret(half.id, 'authSecretKey')])
      expect(await environments.list(organisationId)).toHaveLength(2)
    })

    test('the newest event of each environment of an organisation is found, and of no other', async () => {
      const { environments } = given.stores
      const organisationId = given.id()
      const [busy, idle, foreign] = [given.environmentId(), given.environmentId(), given.environmentId()]
      await environments.create({ ...ENVIRONMENT, id: busy, organisationId }, [])
      await environments.create({ ...ENVIRONMENT, name: 'idle', id: idle, organisationId }, [])
      await environments.create({ ...ENVIRONMENT, id: foreign, organisationId: given.id() }, [])
      for (const [environmentId, receivedAt] of [
        [busy, 1000],
        [foreign, 3000],
        [busy, 2000],
      ] as const) {
        const plan = trackPlan(given, { environmentId, userIds: ['a'] })
        if (plan.event !== null) plan.event.receivedAt = receivedAt
        await write(given, plan)
      }
      expect(await environments.listLastEvents(organisationId)).toEqual([{ environmentId: busy, receivedAt: 2000 }])
    })

    test('a region is set once, settings are created once; only accepted changes have an audit entry', async () => {
      const { organisations, audit } = given.stores
      const id = given.id()
      const times = { onboardedAt: null, retentionDays: 90, createdAt: 1 }
      await organisations.create({ id, name: 'Acme', region: null, ...times })
      const entry = (action: string) => ({ ...AUDIT, action, organisationId: id, subject: String(id) })
      expect(await organisations.setRegion(id, 'eu', entry('org.set-region'))).toBe(true)
      expect(await organisations.setRegion(id, 'us', entry('org.set-region'))).toBe(false)
      expect((await organisations.find(id))?.region).toBe('eu')
      const settings = { retentionDays: 30, locale: 'en', timeZone: 'UTC', contactEmail: null }
      expect(await organisations.saveSettings(id, 1, settings, entry('settings.create'))).toBe(false)
      expect(await organisations.findSettings(id)).toBeUndefined()
      expect(await organisations.saveSettings(id, 0, settings, entry('settings.create'))).toBe(true)
      expect(await organisations.saveSettings(id, 0, settings, entry('settings.create'))).toBe(false)
      const changed = { ...settings, retentionDays: 60, locale: 'de' }
      expect(await organisations.saveSettings(id, 1, changed, entry('settings.change'))).toBe(true)
      expect(await organisations.findSettings(id)).toEqual(changed)
      expect((await organisations.find(id))?.retentionDays).toBe(60)
      expect(await organisations.setRegion(given.id(), 'eu', entry('org.set-region'))).toBe(false)
      const entries = (await audit.search({}, 100)).filter((one) => one.organisationId === id)
      expect(entries.map(({ action }) => action)).toEqual(['settings.change', 'settings.create', 'org.set-region'])
      expect(entries[0]).toEqual({ ...entry('settings.change'), correlationId: 'c-1' })
    })

    test('notification configs have unique names in an organisation, and stay in it', async () => {
      const { configs } = given.stores
      const [organisationId, other] = [given.id(), given.id()]
      const config = {
        id: given.id(),
        organisationId,
        name: 'A',
        categories: [],
        ...APPEARANCE,
        createdAt: 1,
        updatedAt: 1,
      }
      expect(await configs.insertOnce(config, AUDIT)).toBe(true)
      expect(await configs.insertOnce({ ...config, id: given.id() }, AUDIT)).toBe(false)
      const theirs = { ...config, id: given.id(), organisationId: other }
      expect(await configs.insertOnce(theirs, AUDIT)).toBe(true)
      const second = { ...config, id: given.id(), name: 'B' }
      expect(await configs.insertOnce(second, AUDIT)).toBe(true)
      for (const name of ['A', ' a', 'Ａ', 'A\u200b'])
        expect(await configs.save({ ...second, name, revision: 0 }, AUDIT)).toBe('taken')
      expect(await configs.save({ ...second, organisationId: other, name: 'C', revision: 0 }, AUDIT)).toBe('changed')
      const changed = { ...second, name: 'C', updatedAt: 2 }
      expect(await configs.save({ ...changed, revision: 1 }, AUDIT)).toBe('changed')
      expect(await configs.save({ ...changed, revision: 0 }, AUDIT)).toBe('saved')
      expect(await configs.find(second.id)).toEqual({ ...changed, revision: 1 })
      expect(await configs.findByNames(organisationId, ['A', 'B'])).toEqual([config])
      expect(await configs.findByNames(other, ['C'])).toEqual([])
      const atFirst = (one: typeof config) => ({ ...one, revision: 0 })
      expect(await configs.list(organisationId, null, 10)).toEqual([{ ...changed, revision: 1 }, atFirst(config)])
      expect(await configs.list(organisationId, second.id, 10)).toEqual([atFirst(config)])
      expect(await configs.list(other, null, 10)).toEqual([atFirst(theirs)])
      const nothing = { environments: [], campaigns: [] }
      expect(await configs.remove({ ...config, organisationId: other, revision: 0 }, AUDIT)).toBe('changed')
      expect(await configs.remove({ ...config, revision: 7 }, AUDIT)).toBe('changed')
      expect(await configs.remove(atFirst(config), AUDIT)).toEqual(nothing)
      expect(await configs.find(config.id)).toBeUndefined()
      expect(await configs.remove(atFirst(config), AUDIT)).toBe('changed')
    })

    test('a stored category without a newer channel or choice has its default', async () => {
      const { configs } = given.stores
      const channels = { inbox: false } as ConfigCategory['channels']
      const categories = [{ key: 'news', name: 'News', critical: false, channels }]
      const config = {
        ...APPEARANCE,
        id: given.id(),
        organisationId: given.id(),
        name: 'A',
        createdAt: 1,
        updatedAt: 1,
      }
      await configs.insertOnce({ ...config, categories }, AUDIT)
      expect((await configs.find(config.id))?.categories).toEqual([
        {
          ...categories[0],
          quietHours: 'delay',
          channels: { ...byChannel(({ defaultOn }) => defaultOn), inbox: false },
        },
      ])
    })

    test('secrets are found by hash and listed newest first', async () => {
      const environmentId = given.environmentId()
      const secret = {
        environmentId,
        kind: 'authSecretKey' as const,
        plain: null,
        sealed: 's',
        createdAt: 1,
        retiresAt: null,
        lastUsedAt: null,
      }
      const first = { ...secret, id: given.id(), hash: 'h1' }
      const second = { ...secret, id: given.id(), hash: 'h2' }
      await given.stores.secrets.create(first)
      await given.stores.secrets.create(second)
      await given.stores.secrets.retire(environmentId, first.id, 77)
      expect(await given.stores.secrets.list(environmentId, 'authSecretKey')).toEqual([
        { ...second, settledAt: null },
        { ...first, retiresAt: 77, settledAt: null },
      ])
      expect(await given.stores.secrets.findByHash('sdkSecretKey', 'h1')).toBeUndefined()
    })
  })
}
