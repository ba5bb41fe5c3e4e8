// Tests of both engines: translations and snippets of environments, and the texts of a campaign's version.

import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../domain/audit.ts'
import type { TextFile } from '../../domain/campaign-texts.ts'
import { givenStore, type OpenStores } from './given.ts'

export function textFileSuite(open: OpenStores): void {
  describe('texts', () => {
    const given = givenStore(open)
    const auditOf = (environmentId: number, verb: string): AuditEntry => ({
      ...{ at: 5, actor: 'api', who: 'sec_1', action: `translation.${verb}`, environmentId, subject: 'de', detail: {} },
    })
    const fileOf = (environmentId: number, of: Partial<TextFile> = {}): TextFile => ({
      ...{ environmentId, section: 'translations', name: 'de', content: '{"a":"\\u0000"}', createdAt: 1, updatedAt: 1 },
      ...of,
    })

    test('a file is added, then replaced except for its creation time, each with its audit entry', async () => {
      const environmentId = given.environmentId()
      const { textFiles } = given.stores
      expect(await textFiles.save(fileOf(environmentId), auditOf(environmentId, 'put'))).toEqual(fileOf(environmentId))
      const changes = { content: '{"a":"__proto__"}', createdAt: 9, updatedAt: 9 }
      const changed = await textFiles.save(fileOf(environmentId, changes), auditOf(environmentId, 'put'))
      expect(changed).toEqual(fileOf(environmentId, { ...changes, createdAt: 1 }))
      expect(await textFiles.find(environmentId, 'translations', 'de')).toEqual(changed)
      const actions = (await given.stores.audit.list(environmentId, 10)).map(({ action }) => action)
      expect(actions).toEqual(['translation.put', 'translation.put'])
    })

    test('each environment lists its own files, by section and name', async () => {
      const [mine, other] = [given.environmentId(), given.environmentId()]
      const { textFiles } = given.stores
      const names = [
        ['translations', 'fr'],
        ['translations', 'de'],
        ['snippets', 'de'],
      ] as const
      for (const [section, name] of names) await textFiles.save(fileOf(mine, { section, name }), auditOf(mine, 'put'))
      await textFiles.save(fileOf(other, { name: 'pl' }), auditOf(other, 'put'))
      const listed = (await textFiles.list(mine)).map(({ section, name }) => `${section} ${name}`)
      expect(listed).toEqual(['snippets de', 'translations de', 'translations fr'])
      expect(await textFiles.find(other, 'translations', 'de')).toBeUndefined()
    })

    test('a removed file is missing only in its environment and section; a repeated removal writes nothing', async () => {
      const [mine, other] = [given.environmentId(), given.environmentId()]
      const { textFiles } = given.stores
      for (const id of [mine, other]) await textFiles.save(fileOf(id), auditOf(id, 'put'))
      await textFiles.save(fileOf(mine, { section: 'snippets' }), auditOf(mine, 'put'))
      expect(await textFiles.remove(mine, 'translations', 'de', auditOf(mine, 'delete'))).toBe(true)
      expect(await textFiles.remove(mine, 'translations', 'de', auditOf(mine, 'delete'))).toBe(false)
      expect((await textFiles.list(mine)).map(({ section }) => section)).toEqual(['snippets'])
      expect(await textFiles.list(other)).toHaveLength(1)
      const actions = (await given.stores.audit.list(mine, 10)).map(({ action }) => action)
      expect(actions).toEqual(['translation.delete', 'translation.put', 'translation.put'])
    })
  })
}
