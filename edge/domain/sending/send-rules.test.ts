// Tests that preferences are kept for a category of any name.

import { expect, test } from 'vitest'
import { mergePreferences, NO_PREFERENCES } from './send-rules.ts'

test.each(['orders', '__proto__', 'constructor', 'toString', 'prototype', ''])('the category %j', (key) => {
  const change = (channel: object) => ({ choices: Object.fromEntries([[key, channel]]) })
  const once = mergePreferences(NO_PREFERENCES, change({ email: false }))
  const stored = JSON.parse(JSON.stringify(mergePreferences(once, change({ inbox: true }))))
  expect(Object.entries(stored.choices)).toEqual([[key, { email: false, inbox: true }]])
})
