// Tests that the extended timeouts are those of the element.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ANSWER_MS, CALL_MS, NOTICE_MS, TOAST_MS, WAKE_ANSWER_MS } from './extend-timeouts.ts'

test.each([
  ['elements/panel/notices.ts', 'SHOWN_MS', NOTICE_MS],
  ['elements/panel/toasts/toasts.ts', 'TOAST_MS', TOAST_MS],
  ['transport/api.ts', 'TIMEOUT_MS', CALL_MS],
  ['inbox/sync/tabs.ts', 'ANSWER_MS', ANSWER_MS],
  ['inbox/sync/connection.ts', 'WAKE_ANSWER_MS', WAKE_ANSWER_MS],
])('%s has %s of this length', (file, name, lengthMs) => {
  const source = readFileSync(new URL(`../../widget/${file}`, import.meta.url), 'utf8')
  expect(Number(new RegExp(`^const ${name} = ([\\d_]+)$`, 'm').exec(source)?.[1]?.replaceAll('_', ''))).toBe(lengthMs)
})
