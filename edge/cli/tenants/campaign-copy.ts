// Reads a file of exported campaigns, and formats the result of a copy.

import type { CopiedCampaigns } from '../../../contract/resources/campaign-copy.ts'
import { parseDefinition } from '../../campaign/definition.ts'
import type { StoredDefinition } from '../../domain/campaign.ts'
import type { Portable } from '../../flow/campaigns/copy-campaigns.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Outcome } from '../command.ts'
import { readJson } from '../read-json.ts'

/** Every definition is checked before the first one is written. Throws `campaign/invalid-definition`. */
export function parseFile(path: string): Portable[] {
  const content: unknown = readJson(path)
  const campaigns = typeof content === 'object' && content !== null && 'campaigns' in content ? content.campaigns : null
  if (!Array.isArray(campaigns)) throw new Error(`${path} is no export: it has no list "campaigns".`)
  return campaigns.map((one: unknown, at) => {
    const given = typeof one === 'object' && one !== null && 'definition' in one ? one.definition : undefined
    const definition = parseAt(`campaigns[${at}].definition`, given)
    const config =
      typeof one === 'object' && one !== null && 'notificationConfig' in one ? one.notificationConfig : null
    const notificationConfig = typeof config === 'string' ? config : null
    return { key: definition.key, status: '', definition, notificationConfig }
  })
}

/** Errors have their path in the file. */
function parseAt(place: string, given: unknown): StoredDefinition {
  try {
    return parseDefinition(given)
  } catch (error) {
    if (!(error instanceof ApiError) || error.extra.details === undefined) throw error
    const details = error.extra.details.map((fault) => ({
      ...fault,
      path: [place, fault.path].filter(Boolean).join('.'),
    }))
    throw new ApiError(error.code, { ...error.extra, details }, { cause: error })
  }
}

export function toOutcome(result: CopiedCampaigns): Outcome {
  const { applied, changes } = result
  const lines = changes.flatMap(({ key, action, difference, missing, endsRequestOf, tooLong }) => [
    `${key}: ${action}`,
    ...difference.map((line) => `  ${line}`),
    ...missing.map((line) => `  Missing there: ${line}`),
    ...(endsRequestOf === undefined ? [] : [`  Ends the request of ${endsRequestOf} to publish it.`]),
    ...(tooLong === undefined ? [] : [`  Too long there: ${tooLong}`]),
  ])
  const differs = changes.some(({ action }) => action !== 'same' && action !== 'archived')
  const last = applied ? 'Written.' : 'Nothing was written. Call it again with --apply.'
  return { data: { applied, changes }, lines: [...lines, ...(differs ? [last] : ['No difference.'])] }
}
