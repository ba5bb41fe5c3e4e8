// Defines the grammars of keys and names that customers choose. Keys of campaigns, steps, branches have no `/`: it joins branch keys.

import { VISIBLE } from './visible.ts'

export const MAX_KEY_CHARS = 100
export const KEY_GRAMMAR = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/
export const KEY_RULE = 'A key has letters, digits, `.`, `_` and `-`, and begins and ends with a letter or digit.'

/** A name of an organisation, an environment, and what they own. The API reference has it as a pattern. */
export const NAME = new RegExp(`^(?=.*${VISIBLE.source})[^\\p{Cc}]{1,100}$`, 'u')
export const NAME_RULE = 'A name of 1 to 100 characters on one line, at least one of them visible.'
