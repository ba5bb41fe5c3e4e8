// Tests of both engines: sources of connectors, their secrets and counts, their last deliveries, and known repeats.

import { describe, expect, test } from 'vitest'
import type { DeliveryOutcome } from '../../../contract/tenant.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { DeliveryRun } from '../../domain/connector/delivery-run.ts'
import {
  DELIVERIES_KEPT,
  MAX_SOURCES,
  NO_COUNTS,
  type Source,
  type SourceDelivery,
  secretKindOf,
} from '../../domain/connector/source.ts'
import type { Secret } from '../../domain/secret.ts'
import { givenStore, HOUR, type OpenStores, trackPlan, write } from './given.ts'

const NOTHING = { lastReceivedAt: null, lastErrorAt: null, lastError: null }
const DAY = 24 * HOUR

export function sourcesSuite(open: OpenStores): void {
  describe('sources of connectors', () => {
    const given = givenStore(open)
    const sources = () => given.stores.sources

    const auditOf = (environmentId: number, verb: string): AuditEntry => ({
      at: 5,
      actor: 'api',
      who: 'sec_1',
      action: `source.${verb}`,
      environmentId,
      subject: 'src_1',
      detail: {},
    })
    function sourceOf(environmentId: number, changes: Partial<Source> = {}): Source {
      const id = given.id()
      return {
        id,
        environmentId,
        publicId: `src_${id}`,
        name: `Payments ${id}`,
        provider: 'stripe',
        isPaused: false,
        mappings: [{ providerEvent: '*', event: 'a.b', userIdPath: 'data.id', propertiesPath: '', traits: ['plan'] }],
        requireV3: false,
        allowUnsignedBatchTail: false,
        settings: null,
        createdAt: 1,
        updatedAt: 1,
        ...changes,
      }
    }
    function secretOf(source: Source): Secret {
      const id = given.id()
      const { environmentId } = source
      const times = { createdAt: 1, retiresAt: null, lastUsedAt: null }
      return {
        id,
        environmentId,
        kind: secretKindOf(source),
        hash: `${id}`,
        plain: null,
        sealed: `sealed ${id}`,
        ...times,
      }
    }
    async function add(environmentId: number, changes: Partial<Source> = {}) {
      const source = sourceOf(environmentId, changes)
      const secret = secretOf(source)
      expect(await sources().insert(source, secret, auditOf(environmentId, 'create'))).toBe('inserted')
      return { source: { ...source, revision: 1 }, secret }
    }
    const actionsOf = async (environmentId: number) =>
      (await given.stores.audit.list(environmentId, 10)).map(({ action }) => action)
    /** The deliveries with these numbers, each a millisecond after the former. */
    const deliveriesOf = (from: number, count: number, outcome: DeliveryOutcome = 'accepted'): SourceDelivery[] =>
      Array.from({ length: count }, (_, at) => {
        const number = from + at
        return { at: number, deliveryId: `d${number}`, type: 'payout.paid', outcome, eventId: number, reason: null }
      })
    const record = ({ environmentId, id }: Source, deliveries: SourceDelivery[], changes: object = {}) =>
      sources().record([{ environmentId, sourceId: id, ...NOTHING, counts: NO_COUNTS, deliveries, ...changes }])
    const listOf = async ({ environmentId, id }: Source) =>
      (await sources().listDeliveries(environmentId, id, 0)).map(({ number: _, ...delivery }) => delivery)
    const idsOf = async ({ environmentId, id }: Source, since = 0) =>
      (await sources().listDeliveries(environmentId, id, since)).map(({ deliveryId }) => deliveryId)

    test('a source is created with its secret, and found in its environment alone', async () => {
      const [mine, other] = [given.environmentId(), given.environmentId()]
      const { source, secret } = await add(mine)
      const second = await add(mine, {
        name: 'CRM',
        provider: 'hubspot',
        requireV3: true,
        isPaused: true,
        mappings: [],
      })
      await add(other)
      const stored = { ...source, ...NOTHING, counts: NO_COUNTS }
      expect(await sources().find(mine, source.publicId)).toEqual(stored)
      expect(await sources().find(other, source.publicId)).toBeUndefined()
      expect(await sources().findByPublicId(source.publicId)).toEqual(source)
      expect(await sources().findByPublicId('src_unknown')).toBeUndefined()
      expect(await sources().listOf(mine)).toEqual([{ ...second.source, ...NOTHING, counts: NO_COUNTS }, stored])
      const secrets = await given.stores.secrets.list(mine, secretKindOf(source))
      expect(secrets).toEqual([{ ...secret, settledAt: null }])
      expect((await given.stores.secrets.listOfSources(mine)).map(({ id }) => id)).toEqual([
        second.secret.id,
        secret.id,
      ])
      expect(await actionsOf(mine)).toEqual(['source.create', 'source.create'])
    })

    test('a change is written at the revision that was read: pause, mappings and checks', async () => {
      const [mine, other] = [given.environmentId(), given.environmentId()]
      const { source } = await add(mine)
      const mappings = [{ providerEvent: 'invoice.paid', event: null, userIdPath: null, propertiesPath: null }]
      const checks = { requireV3: true, allowUnsignedBatchTail: true }
      const changed = { ...source, name: 'Renamed', isPaused: true, mappings, ...checks, updatedAt: 9 }
      expect(await sources().save({ ...changed, environmentId: other }, auditOf(other, 'change'))).toBe('changed')
      expect(await sources().save(changed, auditOf(mine, 'pause'))).toBe('saved')
      expect(await sources().save({ ...changed, name: 'Late' }, auditOf(mine, 'change'))).toBe('changed')
      expect(await sources().find(mine, source.publicId)).toMatchObject({ ...changed, revision: 2 })
      expect(await actionsOf(mine)).toEqual(['source.pause', 'source.create'])
      expect(await actionsOf(other)).toEqual([])
    })

    test('an environment has a hundred sources at most, also of two callers at once', async () => {
      const environmentId = given.environmentId()
      for (let at = 0; at < MAX_SOURCES - 1; at++) await add(environmentId)
      const last = [sourceOf(environmentId), sourceOf(environmentId)]
      const results = await Promise.all(
        last.map((source) => sources().insert(source, secretOf(source), auditOf(environmentId, 'create'))),
      )
      expect(results.sort()).toEqual(['full', 'inserted'])
      expect(await sources().listOf(environmentId)).toHaveLength(MAX_SOURCES)
      expect(await given.stores.secrets.listOfSources(environmentId)).toHaveLength(MAX_SOURCES)
    })

    test('a name is of one source of an environment, also of two callers at once, however it is written', async () => {
      const [mine, other] = [given.environmentId(), given.environmentId()]
      const both = [sourceOf(mine, { name: 'Straße' }), sourceOf(mine, { name: ' STRASSE ' })]
      const results = await Promise.all(
        both.map((source) => sources().insert(source, secretOf(source), auditOf(mine, 'create'))),
      )
      expect(results.sort()).toEqual(['inserted', 'taken'])
      expect(await sources().listOf(mine)).toHaveLength(1)
      const { source: free } = await add(mine, { name: 'Shop' })
      await add(other, { name: 'Shop' })
      const change = (name: string, revision: number) =>
        sources().save({ ...free, name, revision }, auditOf(mine, 'change'))
      expect(await change('strasse', 1)).toBe('taken')
      expect(await change('SHOP', 1)).toBe('saved')
      expect(await actionsOf(mine)).toEqual(['source.change', 'source.create', 'source.create'])
    })

    test('a removed source leaves neither secret nor deliveries, and what is recorded later is dropped', async () => {
      const [mine, other] = [given.environmentId(), given.environmentId()]
      const [gone, kept] = [await add(mine), await add(mine)]
      for (const { source } of [gone, kept]) await record(source, deliveriesOf(1, 3))
      expect(await sources().remove(other, gone.source.id, 1, auditOf(other, 'delete'))).toBe(false)
      expect(await sources().remove(mine, gone.source.id, 2, auditOf(mine, 'delete'))).toBe(false)
      expect(await sources().remove(mine, gone.source.id, 1, auditOf(mine, 'delete'))).toBe(true)
      expect(await sources().remove(mine, gone.source.id, 1, auditOf(mine, 'delete'))).toBe(false)
      await record(gone.source, deliveriesOf(4, 1))
      expect(await idsOf(gone.source)).toEqual([])
      expect(await given.stores.secrets.list(mine, secretKindOf(gone.source))).toEqual([])
      expect(await idsOf(kept.source)).toEqual(['d3', 'd2', 'd1'])
      expect(await given.stores.secrets.list(mine, secretKindOf(kept.source))).toHaveLength(1)
      expect((await actionsOf(mine))[0]).toBe('source.delete')
    })

    test('counts add up, also of records at once, and a missing instant changes none', async () => {
      const environmentId = given.environmentId()
      const [first, second] = [await add(environmentId), await add(environmentId)]
      const counts = { accepted: 3, duplicates: 2, refused: 1, unreadable: 4, dropped: 5 }
      const one = (id: number) => ({
        environmentId,
        sourceId: id,
        ...NOTHING,
        counts,
        deliveries: [],
        lastReceivedAt: 10,
      })
      const both = [one(first.source.id), one(second.source.id)]
      await Promise.all([sources().record(both), sources().record([...both].reverse()), sources().record(both)])
      await record(first.source, [], { lastErrorAt: 11, lastError: 'No user.' })
      const tripled = { accepted: 9, duplicates: 6, refused: 3, unreadable: 12, dropped: 15 }
      expect(await sources().listOf(environmentId)).toMatchObject([
        { counts: tripled, lastReceivedAt: 10, lastErrorAt: null, lastError: null },
        { counts: tripled, lastReceivedAt: 10, lastErrorAt: 11, lastError: 'No user.' },
      ])
    })

    test('the last 200 deliveries are kept, newest first, each as it was', async () => {
      const environmentId = given.environmentId()
      const [{ source }, { source: quiet }] = [await add(environmentId), await add(environmentId)]
      const odd: SourceDelivery = {
        at: 1,
        deliveryId: null,
        type: null,
        outcome: 'refused',
        eventId: null,
        reason: 'No.',
      }
      await record(quiet, [odd])
      await record(source, deliveriesOf(1, 150))
      await record(source, deliveriesOf(151, 149, 'unreadable'))
      const listed = await listOf(source)
      expect(listed).toHaveLength(DELIVERIES_KEPT)
      expect(listed).toEqual([...deliveriesOf(100, 51), ...deliveriesOf(151, 149, 'unreadable')].reverse())
      expect(await idsOf(source, 298)).toEqual(['d299', 'd298'])
      expect(await listOf(quiet)).toEqual([odd])
    })

    test('a source has one run at a time, whose parts are recorded once', async () => {
      const environmentId = given.environmentId()
      const { source } = await add(environmentId)
      const { deliveryRuns, jobs } = given.stores
      const begin = async (outcome: DeliveryOutcome | null = null) => {
        const job = { id: given.id(), environmentId, kind: 'runs', payload: '{}', runAt: given.now(), createdAt: 1 }
        const times = { from: 1, to: 9, startedAt: given.now() }
        const { id: sourceId, mappings } = source
        const ids = { sourceId, environmentId, jobId: job.id, correlationId: 'c_1' }
        const run = { ...ids, ...times, outcome, mappings, deliveries: 3, pace: null }
        return { run, isBegun: await deliveryRuns.begin(run, job, auditOf(environmentId, 'run')) }
      }
      const read = async () => (await deliveryRuns.listOf(environmentId, [source.id, given.id()]))[0] as DeliveryRun
      const [first, second] = [await begin(), await begin()]
      expect([first.isBegun, second.isBegun]).toEqual([true, false])
      const atStart = { done: 0, accepted: 0, refused: 0, after: null, endedAt: null, stoppedAt: null }
      const begun = await read()
      expect(begun).toEqual({ ...first.run, ...atStart, state: 'running' })

      const part = { done: 2, accepted: 1, refused: 1, after: { at: 4, bodyId: 'b' }, endedAt: null }
      const recorded = await Promise.all([1, 2].map(() => deliveryRuns.advance(begun, part)))
      expect(recorded.sort()).toEqual([false, true])
      const advanced = await read()
      expect(advanced).toEqual({ ...begun, ...part })

      const claim = async () => (await jobs.claim(given.now(), 1000, 10, ['runs']))[0]
      const job = await claim()
      if (job === undefined) throw new Error('no job')
      await jobs.goOn(job, given.now())
      expect(await claim()).toMatchObject({ id: first.run.jobId, attempts: 1 })
      const dead = { environmentId, id: first.run.jobId, fence: job.fence + 2 }
      await jobs.fail(dead, { error: 'x', now: given.now(), retryAt: null, isCounted: true })
      expect((await read()).state).toBe('failed')
      expect((await begin('dropped')).isBegun).toBe(true)
      expect(await read()).toMatchObject({ ...atStart, outcome: 'dropped', state: 'running' })
      // The former run records nothing any more.
      expect(await deliveryRuns.advance(advanced, { ...part, endedAt: 5 })).toBe(false)
      expect(await deliveryRuns.advance(await read(), { ...part, endedAt: 5 })).toBe(true)
      expect((await read()).state).toBe('done')
      expect((await begin()).isBegun).toBe(true)
      const stop = () => deliveryRuns.stop(environmentId, source.id, 7, auditOf(environmentId, 'stop-run'))
      expect([await stop(), await stop()]).toEqual([true, false])
      expect(await read()).toMatchObject({ state: 'stopped', stoppedAt: 7 })
      expect((await begin()).isBegun).toBe(true)
      expect(await actionsOf(environmentId)).toEqual([
        'source.run',
        'source.stop-run',
        'source.run',
        'source.run',
        'source.run',
        'source.create',
      ])
      await sources().remove(environmentId, source.id, 1, auditOf(environmentId, 'delete'))
      expect(await deliveryRuns.listOf(environmentId, [source.id])).toEqual([])
    })

    test('a purge forgets what is older, and new deliveries follow', async () => {
      const { source } = await add(given.environmentId())
      await record(source, deliveriesOf(1, 5))
      await sources().purgeDeliveries(4)
      expect(await idsOf(source)).toEqual(['d5', 'd4'])
      await record(source, deliveriesOf(6, 1))
      expect(await idsOf(source)).toEqual(['d6', 'd5', 'd4'])
    })

    test('an id of a delivery is known for its time, at its source alone', async () => {
      const environmentId = given.environmentId()
      const [one, other] = [given.id(), given.id()]
      const deliver = (space: number | undefined, name = 'order.shipped') => {
        const plan = trackPlan(given, { environmentId })
        const key = { key: 'evt_1', bodyHash: '', expiresAt: given.now() + 7 * DAY }
        const idempotency = space === undefined ? key : { ...key, space: -space }
        const event = plan.event && { ...plan.event, name, source: 'connector:stripe' as const }
        return given.stores.commit.track({ ...plan, event, idempotency })
      }
      const outcomes = [
        await deliver(one),
        await deliver(one, 'other.name'),
        await deliver(other),
        await deliver(undefined),
      ]
      expect(outcomes.map(({ result }) => result)).toEqual(['written', 'duplicate', 'written', 'written'])
      given.advance(7 * DAY - 1)
      expect(await deliver(one)).toMatchObject({ result: 'duplicate' })
      given.advance(1)
      expect(await deliver(one)).toMatchObject({ result: 'written' })
      // Of many at once, one is written.
      const space = given.id()
      const same = await Promise.all(Array.from({ length: 8 }, () => deliver(space)))
      expect(same.map(({ result }) => result).sort()).toEqual([...Array(7).fill('duplicate'), 'written'])
    })

    test('an erasure finds the payloads of its user, and leaves those of others', async () => {
      const environmentId = given.environmentId()
      const payloadOf = async (userId: string, secret: string) => {
        const plan = trackPlan(given, { environmentId, userIds: [userId] })
        const properties = JSON.stringify({ card: secret })
        if (plan.event !== null) plan.event = { ...plan.event, properties, source: 'connector:stripe' }
        await write(given, plan)
        return plan.event?.id ?? 0
      }
      const gone = [await payloadOf('gone', '4242'), await payloadOf('gone', '4343')]
      const kept = await payloadOf('kept', '4444')
      await given.stores.users.erase(environmentId, 'gone', given.now())
      const events = (await given.stores.events.list(environmentId, {}, null, 10)).events
      expect(events.map(({ id, source }) => ({ id, source }))).toEqual([{ id: kept, source: 'connector:stripe' }])
      for (const id of gone) expect(await given.stores.events.find(environmentId, id)).toBeUndefined()
    })
  })
}
