// Checks the conditions of mappings before they are saved or tried.

import type { SourceMapping } from '../../../contract/tenant.ts'
import { compileCondition } from '../../campaign/expression/condition.ts'
import { ApiError } from '../../lib/api-error.ts'

const NO_PROFILE = 'The condition of a mapping reads event and user.id alone.'

/** @throws ApiError `request/invalid-body` with the place of each fault */
export function checkConditions(mappings: readonly SourceMapping[] | undefined): void {
  const details = (mappings ?? []).flatMap(({ where }, at) => {
    if (where === undefined) return []
    const compiled = compileCondition(where, { knowsAwaited: false })
    const path = `mappings[${at}].where`
    if ('fault' in compiled) return [{ path, ...compiled.fault }]
    return compiled.condition.readsProfile ? [{ path, message: NO_PROFILE }] : []
  })
  if (details.length > 0) throw new ApiError('request/invalid-body', { details })
}
