// Says what a locale is.

/** Whether a text is a well-formed language tag. */
export function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
