// Tests the disk guard with a probe that the test controls.

import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../../lib/log.ts'
import { createDiskGuard, watermarkOf } from './disk-guard.ts'

const MIB = 1024 * 1024
let dataDir = ''
let freeMib = 1000
let reusableMib = 0
let isGone = false
let lines: string[] = []
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'disk-'))
  freeMib = 1000
  reusableMib = 0
  isGone = false
  lines = []
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const givenGuard = () =>
  createDiskGuard({
    dataDir,
    reusableBytes: async () => reusableMib * MIB,
    log: createLog('info', (line) => lines.push(line)),
    probe: async () => {
      if (isGone) throw new Error('no such folder')
      return { freeBytes: freeMib * MIB, totalBytes: 100_000 * MIB }
    },
  })

async function lowWith(guard: ReturnType<typeof givenGuard>, free: number, reusable = 0): Promise<boolean> {
  freeMib = free
  reusableMib = reusable
  await guard.check()
  return guard.isLow()
}

test('the watermark is 256 MiB, on a small disk one twentieth of it', () => {
  expect(watermarkOf(100_000 * MIB)).toBe(256 * MIB)
  expect(watermarkOf(1000 * MIB)).toBe(50 * MIB)
})

test('below the watermark space is low, and a little above it no longer; each change is logged once', async () => {
  const guard = givenGuard()
  expect([await lowWith(guard, 256), await lowWith(guard, 255), await lowWith(guard, 270)]).toEqual([false, true, true])
  expect([await lowWith(guard, 282), await lowWith(guard, 257)]).toEqual([false, false])
  expect(lines.map((line) => (JSON.parse(line) as { level: number | string }).level)).toHaveLength(2)
})

test('space inside the store counts while its log has space outside', async () => {
  const guard = givenGuard()
  expect(await lowWith(guard, 100, 200)).toBe(false)
  expect(await lowWith(guard, 63, 5000)).toBe(true)
})

test('the ballast is written bytes, deleted when nothing else is free, and written again when much space is free', async () => {
  const guard = givenGuard()
  const ballast = join(dataDir, 'ballast')
  await lowWith(guard, 1000)
  expect(statSync(ballast).size).toBe(8 * MIB)
  expect(statSync(ballast).blocks * 512).toBeGreaterThanOrEqual(8 * MIB)
  await lowWith(guard, 20)
  expect(existsSync(ballast)).toBe(true)
  await lowWith(guard, 7)
  expect(existsSync(ballast)).toBe(false)
  await lowWith(guard, 250)
  expect(existsSync(ballast)).toBe(false)
  await lowWith(guard, 1000)
  expect(existsSync(ballast)).toBe(true)
})

test('a folder that cannot be checked is logged once, until a check succeeds', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const guard = givenGuard()
  onTestFinished(() => guard.stop())
  isGone = true
  await guard.start()
  await vi.advanceTimersByTimeAsync(3000)
  expect(lines).toHaveLength(1)
  // No space to reserve: nothing is written, which would take real time.
  freeMib = 260
  isGone = false
  await vi.advanceTimersByTimeAsync(1000)
  isGone = true
  await vi.advanceTimersByTimeAsync(3000)
  expect(lines).toHaveLength(2)
})
