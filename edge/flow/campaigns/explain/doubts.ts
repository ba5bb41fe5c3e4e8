// Lists what may make a run otherwise than explained: what is not published, not known, or not in the user's language.

import type { Remedy } from '../../../../contract/resources/campaign-explanation.ts'
import type { CompiledCampaign } from '../../../campaign/compiled.ts'
import { fallbackTags, normalizeTag } from '../../../domain/tenant/locale-tags.ts'
import type { KnownCampaign } from './read-known.ts'

interface ToldDoubt {
  kind: string
  message: string
  remedy?: Remedy
}

interface Told extends KnownCampaign {
  campaign: CompiledCampaign
  /** Whether the event was not about this user. */
  isOthers: boolean
}

export function listDoubts(of: Told): ToldDoubt[] {
  return [...ofCampaign(of), ...ofUser(of), ...ofLocales(of)]
}

function ofCampaign({ campaign, sends, isCategoryKnown }: Told): ToldDoubt[] {
  const { status } = campaign.campaign
  const doubts: ToldDoubt[] = []
  if (status === 'draft') {
    const message = 'The campaign is a draft: no event begins a run before it is published.'
    doubts.push({ kind: 'not-published', message, remedy: { kind: 'publish' } })
  }
  if (status === 'paused') {
    const message = `The campaign is paused: no event begins a run before it is resumed.`
    doubts.push({ kind: 'paused', message, remedy: { kind: 'resume' } })
  }
  if (status === 'archived')
    doubts.push({ kind: 'archived', message: 'The campaign is archived: no event begins a run.' })
  const { category } = sends
  if (category !== null && !isCategoryKnown) {
    const message = `The notification config has no category ${category}: it is named by its key, and has the usual channels.`
    doubts.push({ kind: 'unknown-category', message, remedy: { kind: 'category', category } })
  }
  return doubts
}

function ofUser({ sends: { userId }, isUserKnown, isOthers }: Told): ToldDoubt[] {
  const doubts: ToldDoubt[] = []
  if (!isUserKnown) {
    const message = `No user ${userId} is known: there is no profile, and so no address.`
    doubts.push({ kind: 'unknown-user', message, remedy: { kind: 'user', userId } })
  }
  if (isOthers) doubts.push({ kind: 'other-user', message: `The event was not about ${userId}.` })
  return doubts
}

/** A user without a locale gets the step's own texts. */
function ofLocales({ start, sends: { who, steps } }: Told): ToldDoubt[] {
  const { locale } = start.user
  if (locale === null) return []
  const tags = new Set(fallbackTags(locale))
  return [...steps.values()].flatMap(({ id, locales }) => {
    const written = Object.keys(typeof locales === 'object' && locales !== null ? locales : {})
    if (written.length === 0 || written.some((one) => tags.has(normalizeTag(one)))) return []
    const message = `Step ${id} has no texts in ${locale}: ${who} gets its own ones.`
    return [{ kind: 'no-locale', message, remedy: { kind: 'step', stepId: id } }]
  })
}
