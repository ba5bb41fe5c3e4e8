// Tests that preferences are kept for a category of any name, each with the time when it was chosen.

import { expect, test } from 'vitest'
import { mergePreferences, NO_PREFERENCES } from './send-rules.ts'

test.each(['orders', '__proto__', 'constructor', 'toString', 'prototype', ''])('the category %j', (key) => {
  const change = (channel: object) => ({ choices: Object.fromEntries([[key, channel]]) })
  const once = mergePreferences(NO_PREFERENCES, change({ email: false }), 1)
  const stored = JSON.parse(JSON.stringify(mergePreferences(once, change({ inbox: true, email: false }), 2)))
  expect(Object.entries(stored.choices)).toEqual([[key, { email: false, inbox: true }]])
  expect(Object.entries(stored.since)).toEqual([[key, { email: 1, inbox: 2 }]])
})
