// Reads which texts publishing would change: a version keeps translations and snippets as they were, and its draft takes those of now.

import type { TextChange, TextChangesAnswer } from '../../../contract/resources/campaign-trial.ts'
import type { CampaignTexts } from '../../domain/campaign-texts.ts'
import { languageTag } from '../../domain/tenant/locale-tags.ts'
import type { ChosenTexts } from '../texts/choose-texts.ts'
import { chooseTried, type TriedDeps } from './compile-tried.ts'

/** Changes that are listed: of a file of translations, each message is one. */
const MOST_LISTED = 200

/**
 * @param definition In place of the stored draft
 * @throws `campaign/not-found`, and for a definition as saving it does
 */
export type ReadTextChanges = (
  environmentId: number,
  campaignId: string,
  definition?: object,
) => Promise<TextChangesAnswer>

export function createReadTextChanges(deps: TriedDeps): ReadTextChanges {
  return async (environmentId, campaignId, definition) => {
    const { campaign, chosen } = await chooseTried(deps, environmentId, campaignId, definition)
    const { id, currentVersion } = campaign
    if (currentVersion === null) return { changes: [], total: 0 }
    const version = await deps.campaigns.findVersion(environmentId, id, currentVersion)
    const changes = listTextChanges(version?.texts, chosen)
    return { changes: changes.slice(0, MOST_LISTED), total: changes.length }
  }
}

/**
 * @param before Texts of the published version; undefined: it uses none
 * @param now Those that the draft uses, as they are now
 * @returns what has become another text, what is used for the first time, and translations that are gone where the draft
 * uses them. What it uses no longer is a change of the draft, and so is the use of all translations.
 */
export function listTextChanges(
  before: CampaignTexts | undefined,
  { texts: now, keys }: Pick<ChosenTexts, 'texts' | 'keys'>,
): TextChange[] {
  if (now === undefined) return []
  const snippets = Object.entries(now.snippets).map(([name, after]) => {
    const former = ownOf(before?.snippets, name) ?? null
    return { kind: 'snippet', name, locale: null, before: former, after } as const
  })
  const { fallback } = now
  const defaultLocale =
    before?.fallback != null && fallback !== null
      ? [{ kind: 'default-locale', name: '', locale: null, before: before.fallback, after: fallback } as const]
      : []
  const all: TextChange[] = [...snippets, ...compareTranslations(before, now, keys), ...defaultLocale]
  return all.filter((one) => one.before !== one.after)
}

function compareTranslations(
  before: CampaignTexts | undefined,
  { translations }: CampaignTexts,
  used: ChosenTexts['keys'],
): TextChange[] {
  const tags = new Set([...Object.keys(translations), ...Object.keys(before?.translations ?? {})])
  return [...tags].flatMap((tag) => {
    const [former, now] = [ownOf(before?.translations, tag) ?? {}, ownOf(translations, tag) ?? {}]
    const names =
      used === undefined ? Object.keys(former) : Object.keys({ ...now, ...former }).filter((one) => used.has(one))
    return names.map((name) => {
      const [one, other] = [ownOf(former, name) ?? null, ownOf(now, name) ?? null]
      return { kind: 'translation', name, locale: languageTag(tag) ?? tag, before: one, after: other } as const
    })
  })
}

const ownOf = <T>(of: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  of !== undefined && Object.hasOwn(of, key) ? of[key] : undefined
