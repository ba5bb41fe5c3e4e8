// Implements `nc campaign preview|dry-run`: runs a draft with the code that sends, and writes nothing.

import type { Environment } from '../../domain/environment.ts'
import type { TriedEvent, TriedUser } from '../../flow/campaigns/try-campaign.ts'
import { findInstant } from '../../lib/instant.ts'
import { type Command, type Flag, type Input, UsageError } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { readJson } from '../read-json.ts'
import { ENV } from '../targets.ts'
import { KEY, targetCampaign } from './campaign-state.ts'

const WITH: Flag = {
  value: 'path',
  meaning: 'A JSON file: { event: { properties, … }, user: { … } }, as the API takes it.',
}
const USER: Flag = {
  value: 'userId',
  meaning: 'A user whose profile counts; what the file says of the user goes before.',
}

export const campaignTrialCommands: Command[] = [
  {
    noun: 'campaign',
    verb: 'preview',
    summary: 'Shows the message of a step of the draft, rendered by the code that sends.',
    flags: {
      env: ENV,
      key: KEY,
      step: { value: 'id', meaning: 'The step, an inbox or email one.', required: true },
      user: USER,
      with: WITH,
    },
    async run(input, context) {
      const { environment, campaignId, tryCampaign, sample } = await target(input, context)
      const data = await tryCampaign.preview(environment, campaignId, { ...sample, stepId: input.text('step') })
      return { data, lines: [JSON.stringify(data, null, 2)] }
    },
  },
  {
    noun: 'campaign',
    verb: 'dry-run',
    summary: 'Reports whether an event would begin a run of the draft, and which steps it would take.',
    flags: { env: ENV, key: KEY, user: USER, with: WITH },
    async run(input, context) {
      const { environment, campaignId, tryCampaign, sample } = await target(input, context)
      const data = await tryCampaign.dryRun(environment, campaignId, sample)
      const rows = data.steps.map(({ stepId, type, outcome, reason }) => [stepId, type, outcome, reason])
      const lines = data.matched ? ['A run begins.', ''] : [`No run begins: ${data.reason}.`]
      return data.matched
        ? { data, lines, table: { columns: ['Step', 'Type', 'Outcome', 'Why'], rows } }
        : { data, lines }
    },
  },
]

interface Sample {
  event?: TriedEvent
  user?: TriedUser
  enriched?: object
}

async function target(input: Input, context: CommandContext) {
  const { found, environment, tryCampaign, stores } = await targetCampaign(input, context)
  const sample = readSample(input.find('with'))
  const userId = input.find('user')
  if (userId !== undefined) {
    const known = await stores.users.find(environment.id, userId)
    if (known === undefined) throw new Error(`There is no user ${userId} in this environment.`)
    sample.user = { id: userId, ...sample.user }
  }
  return { environment: environment satisfies Environment, campaignId: found.id, tryCampaign, sample }
}

/** @throws UsageError with the path of a wrong value. */
function readSample(path: string | undefined): Sample {
  if (path === undefined) return {}
  const given = readJson(path)
  const wrong = (place: string, want: string) => new UsageError(`${path}: ${place} must be ${want}.`)
  if (!isObject(given)) throw wrong('it', 'an object')
  for (const part of ['event', 'user', 'enriched'] as const) {
    if (given[part] !== undefined && !isObject(given[part])) throw wrong(part, 'an object')
  }
  const { event = {}, user = {}, enriched } = given as Record<'event' | 'user', Record<string, unknown>> & Sample
  for (const [place, value] of [
    ['event.properties', event.properties],
    ['user.attributes', user.attributes],
  ] as const) {
    if (value !== undefined && !isObject(value)) throw wrong(place, 'an object')
  }
  for (const [place, value] of [
    ['event.name', event.name],
    ['event.userId', event.userId],
    ['user.id', user.id],
  ] as const) {
    if (value !== undefined && typeof value !== 'string') throw wrong(place, 'a text')
  }
  const occurredAt = findInstant(event.occurredAt)
  if (event.occurredAt !== undefined && occurredAt === undefined)
    throw wrong('event.occurredAt', 'a time with its offset')
  return {
    event: { ...event, ...(occurredAt !== undefined && { occurredAt }) },
    user,
    ...(enriched !== undefined && { enriched }),
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
