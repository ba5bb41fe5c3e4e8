// Tests that the stray processes of a step end with it.

import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { runNode } from './run-node.ts'

const stray = `const { spawn } = require('node:child_process')
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
console.log(child.pid)`

// In a container without an init, dead processes stay listed as zombies (Z).
function isAlive(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
  return state !== '' && !state.startsWith('Z')
}

test('status and output come back', async () => {
  const ran = await runNode(['-e', 'console.log(1); console.error(2); process.exit(3)'], tmpdir(), 30_000)
  expect(ran).toMatchObject({ status: 3, isTimedOut: false })
  expect(ran.output.split('\n').sort()).toEqual(['', '1', '2'])
})

test('a grandchild that would run for ever is ended', async () => {
  const ran = await runNode(['-e', `${stray}; setTimeout(() => process.exit(0), 200)`], tmpdir(), 30_000)
  const pid = Number(ran.output)
  expect(pid).toBeGreaterThan(0)
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('a step that takes too long is ended with its children', async () => {
  const ran = await runNode(['-e', stray], tmpdir(), 500)
  expect(ran).toMatchObject({ status: null, isTimedOut: true })
})
