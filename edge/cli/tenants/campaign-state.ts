// Implements `nc campaign show|publish|pause|resume|archive` for one campaign by its key.

import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import { NC } from '../../lib/command-line.ts'
import { type Command, type Flag, type Input, type Outcome, UsageError } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { ENV, inEnvironment, type ListedRoutes } from '../targets.ts'

export const KEY: Flag = { value: 'key', meaning: 'The campaign, by its key or id (cmp_…).', required: true }
const YES: Flag = { meaning: 'Confirms it: an archived campaign does not come back.' }
const NOTE: Flag = { value: 'text', meaning: 'Why, for whoever reads the versions; at most 500 characters.' }
const DRAIN: Flag = { meaning: 'Lets the runs that wait finish; without it they are cancelled.' }

const SUMMARIES = {
  publish: 'Makes the draft the next version, which runs from here on.',
  pause: 'Lets a campaign begin no more runs until it is resumed.',
  resume: 'Lets a paused campaign begin runs again.',
  archive: 'Ends a campaign for good, with its waiting runs; its history and counters stay.',
} as const
type Verb = keyof typeof SUMMARIES

const MORE: Partial<Record<Verb, Record<string, Flag>>> = {
  publish: { note: NOTE },
  archive: { drain: DRAIN, yes: YES },
}

export const campaignStateCommands: Command[] = [
  {
    noun: 'campaign',
    verb: 'show',
    summary: 'Shows a campaign with its draft.',
    flags: { env: ENV, key: KEY },
    async run(input, context) {
      const { found } = await targetCampaign(input, context)
      return shown(found, [JSON.stringify(found.draft, null, 2)])
    },
  },
  ...(Object.keys(SUMMARIES) as Verb[]).map(
    (verb): Command => ({
      noun: 'campaign',
      verb,
      summary: SUMMARIES[verb],
      flags: { env: ENV, key: KEY, ...MORE[verb] },
      run: (input, context) => transit(verb, input, context),
    }),
  ),
]

async function transit(verb: Verb, input: Input, context: CommandContext): Promise<Outcome> {
  const { found, path, call } = await targetCampaign(input, context)
  if (verb === 'archive' && !input.has('yes')) {
    throw new UsageError('An archived campaign does not come back. Confirm with --yes.')
  }
  const note = verb === 'publish' ? input.find('note') : undefined
  const given = {
    ...(verb === 'archive' && { query: { drain: String(input.has('drain')) } }),
    ...(note !== undefined && { body: { note } }),
  }
  const changed = await call<CampaignAnswer>('post', `${path}/${verb}`, given)
  return shown(changed, [`${changed.key} is ${changed.status}.`, ...endedRequest(found, changed)])
}

/** @returns The line for a request that waited before, and waits no more. */
function endedRequest({ pendingPublish: before }: CampaignAnswer, { pendingPublish: after }: CampaignAnswer): string[] {
  if (before?.state !== 'waiting' || after !== undefined) return []
  return [`This ended the request of ${before.askedBy} to publish it.`]
}

/** A campaign, and its path below the environment. */
export interface TargetCampaign extends ListedRoutes {
  found: CampaignAnswer
  path: string
}

/** Throws when the environment has no such campaign. */
export async function targetCampaign(input: Input, context: CommandContext): Promise<TargetCampaign> {
  const routes = await inEnvironment(input, context)
  const text = input.text('key')
  const all = await routes.list<CampaignAnswer>('/campaigns')
  const found = all.find(({ key, id }) => key === text || id === text)
  if (found === undefined) {
    const words = `${NC} campaign list --env ${input.text('env')}`
    throw new Error(`There is no campaign "${text}" in this environment. See: ${words}`)
  }
  return { ...routes, found, path: `/campaigns/${found.id}` }
}

function shown(campaign: CampaignAnswer, lines: string[]): Outcome {
  const { id, key, name, status, currentVersion } = campaign
  const table = { columns: ['Id', 'Key', 'Status', 'Version', 'Name'], rows: [[id, key, status, currentVersion, name]] }
  return { data: campaign, lines: [...lines, ''], table }
}
