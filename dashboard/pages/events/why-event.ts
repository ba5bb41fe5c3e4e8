// Says in one sentence what an event started, and why not more.

import type { TrackedEventAnswer } from '../../../contract/resources/tracked-event.ts'
import { formatCount } from '../../lib/format.ts'

const many = (count: number, one: string): string => `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`

/** Why a campaign that begins with the event started no run for it. */
const OUTCOMES: Readonly<Record<Exclude<TrackedEventAnswer['considered'][number]['outcome'], 'run'>, string>> = {
  paused: 'is paused',
  'condition-false': 'has a condition that was false',
  'condition-error': 'has a condition that failed',
  failed: 'could not begin',
}

export function whyOfEvent({
  outcome,
  considered,
  runs,
  messageIds,
}: Pick<TrackedEventAnswer, 'outcome' | 'considered' | 'runs' | 'messageIds'>): string {
  if (outcome === 'no-user') return 'It started nothing: it names no user, so nobody can get a message.'
  if (considered.length === 0) return 'It started nothing: no campaign begins with an event of this name.'
  const others = considered.flatMap(({ campaignKey, outcome: one }) =>
    one === 'run' ? [] : [`${campaignKey} ${OUTCOMES[one]}`],
  )
  const why = others.length === 0 ? '' : ` ${sentenceOf(others)}`
  if (runs.length === 0)
    return outcome === 'fanned-out' ? `It goes to the subscribers of its topic.${why}` : `It started nothing.${why}`
  const made = messageIds.length === 0 ? 'no message came of it' : `${many(messageIds.length, 'message')} came of it`
  return `It started ${many(runs.length, 'run')}, and ${made}.${why}`
}

function sentenceOf(parts: readonly string[]): string {
  const [last] = parts.slice(-1)
  const text = parts.length === 1 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
  return `${text}.`
}
