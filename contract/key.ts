// Defines the grammar of keys that customers choose: campaigns, steps, branches. No `/`: it joins branch keys.

export const MAX_KEY_CHARS = 100
export const KEY_GRAMMAR = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/
export const KEY_RULE = 'A key has letters, digits, `.`, `_` and `-`, and begins and ends with a letter or digit.'
