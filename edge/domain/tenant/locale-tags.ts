// Normalises language tags, and lists their fallbacks: prefixes, and what a tag most likely means.

import { withHyphens } from '../../../contract/locale.ts'
import { createCache } from '../../lib/cache.ts'

/** Bounded, as the tags come from customers. */
const fallbacks = createCache<string, string[]>({ maxSize: 1000 })

/** A longer tag has no fallbacks: each of its parts would be one. */
const MAX_CHARS = 100

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Scripts as POSIX names them: `sr_RS.UTF-8@latin`. */
const POSIX_SCRIPTS: Readonly<Record<string, string>> = { cyrillic: 'cyrl', devanagari: 'deva', latin: 'latn' }
/** As .NET and older systems write them. */
const FORMER_TAGS: Readonly<Record<string, string>> = { 'zh-chs': 'zh-hans', 'zh-cht': 'zh-hant', 'zh-cmn': 'zh' }
/** `zh_TW_#Hant`, as Java writes a locale with a script. */
const OF_JAVA = /^([a-z]{2,3})((?:-[a-z0-9]+)*)-*#([a-z]{4})?/

/**
 * Returns a tag in lower case with hyphens, of what other systems write: POSIX `de_AT.UTF-8@euro`, Java `zh_TW_#Hant`,
 * .NET `zh-CHT`, and the first of a list of browsers, `de-AT,de;q=0.9`.
 */
function readTag(locale: string): string {
  const [first = ''] = locale.split(/[,;]/, 1)
  const [, plain = '', modifier = ''] = /^([^.@]*)(?:\.[^@]*)?@?(.*)$/s.exec(first.trim().toLowerCase()) ?? []
  const hyphened = withHyphens(plain).replace(/[_ ]/g, '-')
  const script = Object.hasOwn(POSIX_SCRIPTS, modifier) ? `-#${POSIX_SCRIPTS[modifier]}` : ''
  const tag = (hyphened + script).replace(OF_JAVA, (_, language: string, rest: string, written = '') =>
    [language, written]
      .filter((part) => part !== '')
      .join('-')
      .concat(rest),
  )
  return tag.replace(/^zh-(?:chs|cht|cmn)(?=-|$)/, (former) => FORMER_TAGS[former] ?? former)
}

/** @returns Whether the language of the tag is one that has a name: `en_GB` and `zh-Hant` have one, `english` and `xx` have none. */
export function isKnownLocale(locale: string): boolean {
  const [language = ''] = normalizeTag(locale).split('-')
  try {
    return languages.of(language) !== undefined
  } catch {
    return false
  }
}

/** @returns The tag in lower case with hyphens and today's codes: `zh_Hant` and ` zh Hant` are `zh-hant`, `iw` is `he`, `no` is `nb`. */
export function normalizeTag(locale: string): string {
  const tag = readTag(locale)
  return (findLocale(tag)?.baseName ?? tag).toLowerCase().replace(/^no(?=-|$)/, 'nb')
}

/**
 * @returns The tag and what stands for it, most exact first. `zh-hk`: `zh-hk`, `zh-hant-hk`, `zh-hant`, `zh`, `zh-tw`; the
 * likely region of the language and script is last.
 */
export function fallbackTags(locale: string): string[] {
  const known = fallbacks.get(locale)
  if (known !== undefined) return known
  const tag = normalizeTag(locale)
  const tags = tag.length > MAX_CHARS ? [tag] : listTags(tag)
  if (locale.length <= MAX_CHARS) fallbacks.set(locale, tags)
  return tags
}

/**
 * @param part `language`: without region, and with a script only where the language has several, such as `zh-Hant`
 * @returns The tag as HTML and `Intl` write it, without extensions: `pt_BR` is `pt-BR`. Undefined when it is none.
 */
export function languageTag(locale: string, part: 'whole' | 'language' = 'whole'): string | undefined {
  const whole = findLocale(normalizeTag(locale))
  if (whole === undefined || part === 'whole') return whole?.baseName
  const { language, script } = whole.maximize()
  return findLocale(language)?.maximize().script === script ? language : `${language}-${script}`
}

const RIGHT_TO_LEFT = new Set('Adlm Arab Hebr Mand Mend Nkoo Rohg Samr Syrc Thaa'.split(' '))

/** Whether texts of a locale are written from right to left. */
export function isRightToLeft(locale: string): boolean {
  return RIGHT_TO_LEFT.has(findLocale(locale)?.maximize().script ?? '')
}

/** What stands for a language of these regions before its language alone (parent locales of CLDR). */
const PARENTS: readonly { language: string; parent: string; regions: ReadonlySet<string> }[] = [
  {
    language: 'es',
    parent: 'es-419',
    regions: new Set('AR BO BR BZ CL CO CR CU DO EC GT HN JP MX NI PA PE PR PY SV US UY VE'.split(' ')),
  },
  { language: 'pt', parent: 'pt-pt', regions: new Set('AO CH CV FR GQ GW LU MO MZ ST TL'.split(' ')) },
  {
    language: 'en',
    parent: 'en-gb',
    regions: new Set('AU BE BW CY DE DK FI HK IE IL IN JM KE MT NG NL NZ PK SE SG TZ UG ZA ZM ZW'.split(' ')),
  },
]

function findParent(tag: string): string[] {
  const { language, region = '' } = findLocale(tag) ?? {}
  return PARENTS.flatMap((one) => (one.language === language && one.regions.has(region) ? [one.parent] : []))
}

function listTags(tag: string): string[] {
  const parts = tag.split('-')
  const prefixes = parts.map((_, index) => parts.slice(0, parts.length - index).join('-')).slice(0, -1)
  const [language = ''] = parts
  // Texts in Bokmål are read by readers of Nynorsk.
  const languages = language === 'nn' ? ['nn', 'nb'] : [language]
  return [...new Set([...prefixes, ...findParent(tag), ...likelyTags(tag), ...languages, likelyRegion(tag)])].filter(
    (one) => one !== '',
  )
}

/** Returns the tags with the likely script and region; a region in place of a given script where it implies it. */
function likelyTags(tag: string): string[] {
  const given = findLocale(tag)
  const { language, script, region } = given?.maximize() ?? {}
  if (language === undefined || script === undefined || region === undefined) return []
  const byRegion = `${language}-${region}`
  const isImplied = given?.script !== undefined && findLocale(byRegion)?.maximize().script === script
  const likely = [`${language}-${script}-${region}`, `${language}-${script}`, ...(isImplied ? [byRegion] : [])]
  return likely.map((one) => one.toLowerCase())
}

/** Returns the tag with the region where most people read its language and script: `en-us` for `en-au`. Empty without one. */
function likelyRegion(tag: string): string {
  const { language, script } = findLocale(tag)?.maximize() ?? {}
  const region = findLocale(`${language}-${script}`)?.maximize().region
  const likely = findLocale(`${language}-${region}`)
  return likely?.maximize().script === script ? (likely?.baseName.toLowerCase() ?? '') : ''
}

function findLocale(tag: string): Intl.Locale | undefined {
  // Most users name no locale, and an exception for each would cost more than the rest.
  if (tag === '') return undefined
  try {
    return new Intl.Locale(tag)
  } catch {
    return undefined
  }
}
