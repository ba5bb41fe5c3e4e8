// Markdown as plain words, for the excerpt in a row and until what draws it is there. Text in, text out; linear time.

/** A link with its words; marks that begin a line; marks beside a word; a character that is no mark. */
const LINK = /\[([^\][]{1,500})\]\([^\s()]*\)/g
const MARKS =
  /\\([!-/:-@[-`{-~])|^ {0,3}(?:#{1,6}|>|[-*+]|\d{1,9}[.)])\s+|^ *(?:```.*|(?:[-*] *){3,})$|[*`]+(?=\S)|(?<=\S)[*`]+|(?<!\w)_+(?=\S)|(?<=\S)_+(?!\w)/gm

export const withoutMarks = (text: string): string => text.replace(LINK, '$1').replace(MARKS, '$1').trim()
