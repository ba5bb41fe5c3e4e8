// Checks what the schema of a source cannot know, before it is saved or tried: conditions, and what is of its platform.

import type { ErrorDetail } from '../../../contract/errors.ts'
import { HMAC_ALONE, type SourceChange } from '../../../contract/resources/source.ts'
import type { SourceMapping } from '../../../contract/resources/source-mapping.ts'
import { compileCondition } from '../../campaign/expression/condition.ts'
import type { Source } from '../../domain/connector/source.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createTimeSlices } from '../../lib/time-slices.ts'

const NO_PROFILE = 'The condition of a mapping reads event and user.id alone.'

/** Checking one takes some milliseconds, so that other work runs in between. @throws ApiError `request/invalid-body` with the place of each fault */
export async function checkConditions(mappings: readonly SourceMapping[] | undefined): Promise<void> {
  const details: ErrorDetail[] = []
  const endSlice = createTimeSlices()
  for (const [at, { where }] of (mappings ?? []).entries()) {
    if (where === undefined) continue
    const compiled = compileCondition(where, { knowsAwaited: false })
    const path = `mappings[${at}].where`
    if ('fault' in compiled) details.push({ path, ...compiled.fault })
    else if (compiled.condition.readsProfile) details.push({ path, message: NO_PROFILE })
    await endSlice()
  }
  if (details.length > 0) throw new ApiError('request/invalid-body', { details })
}

/** @throws ApiError `request/invalid-body` for another platform, and for settings that its platform does not have */
export function checkPlatform(former: Pick<Source, 'provider'>, { provider, settings }: SourceChange): void {
  const isHmac = former.provider === 'hmac'
  const isSettingsFault = isHmac ? settings === null : settings != null
  const details = [
    ...(provider === undefined || provider === former.provider
      ? []
      : [{ path: 'provider', message: 'The platform of a source cannot change.' }]),
    ...(isSettingsFault ? [{ path: 'settings', message: isHmac ? 'This is missing.' : HMAC_ALONE }] : []),
  ]
  if (details.length > 0) throw new ApiError('request/invalid-body', { details })
}
