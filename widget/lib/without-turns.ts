// Drops the characters that override or embed a direction of writing: they show text in another order than it has, as in a file name that seems to be of another type.

const TURNS = /[\u202a-\u202e\u2066-\u2069]/g

/** The text without them. Marks (U+200E, U+200F, U+061C) stay: they turn nothing but themselves. */
export const withoutTurns = (text: string): string => text.replace(TURNS, '')
