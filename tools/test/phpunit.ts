// Runs the tests of the SDK for PHP by PHPUnit; writes its counts as JSON to the first argument's file.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { phpunitPath, programPath } from '../programs/programs.ts'
import { countJUnit } from './junit-results.ts'

const resultFile = process.argv[2]
if (resultFile === undefined) throw new Error('the file for the counts must be named')

const sdk = resolve(import.meta.dirname, '../../sdk/php')
const folder = mkdtempSync(join(tmpdir(), 'nc-phpunit-'))
const args = [phpunitPath(), '--configuration', join(sdk, 'phpunit.xml'), '--log-junit', join(folder, 'results.xml')]
const { status } = spawnSync(programPath('php'), args, { stdio: 'inherit' })
const counts = countJUnit([folder])
if (counts !== undefined) writeFileSync(resultFile, JSON.stringify(counts))
rmSync(folder, { recursive: true, force: true })
process.exit(status ?? 1)
