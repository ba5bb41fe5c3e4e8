// Deletes an environment for people: what that means in numbers, and the deletion with its entry in the audit log.

import type { EnvironmentContents } from '../../../contract/resources/environment.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import type { TakesRevision } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import { formatId } from '../../lib/id.ts'
import { changeStored } from './change-stored.ts'
import { requireRevision } from './require-revision.ts'

export type DeleteEnvironment = ReturnType<typeof createDeleteEnvironment>

export function createDeleteEnvironment({
  environments,
  audit,
  bus,
  clock,
}: Pick<Core, 'environments' | 'audit' | 'bus' | 'clock'>) {
  /** @returns Undefined when the environment was changed meanwhile. */
  async function deleteOnce(id: number, confirm: string, by: ChangedBy, takes?: TakesRevision) {
    const stored = await environments.find(id)
    if (stored === undefined) throw new ApiError('request/not-found', { message: 'There is no such environment.' })
    await requireRevision(audit, takes, stored, { noun: 'environment', environmentId: id, action: 'env' })
    const { name, organisationId } = stored
    if (confirm.trim() !== name.trim()) {
      const message = 'Confirm with the name of the environment: nothing brings it back.'
      throw new ApiError('request/invalid-query', { message, details: [{ path: 'confirm', message }] })
    }
    const detail = { environment: formatId('environment', id), ...(await environments.countContents(id)) }
    const entry = { at: clock.now(), ...by, action: 'env.delete', environmentId: null, organisationId, detail }
    const removed = await environments.remove(stored, { ...entry, subject: name })
    if (removed === 'last') {
      throw new ApiError('request/conflict', {
        message: 'This is the last environment of its organisation, which keeps one. Create another one first.',
        reason: 'last-environment',
      })
    }
    return removed === 'changed' ? undefined : { deleted: true as const }
  }

  return {
    contents: ({ id }: Pick<Environment, 'id'>): Promise<EnvironmentContents> => environments.countContents(id),

    /**
     * Refuses its keys, sessions and sources at once; `createEraseEnvironments` removes its rows.
     * @param confirm The name of the environment, as a person has typed it.
     * @throws `request/invalid-query` for another name, `request/not-found`, and `request/conflict` for the last one of
     * its organisation, or where `takes` does not take the stored revision
     */
    async delete(
      { id }: Pick<Environment, 'id'>,
      confirm: string,
      by: ChangedBy,
      takes?: TakesRevision,
    ): Promise<{ deleted: true }> {
      const deleted = await changeStored('environment', () => deleteOnce(id, confirm, by, takes))
      bus.publish('environment-changed', { environmentId: id })
      bus.publish('campaigns-changed', { environmentId: id })
      return deleted
    },
  }
}
