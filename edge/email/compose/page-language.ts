// Says the language of a mail and its direction on its page, where the author does not.

import type { MailParts } from '../../../contract/resources/mail.ts'
import { isRightToLeft, languageTag } from '../../domain/tenant/locale-tags.ts'
import { readMarkup } from '../../lib/markup.ts'
import { escapeHtml } from './links.ts'

/**
 * Returns the language tag of a mail's texts: of the locale that its body was taken from. A step without locales has
 * texts for everybody, in the user's language as far as anybody knows. Undefined: no tag is known.
 */
export function languageOf({ lang }: Pick<MailParts, 'lang'>, userLocale: string | null): string | undefined {
  if (lang === null) return undefined
  return lang === undefined ? languageTag(userLocale ?? '', 'language') : languageTag(lang)
}

/** MJML writes these for a layout without a language. */
const UNKNOWN = /\s(?:lang\s*=\s*(?:"(?:und)?"|'(?:und)?')|dir\s*=\s*(?:"auto"|'auto'))/gi

/**
 * Writes `lang` and `dir` into the tag html; from right to left into body as well, as mail programs drop one of the two.
 * What the author wrote stays.
 */
export function withLanguage(html: string, lang: string | undefined): string {
  if (lang === undefined) return html
  const dir = isRightToLeft(lang) ? 'rtl' : 'ltr'
  let written = ''
  const end = readMarkup(html, (part) => {
    const name = part.kind === 'start' ? part.name.toLowerCase() : ''
    const isPage = name === 'html' || (name === 'body' && dir === 'rtl')
    written += isPage ? tagOf(part.name, part.attributes, lang, dir) : part.written
    return name === 'body' ? 'stop' : undefined
  })
  return written + html.slice(end)
}

function tagOf(name: string, attributes: string, lang: string, dir: string): string {
  const kept = attributes.replace(UNKNOWN, '')
  const names = kept.replace(/"[^"]*"|'[^']*'/g, '')
  const added = [
    /\slang\s*=/i.test(names) ? '' : ` lang="${escapeHtml(lang)}"`,
    /\sdir\s*=/i.test(names) ? '' : ` dir="${dir}"`,
  ]
  return `<${name}${added.join('')}${kept}>`
}
