// The package on a server: importing it has no effect and no fault (contract section 13).

import { expect, test } from 'vitest'

test('each entry can be imported where there is no document', async () => {
  expect('document' in globalThis).toBe(false)
  const before = Object.keys(globalThis)
  const [root, , headless] = await Promise.all([import('./index.ts'), import('./define.ts'), import('./headless.ts')])
  expect(root.NotificationCenter).toBeTypeOf('function')
  expect(root.define()).toBe(root.NotificationCenter)
  expect(headless.createInbox).toBeTypeOf('function')
  expect(Object.keys(globalThis)).toEqual(before)
})
