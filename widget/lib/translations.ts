// Translations by locale: one table per language, plural rules and numbers by Intl.

/** A phrase, or its plural forms by the CLDR category of `count`. `{name}` is filled in. */
export type Phrase = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>)
export type Translations = Readonly<Record<string, Phrase>>

/** Fills a phrase of the table; an unknown key is shown as it is, so that it is seen. */
export type Translate = (key: string, params?: Readonly<Record<string, string | number>>) => string

/** The locale if Intl knows it, else English. */
export function usableLocale(...wanted: (string | null | undefined)[]): string {
  for (const tag of wanted) {
    try {
      if (tag && Intl.PluralRules.supportedLocalesOf(tag).length > 0) return tag
    } catch {
      // Not a language tag at all: ask the next.
    }
  }
  return 'en'
}

const COUNT_MAX = 99
/** Languages that write numbers below a thousand as the script does. The first NumberFormat of a page takes 25 ms, on a phone a hundred. */
const PLAIN = /^(cs|d[ae]|e[ns]|f[ir]|h[ei]|it|ja|ko|nl|p[lt]|sv|tr|uk|zh)\b(?!.*-u-)/

/** In the digits of the locale. */
function writeNumber(locale: string, value: number): string {
  return PLAIN.test(locale) && value < 1000 ? String(value) : new Intl.NumberFormat(locale).format(value)
}

/** A count where there is little room: "99+" from a hundred on. */
export function shortCount(locale: string, count: number): string {
  return count > COUNT_MAX ? `${writeNumber(locale, COUNT_MAX)}+` : writeNumber(locale, count)
}

/** `locale` formats numbers; `language` is that of the table and picks its plural forms. */
export function createTranslate(locale: string, language: string, ...tables: Translations[]): Translate {
  let plurals: Intl.PluralRules | undefined
  const formOf = (count: unknown): Intl.LDMLPluralRule => {
    plurals ??= new Intl.PluralRules(language)
    return plurals.select(Number(count))
  }
  return (key, params = {}) => {
    // The page's own may be anything, if its author has no types.
    const phrase = tables.find((table) => Object.hasOwn(table, key) && table[key] != null)?.[key] ?? key
    const form = typeof phrase === 'object' ? (phrase[formOf(params.count)] ?? phrase.other) : phrase
    return `${form}`.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = params[name]
      return typeof value === 'number' ? writeNumber(locale, value) : (value ?? whole)
    })
  }
}
