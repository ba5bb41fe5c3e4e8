// Implements `nc campaign diff`: the differences between two versions of a campaign, or a version and the draft.

import type { CampaignVersionAnswer } from '../../../contract/resources/campaign.ts'
import { byStep } from '../../flow/campaigns/by-step.ts'
import { differenceOf } from '../../lib/difference.ts'
import { type Command, UsageError } from '../command.ts'
import { ENV } from '../targets.ts'
import { KEY, type TargetCampaign, targetCampaign } from './campaign-state.ts'

const DRAFT = 'draft'

export const campaignDiffCommands: Command[] = [
  {
    noun: 'campaign',
    verb: 'diff',
    summary: 'Shows what differs between two versions, or a version and the draft; steps by their ids.',
    flags: {
      env: ENV,
      key: KEY,
      from: { value: 'version', meaning: 'A number, or draft. Default: the version that runs.' },
      to: { value: 'version', meaning: 'A number, or draft. Default: draft.' },
    },
    async run(input, context) {
      const target = await targetCampaign(input, context)
      const current = target.found.currentVersion
      const from = input.find('from') ?? (current === null ? DRAFT : String(current))
      const to = input.find('to') ?? DRAFT
      const [one, other] = [await read(target, from), await read(target, to)]
      const difference = differenceOf(byStep(one), byStep(other))
      const head = `${target.found.key}: ${nameOf(from)} → ${nameOf(to)}`
      const lines = difference.length === 0 ? ['No difference.'] : difference.map((line) => `  ${line}`)
      return { data: { key: target.found.key, from, to, difference }, lines: [head, ...lines] }
    },
  },
]

const nameOf = (version: string) => (version === DRAFT ? 'the draft' : `version ${version}`)

async function read({ found, path, call }: TargetCampaign, version: string): Promise<object> {
  if (version !== DRAFT && !/^[1-9]\d{0,8}$/.test(version)) {
    throw new UsageError(`"${version}" is neither a version nor "draft".`)
  }
  if (version === DRAFT) return found.draft
  return (await call<CampaignVersionAnswer>('get', `${path}/versions/${version}`)).definition
}
