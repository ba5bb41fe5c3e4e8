// Describes the texts that campaigns of an environment share: translations by locale, and snippets of templates.

import { z } from 'zod'

const times = { createdAt: z.iso.datetime(), updatedAt: z.iso.datetime() }

/** Of one locale. */
export const MAX_MESSAGES = 5000

/** Messages, or objects of them whose keys are joined by dots. */
export const translationMessages = z.record(z.string(), z.unknown()).meta({
  id: 'TranslationMessages',
  maxProperties: MAX_MESSAGES,
  description: 'ICU messages by key. Those of nested objects have joined keys, such as `order.shipped`.',
  example: { 'order.shipped': '{count, plural, one {# order} other {# orders}} shipped' },
})

export const translation = z
  .object({ locale: z.string(), messages: z.record(z.string(), z.string()), ...times })
  .meta({ id: 'Translation' })

export const translationSummary = z
  .object({
    locale: z.string(),
    isDefault: z.boolean().meta({ description: 'Its messages stand in for missing ones.' }),
    keys: z.number().int(),
    missingCount: z.number().int().meta({ description: 'Keys of the default locale that it lacks.' }),
    missing: z.array(z.string()).meta({ description: 'The first 20 of them.' }),
    ...times,
  })
  .meta({ id: 'TranslationSummary' })

export const MAX_SNIPPET_CHARS = 32_768

export const snippetContent = z
  .object({
    source: z
      .string()
      .max(MAX_SNIPPET_CHARS, `A snippet has at most ${MAX_SNIPPET_CHARS} characters.`)
      .meta({ description: 'A template in Liquid.' }),
  })
  .meta({ id: 'SnippetContent' })

export const snippet = z.object({ name: z.string(), source: z.string(), ...times }).meta({ id: 'Snippet' })

export const snippetSummary = z
  .object({ name: z.string(), chars: z.number().int(), ...times })
  .meta({ id: 'SnippetSummary' })

export type Translation = z.output<typeof translation>
export type TranslationSummary = z.output<typeof translationSummary>
export type SnippetContent = z.output<typeof snippetContent>
export type Snippet = z.output<typeof snippet>
export type SnippetSummary = z.output<typeof snippetSummary>
