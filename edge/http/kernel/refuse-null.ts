// Refuses null where the documented body of a route has no null, for bodies that a handler validates itself.

import type { ZodType } from 'zod'
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { JsonObject } from '../../../contract/json.ts'
import { ApiError } from '../../lib/api-error.ts'
import { cutLists } from '../../lib/cut-lists.ts'
import { jsonPath, valueAt } from '../../lib/json-path.ts'

const MAX_DETAILS = 100

/** @throws ApiError `request/invalid-body`, with the path of each such null */
export function refuseNull(documented: ZodType, body: JsonObject): void {
  const { error } = documented.safeParse(cutLists(documented, body))
  if (error === undefined) return
  const details: ErrorDetail[] = error.issues
    .filter(({ path }) => path.length > 0 && valueAt(body, path) === null)
    .map(({ path }) => ({ path: jsonPath(path), message: 'This cannot be null.' }))
  if (details.length > 0) throw new ApiError('request/invalid-body', { details: details.slice(0, MAX_DETAILS) })
}
