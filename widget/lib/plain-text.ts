// Takes out of a text what would show it in another order, or the marks of Markdown.

const TURNS = /[\u202a-\u202e\u2066-\u2069]/g

/** The text without them. Marks (U+200E, U+200F, U+061C) stay: they turn nothing but themselves. */
export const withoutTurns = (text: string): string => text.replace(TURNS, '')

/** A link with its words; marks that begin a line; marks beside a word; a character that is no mark. */
const LINK = /\[([^\][]{1,500})\]\([^\s()]*\)/g
const MARKS =
  /\\([!-/:-@[-`{-~])|^ {0,3}(?:#{1,6}|>|[-*+]|\d{1,9}[.)])\s+|^ *(?:```.*|(?:[-*] *){3,})$|[*`]+(?=\S)|(?<=\S)[*`]+|(?<!\w)_+(?=\S)|(?<=\S)_+(?!\w)/gm

export const withoutMarks = (text: string): string => text.replace(LINK, '$1').replace(MARKS, '$1').trim()
