// Reads a campaign definition as customers write it (contract section 6): all faults at once, each with its path and position.

import type { ErrorDetail } from '../../contract/errors.ts'
import { ApiError } from '../lib/api-error.ts'
import type { CampaignDefinition } from './campaign.ts'
import { findSecondDigest } from './steps/digest.ts'
import { KEY_GRAMMAR, KEY_RULE, MAX_KEY_CHARS } from './steps/key.ts'
import { createReader, isRecord, type Reader } from './steps/reader.ts'
import { createParseSteps } from './steps/registry.ts'
import { findEventNameFault } from './tracking/event-name.ts'

const MAX_NAME_CHARS = 200
const DEFAULT_MAX_LATENESS = 'PT24H'
const SECOND_DIGEST = 'A run passes one digest at most, and another stands before this one.'

/** The definition with its defaults, unknown fields left out. Throws `campaign/invalid-definition` with `details`. */
export function parseDefinition(input: unknown): CampaignDefinition {
  if (!isRecord(input)) {
    throw new ApiError('campaign/invalid-definition', {
      details: [{ path: '', message: 'A definition is a JSON object.' }],
    })
  }
  const faults: ErrorDetail[] = []
  const reader = createReader(input, '', faults)
  const definition = readDefinition(reader)
  // Paths are those of the input only while no step was left out.
  const second = faults.length > 0 ? undefined : findSecondDigest(definition.steps)
  if (second !== undefined) faults.push({ path: `${second}.type`, message: SECOND_DIGEST })
  if (faults.length > 0) throw new ApiError('campaign/invalid-definition', { details: faults })
  return definition
}

function readDefinition(reader: Reader): CampaignDefinition {
  const key = reader.text('key', MAX_KEY_CHARS) ?? ''
  if (key !== '' && !KEY_GRAMMAR.test(key)) reader.fault('key', KEY_RULE)
  return {
    key,
    name: reader.optionalText('name', MAX_NAME_CHARS) ?? key,
    category: reader.optionalText('category', MAX_KEY_CHARS) ?? null,
    notificationConfigId: reader.optionalText('notificationConfigId', MAX_KEY_CHARS) ?? null,
    maxLateness: reader.duration('maxLateness') ?? DEFAULT_MAX_LATENESS,
    trigger: readTrigger(reader),
    steps: readSteps(reader),
  }
}

function readTrigger(reader: Reader): CampaignDefinition['trigger'] {
  if (!reader.has('trigger')) reader.fault('trigger', 'This is missing.')
  const trigger = reader.object('trigger')
  if (trigger === undefined) return { event: '' }
  const event = trigger.raw('event')
  const fault = findEventNameFault(event)
  if (fault !== undefined) {
    const message = fault.reason === 'missing' ? 'This is missing.' : `This is no event name: ${fault.reason}.`
    trigger.fault('event', message, fault.position)
  }
  const where = trigger.condition('where', false)
  return { event: typeof event === 'string' ? event : '', ...(where === undefined ? {} : { where }) }
}

function readSteps(reader: Reader): CampaignDefinition['steps'] {
  const list = reader.raw('steps')
  if (list === undefined) reader.fault('steps', 'This is missing.')
  if (Array.isArray(list) && list.length === 0) reader.fault('steps', 'A campaign needs at least one step.')
  return createParseSteps()(reader, 'steps')
}
