// Tests how people read who made a change.

import { expect, test } from 'vitest'
import { callerName } from './caller-name.ts'

test.each([
  ['ada@shop.example', 'ada@shop.example', 'ada@shop.example'],
  ['root', 'root', 'root'],
  ['sec_06fdm1f0e0006g40r40m30c209', 'A backend with the SDK secret key', 'a backend with the SDK secret key'],
  [null, 'Somebody else', 'somebody else'],
])('%s is %s', (who, first, within) => {
  expect([callerName(who), callerName(who, 'within')]).toEqual([first, within])
})
