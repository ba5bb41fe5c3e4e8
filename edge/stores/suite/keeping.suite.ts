// The store suite: the other nouns, erasure, and what a restart keeps (specification section 2, contract sections 2 to 4).

import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../domain/audit.ts'
import type { Campaign, CampaignDefinition } from '../../domain/campaign.ts'
import {
  counts,
  givenStore,
  HOUR,
  type OpenStores,
  page,
  readAll,
  report,
  trackPlan,
  userWithMessages,
  write,
} from './given.ts'

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

export function keepingSuite(open: OpenStores): void {
  describe('keeping', () => {
    const given = givenStore(open)

    test('organisations, members and environments are kept as they were given', async () => {
      const organisation = {
        id: given.id(),
        name: 'Acme',
        region: 'eu',
        onboardedAt: null,
        retentionDays: 90,
        createdAt: 1,
      }
      await given.stores.organisations.create(organisation)
      await given.stores.organisations.addMember({
        organisationId: organisation.id,
        email: 'a@b',
        name: 'A',
        role: 'owner',
        passwordHash: 'x',
        createdAt: 1,
      })
      expect(await given.stores.organisations.find(organisation.id)).toEqual(organisation)
      expect(await given.stores.organisations.list()).toContainEqual(organisation)
      const environment = {
        id: given.id(),
        organisationId: organisation.id,
        name: 'dev',
        isProduction: false,
        allowedOrigins: ['https://*.example.org'],
        requireExpiringTokens: false,
        sdkKeyMayManage: true,
        identityProvider: null,
        publicKey: null,
        disabledAt: null,
        createdAt: 1,
        rateLimits: null,
      }
      await given.stores.environments.create(environment)
      const claims = { userId: 'sub' }
      const identityProvider = { issuer: 'i', audience: 'a', jwksUrl: 'https://i/jwks', algorithms: ['RS256'], claims }
      const changed = {
        ...environment,
        name: 'dev 2',
        identityProvider,
        publicKey: { algorithm: 'EdDSA', key: 'pem', claims },
        disabledAt: 5,
      }
      await given.stores.environments.update(changed)
      expect(await given.stores.environments.find(environment.id)).toEqual(changed)
      expect(await given.stores.environments.list(organisation.id)).toEqual([changed])
      expect(await given.stores.environments.find(given.id())).toBeUndefined()
    })

    test('a region is set once, settings are created once; each with its audit entry, refused ones without', async () => {
      const { organisations, audit } = given.stores
      const id = given.id()
      const times = { onboardedAt: null, retentionDays: 90, createdAt: 1 }
      await organisations.create({ id, name: 'Acme', region: null, ...times })
      const entry = (action: string) => ({ ...AUDIT, action, organisationId: id, subject: String(id) })
      expect(await organisations.setRegion(id, 'eu', entry('org.set-region'))).toBe(true)
      expect(await organisations.setRegion(id, 'us', entry('org.set-region'))).toBe(false)
      expect((await organisations.find(id))?.region).toBe('eu')
      const settings = { retentionDays: 30, locale: 'en', timeZone: 'UTC', contactEmail: null }
      expect(await organisations.saveSettings(id, settings, false, entry('settings.change'))).toBe(false)
      expect(await organisations.findSettings(id)).toBeUndefined()
      expect(await organisations.saveSettings(id, settings, true, entry('settings.create'))).toBe(true)
      expect(await organisations.saveSettings(id, settings, true, entry('settings.create'))).toBe(false)
      const changed = { ...settings, retentionDays: 60, locale: 'de' }
      expect(await organisations.saveSettings(id, changed, false, entry('settings.change'))).toBe(true)
      expect(await organisations.findSettings(id)).toEqual(changed)
      expect((await organisations.find(id))?.retentionDays).toBe(60)
      expect(await organisations.setRegion(given.id(), 'eu', entry('org.set-region'))).toBe(false)
      const said = (await audit.search({}, 100)).filter((one) => one.organisationId === id)
      expect(said.map(({ action }) => action)).toEqual(['settings.change', 'settings.create', 'org.set-region'])
      expect(said[0]).toEqual({ ...entry('settings.change'), correlationId: 'c-1' })
    })

    test('notification configs have names of their own in an organisation, and stay in it', async () => {
      const { configs } = given.stores
      const [organisationId, other] = [given.id(), given.id()]
      const looks = {
        widget: { theme: 'auto' as const, accentColor: null, texts: {} },
        email: {
          senderName: null,
          senderAddress: null,
          replyTo: null,
          layout: null,
          tracking: { opens: true, clicks: false },
        },
      }
      const config = { id: given.id(), organisationId, name: 'A', categories: [], ...looks, createdAt: 1, updatedAt: 1 }
      expect(await configs.insertOnce(config, AUDIT)).toBe(true)
      expect(await configs.insertOnce({ ...config, id: given.id() }, AUDIT)).toBe(false)
      const theirs = { ...config, id: given.id(), organisationId: other }
      expect(await configs.insertOnce(theirs, AUDIT)).toBe(true)
      const second = { ...config, id: given.id(), name: 'B' }
      expect(await configs.insertOnce(second, AUDIT)).toBe(true)
      expect(await configs.save({ ...second, name: 'A' }, AUDIT)).toBe(false)
      expect(await configs.save({ ...second, organisationId: other, name: 'C' }, AUDIT)).toBe(false)
      const changed = { ...second, name: 'C', updatedAt: 2 }
      expect(await configs.save(changed, AUDIT)).toBe(true)
      expect(await configs.find(second.id)).toEqual(changed)
      expect(await configs.findByName(organisationId, 'A')).toEqual(config)
      expect(await configs.findByName(other, 'C')).toBeUndefined()
      expect(await configs.list(organisationId, null, 10)).toEqual([changed, config])
      expect(await configs.list(organisationId, second.id, 10)).toEqual([config])
      expect(await configs.list(other, null, 10)).toEqual([theirs])
    })

    test('a campaign is changed only from the status that was seen, a version with it', async () => {
      const campaign = newCampaign(given.environmentId())
      const { campaigns } = given.stores
      expect(await campaigns.insertOnce(campaign)).toBe(true)
      expect(await campaigns.insertOnce({ ...campaign, id: given.id() })).toBe(false)
      const active: Campaign = { ...campaign, status: 'active', currentVersion: 1, updatedAt: 9 }
      const version = { campaignId: campaign.id, version: 1, publishedAt: 9, definition: campaign.draft }
      expect(await campaigns.save(active, 'paused', version)).toBe(false)
      expect(await campaigns.listVersions(campaign.id, null, 10)).toEqual([])
      const elsewhere = { ...active, environmentId: active.environmentId + 1 }
      expect(await campaigns.save(elsewhere, 'draft', null)).toBe(false)
      expect(await campaigns.save(active, 'draft', version)).toBe(true)
      expect(await campaigns.find(campaign.environmentId, campaign.id)).toEqual(active)
      expect(await campaigns.find(campaign.environmentId + 1, campaign.id)).toBeUndefined()
      expect(await campaigns.findVersion(campaign.id, 1)).toEqual(version)
      expect(await campaigns.listLive(campaign.environmentId)).toEqual([
        { campaign: active, version: 1, definition: campaign.draft },
      ])
      await campaigns.save({ ...active, status: 'archived' }, 'active', null)
      expect(await campaigns.listLive(campaign.environmentId)).toEqual([])
      expect((await campaigns.list(campaign.environmentId, null, 10)).map((one) => one.id)).toEqual([campaign.id])
    })

    test('sessions end once, by user, by credential and by front key', async () => {
      const { sessions } = given.stores
      const environmentId = given.environmentId()
      const user = await given.stores.users.upsert(environmentId, 'u1', {}, given.now())
      const base = {
        environmentId,
        userNo: user.userNo,
        userId: 'u1',
        createdAt: given.now(),
        expiresAt: given.now() + HOUR,
      }
      const [a, b, c, d] = [given.id(), given.id(), given.id(), given.id()]
      await sessions.create({ ...base, id: a, credential: 'x', frontKeyId: 1 })
      await sessions.create({ ...base, id: b, credential: 'x', frontKeyId: 2 })
      await sessions.create({ ...base, id: c, credential: 'y', frontKeyId: 1 })
      await sessions.create({ ...base, id: d, credential: 'y', frontKeyId: 2 })
      expect([await sessions.end(a, given.now()), await sessions.end(a, given.now())]).toEqual([true, false])
      expect(await sessions.endAllOfCredential(environmentId, { credential: 'x' }, given.now())).toEqual([b])
      expect(await sessions.endAllOfCredential(environmentId, { frontKeyId: 1 }, given.now())).toEqual([c])
      expect(await sessions.endAllOfCredential(environmentId + 1, { credential: 'y' }, given.now())).toEqual([])
      expect(await sessions.endAllOfUser(user.userNo, given.now())).toEqual([d])
      expect(await sessions.listEnded(given.now())).toEqual([a, b, c, d])
      given.advance(HOUR)
      expect(await sessions.listEnded(given.now())).toEqual([])
      await sessions.purgeExpired(given.now())
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
      await given.stores.secrets.retire(first.id, 77)
      expect(await given.stores.secrets.list(environmentId, 'authSecretKey')).toEqual([
        second,
        { ...first, retiresAt: 77 },
      ])
      expect(await given.stores.secrets.findByHash('sdkSecretKey', 'h1')).toBeUndefined()
    })

    test('an erased user leaves nothing but counters, which still prove right, and comes back as another', async () => {
      const campaignId = given.id()
      const { user, environmentId, messageIds } = await userWithMessages(given, 600, { campaignId })
      const other = trackPlan(given, { environmentId, userIds: ['u2'], campaignId })
      await write(given, other)
      await report(given, user, messageIds[0] ?? 0, ['clicked'])
      await report(given, user, messageIds[1] ?? 0, [{ type: 'read', automated: true }])
      await given.stores.topics.change(environmentId, 'news', ['u1', 'u2'], [], given.now())
      await given.stores.sessions.create({
        id: given.id(),
        environmentId,
        userNo: user.userNo,
        userId: 'u1',
        credential: 'x',
        frontKeyId: 1,
        createdAt: given.now(),
        expiresAt: given.now() + HOUR,
      })
      const before = await given.stores.funnels.slices(campaignId, 'inbox', null)
      expect(before).toMatchObject([{ delivery: 601, read: 1, opened: 1, clicked: 1 }])

      expect(await given.stores.users.erase(environmentId, 'u1', given.now())).toBe(true)
      expect(await given.stores.users.erase(environmentId, 'u1', given.now())).toBe(false)
      expect(await given.stores.users.find(environmentId, 'u1')).toBeUndefined()
      expect(await given.stores.events.list(environmentId, { userId: 'u1' }, null, 10)).toEqual([])
      expect(await page(given, user)).toMatchObject({ messages: [], head: { seq: 0, unread: 0 } })
      expect(
        (await given.stores.topics.listSubscribers(environmentId, 'news', 0, 10)).map((one) => one.userId),
      ).toEqual(['u2'])
      expect(await given.stores.sessions.listEnded(given.now())).toHaveLength(1)
      expect(await given.stores.funnels.slices(campaignId, 'inbox', null)).toEqual(before)
      expect(await given.stores.funnels.rebuild()).toMatchObject({ differed: 0 })

      expect((await report(given, user, messageIds[0] ?? 0, ['read'])).results).toEqual(['missing'])
      expect(await readAll(given, user, 10)).toMatchObject({ changed: 0, pushes: [] })
      await write(given, trackPlan(given, { environmentId, userIds: ['u1'], campaignId }))
      const again = await given.stores.users.upsert(environmentId, 'u1', {}, given.now())
      expect(again.userNo).toBeGreaterThan(user.userNo)
      expect(await counts(given, again)).toEqual({ seq: 1, unread: 1, unopened: 1 })
    })

    test('a restart keeps everything, and hands out no id again', async () => {
      const { user, environmentId } = await userWithMessages(given, 3)
      const before = await page(given, user)
      const plan = trackPlan(given, { environmentId, idempotency: { key: 'k', bodyHash: 'h' } })
      await write(given, plan)
      const highest = plan.event?.id ?? 0
      const job = {
        id: given.id(),
        environmentId,
        kind: 'k',
        payload: '{"a":1}',
        runAt: given.now(),
        createdAt: given.now(),
      }
      await write(given, { ...trackPlan(given, { environmentId }), jobs: [job] })
      const stores = await given.reopen()
      expect(stores.idFloor).toBeGreaterThanOrEqual(Math.max(highest, job.id))
      expect(await page(given, user)).toEqual(before)
      const repeat = trackPlan(given, { environmentId, idempotency: { key: 'k', bodyHash: 'h' } })
      expect(await stores.commit.track(repeat)).toMatchObject({ result: 'duplicate', eventId: highest })
      expect(await stores.jobs.claim(given.now(), 1000, 1)).toMatchObject([{ id: job.id, payload: '{"a":1}' }])
      const { pushes } = await write(given, trackPlan(given, { environmentId, userIds: ['u1'] }))
      expect(pushes).toMatchObject([{ userNo: user.userNo, epoch: before.head.epoch, from: 3, seq: 4 }])
    })

    function newCampaign(environmentId: number): Campaign {
      const draft: CampaignDefinition = {
        key: 'order-shipped',
        name: 'Order shipped',
        category: 'orders',
        notificationConfigId: null,
        maxLateness: 'PT24H',
        trigger: { event: 'order.shipped' },
        steps: [{ id: 'tell', type: 'inbox', title: 'Hi' }],
      }
      const { key, name, category } = draft
      return {
        id: given.id(),
        environmentId,
        key,
        name,
        category,
        status: 'draft',
        currentVersion: null,
        draft,
        createdAt: 1,
        updatedAt: 1,
      }
    }
  })
}
