// Normalises language tags, and lists their fallbacks.

/** @returns The tag in lower case with hyphens: `zh_Hant` is `zh-hant`. */
export function normalizeTag(locale: string): string {
  return locale.replaceAll('_', '-').toLowerCase()
}

/** @returns The tag and its prefixes, longest first: `zh-hant-tw`, `zh-hant`, `zh`. */
export function fallbackTags(locale: string): string[] {
  const parts = normalizeTag(locale).split('-')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('-')).filter((tag) => tag !== '')
}
