// `nc campaign …`: list, export, import, and copy between environments with a readable difference (contract section 6).

import { readFileSync, writeFileSync } from 'node:fs'
import type { CampaignDefinition } from '../../domain/campaign.ts'
import { parseDefinition } from '../../domain/campaign-definition.ts'
import type { CampaignAnswer } from '../../flow/change-campaign.ts'
import { type Command, type Flag, type Outcome, UsageError } from '../command.ts'
import { differenceOf } from '../print.ts'
import { ENV, getEnvironment } from '../targets.ts'
import type { Tools, Workplace } from '../workplace.ts'

const KEY: Flag = { value: 'key', meaning: 'Only this campaign.', many: true }
const APPLY: Flag = { meaning: 'Writes the drafts; without it only the difference is shown.' }
const PUBLISH: Flag = { meaning: 'Publishes what was changed, too.' }
const PAGE = 100

/** A campaign as it travels: what is published, or the draft of one that never was. */
interface Portable {
  key: string
  status: string
  definition: CampaignDefinition
}

interface Change {
  key: string
  action: 'create' | 'change' | 'same' | 'archived'
  difference: string[]
}

export const campaignCommands: Command[] = [
  {
    noun: 'campaign',
    verb: 'list',
    summary: 'Lists the campaigns of an environment.',
    flags: { env: ENV },
    async run(input, place) {
      const tools = await place.tools()
      const data = await listAll(tools, (await getEnvironment(input, tools.stores)).id)
      const rows = data.map((one) => [one.id, one.key, one.status, one.currentVersion, one.name])
      return { data, table: { columns: ['Id', 'Key', 'Status', 'Version', 'Name'], rows } }
    },
  },
  {
    noun: 'campaign',
    verb: 'export',
    summary: 'Writes the campaigns of an environment as JSON, for import.',
    flags: { env: ENV, key: KEY, to: { value: 'path', meaning: 'The file. Default: standard output.' } },
    async run(input, place) {
      const tools = await place.tools()
      const { id } = await getEnvironment(input, tools.stores)
      const data = { campaigns: await readPortable(tools, id, input.list('key')) }
      const text = JSON.stringify(data, null, 2)
      const file = input.find('to')
      if (file === undefined) return { data, lines: [text] }
      writeFileSync(file, `${text}\n`)
      return { data, lines: [`Wrote ${data.campaigns.length} campaigns to ${file}.`] }
    },
  },
  {
    noun: 'campaign',
    verb: 'import',
    summary: 'Compares exported campaigns with an environment, and takes them over with --apply.',
    flags: {
      env: ENV,
      key: KEY,
      from: { value: 'path', meaning: 'The exported file.', required: true },
      apply: APPLY,
      publish: PUBLISH,
    },
    async run(input, place) {
      const tools = await place.tools()
      const { id } = await getEnvironment(input, tools.stores)
      const portables = parseFile(input.text('from')).filter(isWanted(input.list('key')))
      return takeOver(place, id, portables, { apply: input.has('apply'), publish: input.has('publish') })
    },
  },
  {
    noun: 'campaign',
    verb: 'copy',
    summary: 'Compares the campaigns of two environments, and takes over those of --from with --apply.',
    flags: {
      from: { value: 'env_…', meaning: 'The environment that has them.', required: true },
      to: { value: 'env_…', meaning: 'The environment that gets them.', required: true },
      key: KEY,
      apply: APPLY,
      publish: PUBLISH,
    },
    async run(input, place) {
      const tools = await place.tools()
      const from = await getEnvironment(input, tools.stores, 'from')
      const to = await getEnvironment(input, tools.stores, 'to')
      if (from.id === to.id) throw new UsageError('--from and --to are the same environment.')
      const portables = await readPortable(tools, from.id, input.list('key'))
      return takeOver(place, to.id, portables, { apply: input.has('apply'), publish: input.has('publish') })
    },
  },
]

/** Every campaign of an environment, newest first. */
export async function listAll({ changeCampaign }: Tools, environmentId: number): Promise<CampaignAnswer[]> {
  const all: CampaignAnswer[] = []
  let cursor: string | undefined
  do {
    const { data, nextCursor } = await changeCampaign.list(environmentId, { limit: PAGE, cursor })
    all.push(...data)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
  return all
}

const isWanted =
  (keys: string[]) =>
  ({ key }: { key: string }) =>
    keys.length === 0 || keys.includes(key)

async function readPortable(tools: Tools, environmentId: number, keys: string[]): Promise<Portable[]> {
  const campaigns = (await listAll(tools, environmentId)).filter(({ status }) => status !== 'archived')
  const unknown = keys.find((key) => !campaigns.some((campaign) => campaign.key === key))
  if (unknown !== undefined) throw new Error(`There is no campaign "${unknown}".`)
  const wanted = campaigns.filter(isWanted(keys)).reverse()
  return Promise.all(
    wanted.map(async ({ key, status, id, currentVersion, draft }) => {
      if (currentVersion === null) return { key, status, definition: draft }
      const { definition } = await tools.changeCampaign.getVersion(environmentId, id, currentVersion)
      return { key, status, definition }
    }),
  )
}

/** Every definition is checked before the first one is written. Throws `campaign/invalid-definition`. */
function parseFile(path: string): Portable[] {
  const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
  const campaigns = typeof content === 'object' && content !== null && 'campaigns' in content ? content.campaigns : null
  if (!Array.isArray(campaigns)) throw new Error(`${path} is no export: it has no list "campaigns".`)
  return campaigns.map((one: unknown) => {
    const given = typeof one === 'object' && one !== null && 'definition' in one ? one.definition : undefined
    const definition = parseDefinition(given)
    return { key: definition.key, status: '', definition }
  })
}

async function takeOver(
  place: Workplace,
  environmentId: number,
  portables: Portable[],
  wish: { apply: boolean; publish: boolean },
): Promise<Outcome> {
  const tools = await place.tools()
  const there = new Map((await listAll(tools, environmentId)).map((campaign) => [campaign.key, campaign]))
  const changes: Change[] = []
  for (const { key, definition } of portables) {
    const standing = there.get(key)
    const change = compare(key, definition, standing)
    changes.push(change)
    if (!wish.apply || change.action === 'archived') continue
    await write(place, environmentId, standing, definition, change, wish.publish)
  }
  const lines = changes.flatMap(({ key, action, difference }) => [
    `${key}: ${action}`,
    ...difference.map((line) => `  ${line}`),
  ])
  const differs = changes.some(({ action }) => action === 'create' || action === 'change')
  const last = wish.apply ? 'Written.' : 'Nothing was written. Call it again with --apply.'
  return { data: { applied: wish.apply, changes }, lines: [...lines, ...(differs ? [last] : ['No difference.'])] }
}

function compare(key: string, definition: CampaignDefinition, standing: CampaignAnswer | undefined): Change {
  if (standing === undefined) return { key, action: 'create', difference: [] }
  if (standing.status === 'archived') return { key, action: 'archived', difference: [] }
  const difference = differenceOf(standing.draft, definition)
  return { key, action: difference.length === 0 ? 'same' : 'change', difference }
}

async function write(
  place: Workplace,
  environmentId: number,
  standing: CampaignAnswer | undefined,
  definition: CampaignDefinition,
  { key, action }: Change,
  publish: boolean,
): Promise<void> {
  const { changeCampaign, stores, clock } = await place.tools()
  const isDraftOnly = standing === undefined || standing.currentVersion === null
  if (action === 'same' && !(publish && isDraftOnly)) return
  const { id } =
    standing === undefined
      ? await changeCampaign.create(environmentId, definition)
      : await changeCampaign.putDraft(environmentId, standing.id, definition)
  if (publish) await changeCampaign.publish(environmentId, id)
  const entry = { at: clock.now(), ...place.by, action: `campaign.${action}`, environmentId, subject: key }
  await stores.audit.record({ ...entry, detail: { published: publish } })
}
