// Deletes an environment for people: what that means in numbers, and the deletion with its entry in the audit log.

import type { ChangedBy } from '../../domain/audit.ts'
import type { Bus } from '../../domain/bus.ts'
import type { Environment, EnvironmentContents, Environments } from '../../domain/environment.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'

export interface DeleteEnvironmentDeps {
  environments: Pick<Environments, 'countContents' | 'remove'>
  bus: Pick<Bus, 'publish'>
  clock: Clock
}

export type DeleteEnvironment = ReturnType<typeof createDeleteEnvironment>

export function createDeleteEnvironment({ environments, bus, clock }: DeleteEnvironmentDeps) {
  return {
    contents: ({ id }: Pick<Environment, 'id'>): Promise<EnvironmentContents> => environments.countContents(id),

    /**
     * Refuses its keys, sessions and sources at once; `createEraseEnvironments` removes its rows.
     * @param confirm The name of the environment, as a person has typed it.
     * @throws `request/invalid-query` for another name, `request/not-found`, and `request/conflict` for the last one of
     * its organisation
     */
    async delete(
      { id, organisationId, name }: Environment,
      confirm: string,
      by: ChangedBy,
    ): Promise<{ deleted: true }> {
      if (confirm.trim() !== name.trim()) {
        const message = 'Confirm with the name of the environment: nothing brings it back.'
        throw new ApiError('request/invalid-query', { message, details: [{ path: 'confirm', message }] })
      }
      // Without numbers: who deletes has read them just before, and counting a million rows again takes a while.
      const detail = { environment: formatId('environment', id) }
      const entry = { at: clock.now(), ...by, action: 'env.delete', environmentId: null, organisationId, detail }
      const removed = await environments.remove({ id, organisationId }, { ...entry, subject: name })
      if (removed === 'gone') throw new ApiError('request/not-found', { message: 'There is no such environment.' })
      if (removed === 'last') {
        throw new ApiError('request/conflict', {
          message: 'This is the last environment of its organisation, which keeps one. Create another one first.',
          reason: 'last-environment',
        })
      }
      bus.publish('environment-changed', { environmentId: id })
      bus.publish('campaigns-changed', { environmentId: id })
      return { deleted: true }
    },
  }
}
