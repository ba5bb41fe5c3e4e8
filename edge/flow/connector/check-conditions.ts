// Checks what the schema of a source cannot know, before it is saved or tried: conditions, and what is of its platform.

import { HMAC_ALONE, type SourceChange } from '../../../contract/resources/source.ts'
import type { SourceMapping } from '../../../contract/resources/source-mapping.ts'
import { compileCondition } from '../../campaign/expression/condition.ts'
import type { Source } from '../../domain/connector/source.ts'
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
