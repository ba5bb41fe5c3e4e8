// Watches the space that the data folder has left, so that writes are refused before the disk is full (issue part 2, "Disk full").

import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../lib/log.ts'

const MIB = 1024 * 1024
/** Below this, or below one twentieth of a small disk, new work is refused. */
const WATERMARK_BYTES = 256 * MIB
const WATERMARK_PART = 20
/** Refused work is taken again only a little above, so that the answer does not flap. */
const RESUME_FACTOR = 1.1
/** Of the watermark this much must be free outside the store: its log needs room also when rows take the place of removed ones. */
const OUTSIDE_PART = 4
/** Given back to the disk when it is full, so that retention has room to work in. */
const BALLAST_BYTES = 8 * MIB
const CHECK_MS = 1000

export interface Space {
  freeBytes: number
  totalBytes: number
  /** For the log, in place of the free bytes. */
  reason?: string
}

export interface DiskGuard {
  /** Of the last look. */
  isLow(): boolean
  /** Of the last look (bytes); 0 before it. */
  freeBytes(): number
  /** Looks now; `start` does so every second. */
  check(): Promise<void>
  start(): Promise<void>
  stop(): void
}

export interface DiskGuardDeps {
  dataDir: string
  /** Bytes inside the store's files that new rows can take. */
  reusableBytes(): Promise<number>
  log: Log
  /** Default: `statfs` of the data folder. */
  probe?: (() => Promise<Space>) | undefined
}

/** The space below which work is refused: 256 MiB, on disks under 5 GiB one twentieth. */
export function watermarkOf(totalBytes: number): number {
  return Math.min(WATERMARK_BYTES, totalBytes / WATERMARK_PART)
}

export function createDiskGuard(deps: DiskGuardDeps): DiskGuard {
  const ballastPath = join(deps.dataDir, 'ballast')
  const probe = deps.probe ?? (() => probeFolder(deps.dataDir))
  let low = false
  let lastFreeBytes = 0
  let hasBallast: boolean | undefined
  let timer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    const { freeBytes, totalBytes, reason = `${Math.floor(freeBytes / MIB)} MiB free` } = await probe()
    lastFreeBytes = freeBytes
    const watermark = watermarkOf(totalBytes) * (low ? RESUME_FACTOR : 1)
    const wasLow = low
    low = freeBytes < watermark / OUTSIDE_PART || freeBytes + (await deps.reusableBytes()) < watermark
    if (low !== wasLow) tell(low, reason)
    await trim(freeBytes, totalBytes)
  }

  /** Holds the ballast while there is plenty, and lets it go when not even the log of the store has room. */
  async function trim(freeBytes: number, totalBytes: number): Promise<void> {
    if (hasBallast !== false && freeBytes < BALLAST_BYTES) {
      await rm(ballastPath, { force: true })
      hasBallast = false
    } else if (hasBallast !== true && freeBytes > watermarkOf(totalBytes) * RESUME_FACTOR + 2 * BALLAST_BYTES) {
      // Real bytes: a hole in a file would reserve nothing.
      await writeFile(ballastPath, Buffer.alloc(BALLAST_BYTES), { mode: 0o600 })
      hasBallast = true
    }
  }

  function tell(isLow: boolean, reason: string): void {
    if (isLow) deps.log.error('The disk is nearly full: writes are refused until there is room.', { reason })
    else deps.log.info('The disk has room again: writes are taken.', { reason })
  }

  async function turn(): Promise<void> {
    await check().catch((error: unknown) => deps.log.error('The free space could not be read.', { error }))
    if (timer !== undefined) timer = setTimeout(turn, CHECK_MS)
  }

  return {
    isLow: () => low,
    freeBytes: () => lastFreeBytes,
    check,
    async start() {
      timer = setTimeout(() => {}, 0)
      await turn()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

async function probeFolder(dataDir: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(dataDir)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}
