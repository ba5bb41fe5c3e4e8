// Implements `nc campaign …`: list, export, import, and copy between environments with a readable difference.

import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import { isWanted } from '../../flow/campaigns/copy-campaigns.ts'
import { explainFull } from '../../lib/folder.ts'
import { type Command, type Flag, UsageError } from '../command.ts'
import { ENV, getOpenEnvironment, inEnvironment } from '../targets.ts'
import { parseFile, toOutcome } from './campaign-copy.ts'

const KEY: Flag = { value: 'key', meaning: 'Only this campaign.', many: true }
const APPLY: Flag = { meaning: 'Writes the drafts; without it only the difference is shown.' }
const PUBLISH: Flag = { meaning: 'Publishes what was changed, too.' }

export const campaignCommands: Command[] = [
  {
    noun: 'campaign',
    verb: 'list',
    summary: 'Lists the campaigns of an environment.',
    flags: { env: ENV },
    async run(input, context) {
      const data = await (await inEnvironment(input, context)).list<CampaignAnswer>('/campaigns')
      const rows = data.map((one) => [one.id, one.key, one.status, one.currentVersion, one.name])
      return { data, table: { columns: ['Id', 'Key', 'Status', 'Version', 'Name'], rows } }
    },
  },
  {
    noun: 'campaign',
    verb: 'export',
    summary: 'Writes the campaigns of an environment as JSON, for import.',
    flags: { env: ENV, key: KEY, to: { value: 'path', meaning: 'The file. Default: standard output.' } },
    async run(input, context) {
      const tools = await context.tools()
      const environment = await getOpenEnvironment(input, tools.stores)
      const data = { campaigns: await tools.copyCampaigns.read(environment, input.list('key')) }
      const text = JSON.stringify(data, null, 2)
      const file = input.find('to')
      if (file === undefined) return { data, lines: [text] }
      writeWhole(file, `${text}\n`)
      return {
        data,
        lines: [
          `Wrote ${data.campaigns.length === 1 ? '1 campaign' : `${data.campaigns.length} campaigns`} to ${file}.`,
        ],
      }
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
    async run(input, context) {
      const tools = await context.tools()
      const environment = await getOpenEnvironment(input, tools.stores)
      const portables = parseFile(input.text('from')).filter(isWanted(input.list('key')))
      const options = { apply: input.has('apply'), publish: input.has('publish') }
      return toOutcome(
        await tools.copyCampaigns.transfer(environment, portables, options, { by: context.by, role: null }),
      )
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
    async run(input, context) {
      const tools = await context.tools()
      const from = await getOpenEnvironment(input, tools.stores, 'from')
      const to = await getOpenEnvironment(input, tools.stores, 'to')
      if (from.id === to.id) throw new UsageError('--from and --to are the same environment.')
      const portables = await tools.copyCampaigns.read(from, input.list('key'))
      const options = { apply: input.has('apply'), publish: input.has('publish') }
      return toOutcome(await tools.copyCampaigns.transfer(to, portables, options, { by: context.by, role: null }))
    },
  },
]

/** Replaces the file only by a whole one: a full disk leaves the former export as it was. */
function writeWhole(file: string, text: string): void {
  // A device or a pipe cannot be replaced.
  const isReplaceable = statSync(file, { throwIfNoEntry: false })?.isFile() !== false
  const draft = isReplaceable ? `${file}.part` : file
  try {
    if (isReplaceable) rmSync(draft, { force: true })
    writeFileSync(draft, text, isReplaceable ? { mode: 0o600, flag: 'wx' } : {})
    if (isReplaceable) renameSync(draft, file)
  } catch (cause) {
    if (isReplaceable) rmSync(draft, { force: true })
    const explained = explainFull(cause, file)
    if (explained !== cause) throw explained
    throw new Error(`${file} cannot be written: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
