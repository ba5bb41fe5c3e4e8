// Which language serves a locale. A new one: its file beside this one, its tag here, its loader in bundled-languages.ts.

/** BCP 47 tags of the words that we have. English is in the scripts, the others are files of their own. */
export const LANGUAGES = 'en ar cs da de es fi fr he hi it ja ko nl pl pt-BR sv tr uk zh-Hans'.split(' ')

/** The tag of the words for this locale: those of its language, else English. */
export function languageOf(locale: string): string {
  const { language } = new Intl.Locale(locale)
  return LANGUAGES.find((tag) => tag.split('-')[0] === language) ?? 'en'
}
