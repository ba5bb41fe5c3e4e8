// Tests that the packing of a release takes no option for the name of its folder.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

test('an option is refused, and nothing is written', async () => {
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', 'tools/release.ts', '--help'], { cwd: root })
  await expect(run).rejects.toThrow("Unknown option '--help'")
  expect(existsSync(resolve(root, '--help'))).toBe(false)
})
