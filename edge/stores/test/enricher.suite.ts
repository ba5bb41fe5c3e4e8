// Tests of both engines: enrichers of environments, each change with its audit entry and its notice.

import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../domain/audit.ts'
import type { NewEnricher } from '../../domain/enricher.ts'
import { givenStore, type OpenStores } from './given.ts'

export function enricherSuite(open: OpenStores): void {
  describe('enrichers', () => {
    const given = givenStore(open)
    const auditOf = (environmentId: number, verb: string): AuditEntry => ({
      at: 5,
      actor: 'api',
      who: 'sec_1',
      action: `enricher.${verb}`,
      environmentId,
      subject: 'order',
      detail: {},
    })
    const enricherOf = (environmentId: number, name: string, settings: Partial<NewEnricher> = {}): NewEnricher => {
      const url = 'https://example.com/enrich'
      return { environmentId, name, url, timeoutMs: 5000, cacheSeconds: 0, createdAt: 1, updatedAt: 1, ...settings }
    }

    test('an enricher is added, then replaced except for its creation time', async () => {
      const environmentId = given.environmentId()
      const { enrichers } = given.stores
      const added = await enrichers.save(enricherOf(environmentId, 'order'), auditOf(environmentId, 'put'))
      const changes = { url: 'https://example.com/2', timeoutMs: 100, cacheSeconds: 60, createdAt: 9, updatedAt: 9 }
      const changed = await enrichers.save(enricherOf(environmentId, 'order', changes), auditOf(environmentId, 'put'))
      expect(changed).toEqual({ ...added, ...changes, createdAt: 1 })
      expect(await enrichers.find(environmentId, 'order')).toEqual(changed)
      const actions = (await given.stores.audit.list(environmentId, 10)).map(({ action }) => action)
      expect(actions).toEqual(['enricher.put', 'enricher.put'])
    })

    test('each environment lists its own enrichers, newest first and in pages', async () => {
      const [mine, other] = [given.environmentId(), given.environmentId()]
      const { enrichers } = given.stores
      for (const name of ['a', 'b', 'c']) await enrichers.save(enricherOf(mine, name), auditOf(mine, 'put'))
      await enrichers.save(enricherOf(other, 'a', { timeoutMs: 7000 }), auditOf(other, 'put'))
      const page = await enrichers.list(mine, null, 2)
      expect(page.map(({ name }) => name)).toEqual(['c', 'b'])
      const rest = await enrichers.list(mine, page[1]?.enricherNo ?? 0, 2)
      expect(rest.map(({ name }) => name)).toEqual(['a'])
      expect(await enrichers.find(other, 'b')).toBeUndefined()
      expect(await enrichers.find(other, 'a')).toMatchObject({ timeoutMs: 7000 })
    })

    test('a removed enricher is missing only in its environment; a repeated removal writes nothing', async () => {
      const [mine, other] = [given.environmentId(), given.environmentId()]
      const { enrichers, notices } = given.stores
      for (const id of [mine, other]) await enrichers.save(enricherOf(id, 'order'), auditOf(id, 'put'))
      const before = await notices.lastNumber()
      expect(await enrichers.remove(mine, 'order', auditOf(mine, 'delete'))).toBe(true)
      expect(await enrichers.remove(mine, 'order', auditOf(mine, 'delete'))).toBe(false)
      expect(await enrichers.find(mine, 'order')).toBeUndefined()
      expect(await enrichers.find(other, 'order')).toBeDefined()
      const written = (await notices.listAfter(before)).map(({ notice }) => notice)
      expect(written).toEqual([{ topic: 'enrichers-changed', payload: { environmentId: mine } }])
      expect(await given.stores.audit.list(mine, 10)).toHaveLength(2)
    })
  })
}
