// Says in one sentence what an event started, and why not more.

import type { TrackedEventAnswer } from '../../../contract/resources/tracked-event.ts'
import { formatCount } from '../../lib/format.ts'

type Told = Pick<TrackedEventAnswer, 'outcome' | 'topic' | 'considered' | 'runs' | 'messageIds'>

/** Runs, and messages, that an answer lists. With so many there may be more. */
export const MOST_LISTED = 20
/** Campaigns that are named with their reasons. */
const MOST_NAMED = 3

const many = (count: number, one: string): string =>
  `${count < MOST_LISTED ? '' : 'at least '}${formatCount(count)} ${one}${count === 1 ? '' : 's'}`

/** Why a campaign that begins with the event started no run for it. */
const OUTCOMES: Readonly<Record<Exclude<Told['considered'][number]['outcome'], 'run'>, string>> = {
  paused: 'is paused',
  'condition-false': 'has a condition that was false',
  'condition-error': 'has a condition that failed',
  failed: 'could not begin',
}

export function whyOfEvent(event: Told): string {
  const why = event.outcome === 'no-user' ? '' : whyNotMore(event)
  return `${whatStarted(event)}${why === '' ? '' : ` ${why}`}`
}

function whatStarted({ outcome, topic, considered, runs, messageIds }: Told): string {
  if (outcome === 'no-user' && topic !== null) return 'It started nothing: its topic had no subscriber.'
  if (outcome === 'no-user') return 'It started nothing: it names no user, so nobody can get a message.'
  if (runs.length > 0) {
    const made = messageIds.length === 0 ? 'no message' : many(messageIds.length, 'message')
    return `It started ${many(runs.length, 'run')}, and ${made} came of it.`
  }
  // Of its recipients the event itself records nothing: jobs begin their runs.
  if (outcome === 'fanned-out') return 'It goes to many recipients; no run of theirs is there.'
  if (considered.length === 0) return 'It started nothing: no campaign begins with an event of this name.'
  if (considered.some((one) => one.outcome === 'run')) return 'Its runs are removed.'
  return 'It started nothing.'
}

function whyNotMore({ considered }: Told): string {
  const begun = new Set(considered.flatMap(({ campaignId, outcome }) => (outcome === 'run' ? [campaignId] : [])))
  const parts = considered.flatMap(({ campaignId, campaignKey, campaignName, outcome }) =>
    outcome === 'run'
      ? []
      : [`${campaignName ?? campaignKey} ${OUTCOMES[outcome]}${begun.has(campaignId) ? ' for some recipients' : ''}`],
  )
  if (parts.length === 0) return ''
  const named = parts.slice(0, MOST_NAMED)
  const more = parts.length - named.length
  const text = [named.slice(0, -1).join(', '), named.at(-1)].filter(Boolean).join(' and ')
  return `${text}.${more === 0 ? '' : ` The event has ${formatCount(more)} more such ${more === 1 ? 'reason' : 'reasons'}.`}`
}
