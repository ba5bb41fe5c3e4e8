// Says what a locale is.

/** What word processors and keyboards write in place of a hyphen. */
const HYPHENS = /[\u2010-\u2015\u2212\uff0d]/g

/** @returns the text with the hyphens that language tags have */
export const withHyphens = (text: string): string => text.replace(HYPHENS, '-')

/** Names texts of a step, as the author wrote them. */
export const LOCALE_NAME = new RegExp(`^[A-Za-z]{2,8}(?:(?:[-_]|${HYPHENS.source})[A-Za-z0-9]{1,8}){0,4}$`)

/** Whether a text is a well-formed language tag, but for the form of its hyphens. */
export function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(withHyphens(text)).length === 1
  } catch {
    return false
  }
}
