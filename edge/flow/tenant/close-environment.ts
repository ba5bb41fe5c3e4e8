// Closes an environment and opens it again: its calls are answered 503, and its background work rests. Only the operator
// of the deployment does that, such as to move the environment (docs/operations.md#moving-one-environment).

import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { ClosedFor, Environment } from '../../domain/environment.ts'
import type { Revised } from '../../domain/tenant/revised.ts'
import { ApiError } from '../../lib/api-error.ts'
import { formatId } from '../../lib/id.ts'
import { changeStored } from './change-stored.ts'

type Stored = Revised<Environment>
type State = Required<Pick<Environment, 'closedAt' | 'closedFor' | 'movedTo'>> & Pick<Environment, 'movedAt'>

export type CloseEnvironment = ReturnType<typeof createCloseEnvironment>

export function createCloseEnvironment({ environments, bus, clock }: Pick<Core, 'environments' | 'bus' | 'clock'>) {
  async function change(
    id: number,
    by: ChangedBy,
    action: string,
    next: (former: Stored, now: number) => State,
  ): Promise<Stored> {
    const saved = await changeStored('environment', async () => {
      const former = await environments.find(id)
      if (former === undefined) throw new ApiError('request/not-found', { message: 'There is no such environment.' })
      const now = clock.now()
      const state = next(former, now)
      const { closedFor, movedTo } = state
      if (former.closedFor === closedFor && former.movedTo === movedTo) return former
      const entry: AuditEntry = { at: now, ...by, action, environmentId: id, subject: former.name, detail: {} }
      const detail = { closedFor, movedTo }
      const changed = { ...former, ...state }
      if ((await environments.update(changed, { ...entry, detail })) !== 'saved') return undefined
      return { ...changed, revision: former.revision + 1 }
    })
    bus.publish('environment-changed', { environmentId: id })
    return saved
  }

  return {
    /**
     * Closes it, or changes what its callers are told; the time of the first close stays.
     * @param movedTo The address of its new deployment; undefined keeps what was told.
     * @throws ApiError `request/not-found`, and `request/conflict` while an import of it is not complete
     */
    close(id: number, by: ChangedBy, closedFor: Exclude<ClosedFor, 'import'>, movedTo?: string): Promise<Stored> {
      return change(id, by, 'env.close', (former, now) => {
        refuseImport(former)
        return {
          closedAt: former.closedAt ?? now,
          // An export outlasts a later close: opened here, the environment may be served twice.
          closedFor: former.closedFor === 'exported' ? 'exported' : closedFor,
          movedTo: movedTo ?? former.movedTo ?? null,
          ...(closedFor === 'exported' && { movedAt: now }),
        }
      })
    },

    /**
     * Serves it again, with all that waited.
     * @param isSure Opens it although it was exported.
     * @throws ApiError `request/not-found`, and `request/conflict` for one that was exported, or imported in part
     */
    open(id: number, by: ChangedBy, isSure: boolean): Promise<Stored> {
      return change(id, by, 'env.open', (former) => {
        refuseImport(former)
        if (former.closedFor === 'exported' && !isSure) {
          throw new ApiError('request/conflict', {
            message: `${nameOf(former)} was exported. Open here and elsewhere, it would send twice.`,
          })
        }
        return { closedAt: null, closedFor: null, movedTo: null }
      })
    },
  }
}

function refuseImport(environment: Stored): void {
  if (environment.closedFor !== 'import') return
  throw new ApiError('request/conflict', {
    message: `The import of ${nameOf(environment)} is not complete. Repeat it, or delete the environment.`,
  })
}

const nameOf = ({ id, name }: Environment) => `${name} (${formatId('environment', id)})`
