// Chooses the texts of a step by the user's locale: for all channels by one rule.

import { z } from 'zod'
import { LOCALE_NAME } from '../../../contract/locale.ts'
import { fallbackTags, normalizeTag } from '../../domain/tenant/locale-tags.ts'

const MAX_LOCALES = 100

/** The field `locales` of a step: texts by locale. Null means no texts of that locale. */
export function locales<T extends z.ZodRawShape>(texts: T, description: string) {
  const one = z
    .strictObject(texts)
    .nullish()
    .overwrite((written) => written ?? ({} as NonNullable<typeof written>))
  return z
    .record(z.string().regex(LOCALE_NAME, 'This is no locale, such as fr or fr-CA.'), one)
    .refine((all) => Object.keys(all).length <= MAX_LOCALES, `At most ${MAX_LOCALES} locales.`)
    .meta({ maxProperties: MAX_LOCALES, description })
}

export interface Localized<T> {
  hasLocales: boolean
  /** All texts, those of the step first. */
  all: T[]
  /**
   * Lists the texts for a user's locale, the most exact first: its own (`zh-Hant-TW`), its prefixes and likely tags
   * (`zh-Hant`, `zh`), then the step's. The caller takes each part from the first that has it.
   */
  find(locale: string | null): T[]
}

/** Compiles the texts of a step. `compile` gets the tag of a locale as it is written, for the step's own null. */
export function compileLocalized<Texts extends object, T>(
  step: NoInfer<Texts> & { locales?: Record<string, Texts | null | undefined> | null | undefined },
  compile: (texts: NoInfer<Texts>, locale: string | null) => T,
): Localized<T> {
  const standard = compile(step, null)
  const known = new Map<string, T>()
  for (const [locale, texts] of Object.entries(step.locales ?? {})) {
    if (texts != null) known.set(normalizeTag(locale), compile(texts, locale))
  }
  return {
    hasLocales: known.size > 0,
    all: [standard, ...known.values()],
    find(locale) {
      if (locale === null || known.size === 0) return [standard]
      const found = fallbackTags(locale).flatMap((tag) => known.get(tag) ?? [])
      return [...found, standard]
    },
  }
}

/** Returns a part from the first texts that have it. */
export function firstPart<T, Part extends keyof T>(found: readonly T[], part: Part): T[Part] | null {
  return found.find((texts) => texts[part] !== null)?.[part] ?? null
}
