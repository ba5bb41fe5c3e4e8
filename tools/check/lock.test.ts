// Tests that the check of package-lock.json reports missing optional packages and packages without a hash.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkLock, type Lockfile } from './lock.ts'

const HASH = 'sha512-abc=='

test('optional packages of other platforms that the lock lacks are reported, each once', () => {
  const optionalDependencies = {
    '@tool/core-linux-x64-gnu': '1.0.0',
    '@tool/core-win32-arm64-msvc': '1.0.0',
    fsevents: '~2.3.2',
  }
  const found = checkLock({
    packages: {
      'node_modules/@tool/core': { integrity: HASH, optionalDependencies },
      'node_modules/other/node_modules/@tool/core': { integrity: HASH, optionalDependencies },
      'node_modules/@tool/core-linux-x64-gnu': { version: '1.0.0', integrity: HASH },
    },
  })
  expect(found.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^node_modules\/@tool\/core-win32-arm64-msvc is missing/),
  ])
})

test('a package of a registry without a strong hash is reported; workspaces and bundled packages need none', () => {
  const found = checkLock({
    packages: {
      '': { version: '1.0.0' },
      edge: { version: '1.0.0' },
      'node_modules/edge': { link: true },
      'node_modules/whole': { integrity: HASH },
      'node_modules/whole/node_modules/bundled': { inBundle: true },
      'node_modules/weak': { integrity: 'sha1-abc=' },
      'edge/node_modules/none': { version: '1.0.0' },
    },
  })
  expect(found.map(({ message, level }) => `${level} ${message}`)).toEqual([
    expect.stringMatching(/^error node_modules\/weak has no integrity/),
    expect.stringMatching(/^error edge\/node_modules\/none has no integrity/),
  ])
})

test('the lock of this repository has no finding', () => {
  const lock: Lockfile = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'))
  expect(checkLock(lock)).toEqual([])
})
