// Tests of both engines: old values of secrets that end soon are claimed once, with the admins to tell.

import { describe, expect, test } from 'vitest'
import type { Secret } from '../../domain/secret.ts'
import { givenStore, HOUR, type OpenStores } from './given.ts'
import { givenPeople } from './given-people.ts'
import { ENVIRONMENT } from './tenants.suite.ts'

export function endingSecretsSuite(open: OpenStores): void {
  describe('old values of secrets', () => {
    const given = givenStore(open)
    const make = givenPeople(given)

    test('that end soon are claimed by one caller, once', async () => {
      const { endingSecrets, environments, secrets } = given.stores
      const organisationId = await make.organisation()
      const environmentId = given.id()
      await environments.create({ ...ENVIRONMENT, id: environmentId, organisationId }, [])
      const now = given.now()
      const create = async (endsInMs: number | null, kind: Secret['kind'] = 'sdkSecretKey') => {
        const id = given.id()
        const values = { hash: `hash ${id}`, plain: null, sealed: null, createdAt: now, lastUsedAt: 7 }
        await secrets.create({
          id,
          environmentId,
          kind,
          ...values,
          retiresAt: endsInMs === null ? null : now + endsInMs,
        })
        return id
      }
      await create(null)
      await create(0)
      await create(6 * HOUR + 1)
      const [last, first] = [await create(6 * HOUR), await create(1, 'verificationSecret:src_1')]
      const until = now + 6 * HOUR
      expect(await endingSecrets.count(now, until)).toBe(2)
      const claims = await Promise.all([endingSecrets.claim(now, until, 10), endingSecrets.claim(now, until, 10)])
      const claimed = claims.flat().sort((one, other) => one.retiresAt - other.retiresAt)
      const facts = { environmentId, environmentName: 'dev', organisationId, lastUsedAt: 7 }
      expect(claimed).toEqual([
        { id: first, kind: 'verificationSecret:src_1', retiresAt: now + 1, ...facts },
        { id: last, kind: 'sdkSecretKey', retiresAt: until, ...facts },
      ])
      expect(await endingSecrets.claim(now, until, 10)).toEqual([])
      expect(await endingSecrets.count(now, until)).toBe(2)
    })

    test('are told to admins and owners of their organisations alone', async () => {
      const [first, second] = [await make.organisation(), await make.organisation()]
      const admin = await make.member(first, 'admin')
      const owner = await make.member(second, 'owner')
      for (const role of ['viewer', 'editor'] as const) await make.member(first, role)
      const { endingSecrets } = given.stores
      const admins = await endingSecrets.listAdmins([first, second])
      expect(admins).toEqual([
        { organisationId: first, email: admin.email, locale: null },
        { organisationId: second, email: owner.email, locale: null },
      ])
      expect(await endingSecrets.listAdmins([second])).toHaveLength(1)
      expect(await endingSecrets.listAdmins([])).toEqual([])
    })
  })
}
