// Tests that missing packages of a lock are found by name and platform.

import { expect, test } from 'vitest'
import { findMissing } from './lock.ts'

test('optional packages of other platforms that the lock lacks are named with their platform', () => {
  const missing = findMissing({
    packages: {
      'node_modules/@tool/core': {
        optionalDependencies: {
          '@tool/core-linux-x64-gnu': '1.0.0',
          '@tool/core-linux-x64-musl': '1.0.0',
          '@tool/core-win32-arm64-msvc': '1.0.0',
          fsevents: '~2.3.2',
        },
      },
      'node_modules/@tool/core-linux-x64-gnu': { version: '1.0.0' },
    },
  })
  expect([...missing]).toEqual([
    [
      'node_modules/@tool/core-linux-x64-musl',
      { version: '1.0.0', cpu: ['x64'], libc: ['musl'], os: ['linux'], optional: true },
    ],
    ['node_modules/@tool/core-win32-arm64-msvc', { version: '1.0.0', cpu: ['arm64'], os: ['win32'], optional: true }],
  ])
})
