// Opens the texts of an environment: messages by locale and key, and sources of snippets by name, with the default locale.

import type { TextFile } from '../../domain/campaign-texts.ts'
import type { Core } from '../../domain/core.ts'
import { fallbackTags, normalizeTag } from '../../domain/tenant/locale-tags.ts'
import { groupBy } from '../../lib/group-by.ts'

/** Texts of an environment, with their names in maps: a name may be any word. */
export interface OpenTexts {
  /** By tag, such as `pt-BR`. */
  messages: ReadonlyMap<string, ReadonlyMap<string, string>>
  snippets: ReadonlyMap<string, string>
  files: readonly TextFile[]
  /** The locale whose messages stand in for missing ones; null without any. */
  defaultLocale: string | null
  /** By locale: the files of which one has its message, its own first, as `de` for `de-AT`. */
  standIns: ReadonlyMap<string, readonly ReadonlyMap<string, string>[]>
}

/** Reads the texts of an environment as they are now. */
export async function readTexts(
  deps: Pick<Core, 'textFiles' | 'environments' | 'organisations'>,
  environmentId: number,
): Promise<OpenTexts> {
  const files = await deps.textFiles.list(environmentId)
  const environment = await deps.environments.find(environmentId)
  const settings = environment && (await deps.organisations.findSettings(environment.organisationId))
  return openTexts(files, settings?.locale ?? null)
}

/** @param locale of the organisation: its messages stand in for missing ones, else those in English, else the first */
export function openTexts(files: readonly TextFile[], locale: string | null): OpenTexts {
  const snippets = new Map<string, string>()
  const messages = new Map<string, Map<string, string>>()
  for (const { section, name, content } of files) {
    if (section === 'snippets') snippets.set(name, JSON.parse(content) as string)
    else messages.set(name, new Map(Object.entries(JSON.parse(content) as Record<string, string>)))
  }
  const tags = new Map([...messages.keys()].map((tag) => [normalizeTag(tag), tag]))
  const wanted = [...fallbackTags(locale ?? ''), 'en'].find((tag) => tags.has(tag))
  const defaultLocale = (wanted && tags.get(wanted)) ?? [...messages.keys()][0] ?? null
  return { messages, snippets, files, defaultLocale, standIns: findStandIns(messages) }
}

/** Found once: reading a tag takes some microseconds, and each message of each locale is asked for. */
function findStandIns(messages: OpenTexts['messages']): OpenTexts['standIns'] {
  const byTag = groupBy(messages.keys(), normalizeTag)
  const ofTag = (tag: string) => (byTag.get(tag) ?? []).flatMap((locale) => messages.get(locale) ?? [])
  return new Map([...messages].map(([locale, own]) => [locale, [own, ...fallbackTags(locale).flatMap(ofTag)]]))
}

/** @returns whether the locale or one that stands for it has the message */
export function hasMessage({ standIns }: OpenTexts, locale: string, key: string): boolean {
  return standIns.get(locale)?.some((file) => file.has(key)) === true
}
