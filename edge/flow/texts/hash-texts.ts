// Hashes the texts that a definition uses, to find later which of them have changed.

import type { CampaignTexts } from '../../domain/campaign-texts.ts'
import { languageTag } from '../../domain/tenant/locale-tags.ts'
import { hashByValue } from '../../lib/canonical-json.ts'

type TextHashes = Readonly<Record<string, string>>

/**
 * @returns Hashes by name: of each snippet, of the used messages of each locale, and of the locale that stands in for
 * others. Undefined for a definition that uses none.
 */
export function hashTexts(texts: CampaignTexts | undefined): TextHashes | undefined {
  if (texts === undefined) return undefined
  const { translations, fallback, snippets } = texts
  // A locale without any of these messages is as if it were not there.
  const files = Object.entries(translations).filter(([, file]) => Object.keys(file).length > 0)
  return Object.fromEntries([
    ...Object.entries(snippets).map(([name, source]) => [`snippet ${name}`, hashByValue(source)]),
    ...files.map(([tag, file]) => [`translations of ${languageTag(tag) ?? tag}`, hashByValue(file)]),
    ...(files.length === 0 ? [] : [['default locale', hashByValue(fallback)]]),
  ])
}

/** @returns the names of the texts that differ, with those that are new or gone */
export function changedTexts(former: TextHashes = {}, now: TextHashes = {}): string[] {
  const names = new Set([...Object.keys(former), ...Object.keys(now)])
  return [...names].filter((name) => former[name] !== now[name])
}
