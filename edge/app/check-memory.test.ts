// Tests that a start with too little memory is refused with what is needed.

import { expect, test } from 'vitest'
import { confirmMemory } from './check-memory.ts'

const MIB = 1024 * 1024

test('less than 256 MiB are refused, with what is needed', () => {
  expect(() => confirmMemory(128 * MIB)).toThrow(
    /may use 128 MiB of memory, and needs 256 MiB at least\. Give it 512 MiB/,
  )
})

test.each([256 * MIB, 512 * MIB, 0, undefined])('%s bytes are enough, or not known', (limit) => {
  expect(() => confirmMemory(limit)).not.toThrow()
})
