// Tests that the random stalls block a process while it works.

import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runNode } from './run-node.ts'

const stalls = fileURLToPath(new URL('stalls.mjs', import.meta.url))

// Works until it was blocked ten times, and prints the length of each pause.
const works = `const pauses = []
const { wait } = Atomics
Atomics.wait = (cell, index, value, ms) => {
  pauses.push(ms)
  return wait(cell, index, value, ms)
}
const work = () => {
  if (pauses.length < 10) return setImmediate(work)
  console.log(JSON.stringify(pauses))
}
work()`

test('a process under it stands still again and again, and never for longer than was asked for', async () => {
  const ran = await runNode(['--import', stalls, '-e', works], process.cwd(), 30_000, {
    NODE_OPTIONS: '',
    NC_STALL_MS: '400',
  })
  expect(ran).toMatchObject({ status: 0, isTimedOut: false })
  const pauses = JSON.parse(ran.output) as number[]
  expect(pauses.every((ms) => ms > 0 && ms <= 400)).toBe(true)
})
