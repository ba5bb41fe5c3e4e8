// Runs the tests of the SDK for PHP by PHPUnit; each case of PHPUnit is a test here.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { phpunitPath, programPath } from '../../tools/programs/programs.ts'
import { readJUnit } from './junit.ts'

// Before the tests, because their names are in its report.
const folder = mkdtempSync(join(tmpdir(), 'nc-phpunit-'))
const config = join(import.meta.dirname, '../php/phpunit.xml')
const args = [phpunitPath(), '--configuration', config, '--log-junit', join(folder, 'results.xml')]
const phpunit = spawnSync(programPath('php'), args, { encoding: 'utf8' })
const cases = readJUnit([folder])
rmSync(folder, { recursive: true, force: true })

test('PHPUnit ends without a fault', () => {
  expect(phpunit.status, `${phpunit.stdout}${phpunit.stderr}`).toBe(0)
})

for (const { name, outcome, failure } of cases) {
  test.skipIf(outcome === 'skipped')(name, () => {
    expect(outcome, failure).toBe('passed')
  })
}
