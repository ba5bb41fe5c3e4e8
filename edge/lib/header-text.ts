// Makes texts for headers of mails: subjects, names, and the preheader that is shown beside them.

const BREAKS = /[\t-\r\u0085\u2028\u2029]+/g
/** Control characters, and those that turn the direction of what follows: a name could show another address. */
const REMOVED = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu

/** @returns the text in one line. Everything else stays: soft hyphens, direction marks, joiners, flags. */
export function headerText(text: string): string {
  return text
    .replace(BREAKS, ' ')
    .replace(REMOVED, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/ {2,}/g, ' ')
    .trim()
}
