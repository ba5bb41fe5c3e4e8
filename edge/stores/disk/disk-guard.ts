// Watches the free disk space of the data folder, so that writes are refused before the disk is full.

import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../lib/log.ts'

const MIB = 1024 * 1024
/** The free space below which new work is refused; on a small disk, one twentieth of it. */
const WATERMARK_BYTES = 256 * MIB
const WATERMARK_PART = 20
/** Work is accepted again only above this multiple of the limit, so that the state does not alternate. */
const RESUME_FACTOR = 1.1
/** The fraction of the watermark that must be free outside the store, because its log needs space as well. */
const OUTSIDE_PART = 4
/** The size of a reserve file that is deleted on a full disk, so that retention has space to work. */
const BALLAST_BYTES = 8 * MIB
const CHECK_MS = 1000

export interface Space {
  freeBytes: number
  totalBytes: number
  /** Replaces the free bytes in the log. */
  reason?: string
}

export interface DiskGuard {
  /** Returns the state of the last check. */
  isLow(): boolean
  /** Returns the free bytes of the last check; 0 before the first. */
  freeBytes(): number
  /** Checks now; `start` checks every second. */
  check(): Promise<void>
  start(): Promise<void>
  stop(): void
}

export interface DiskGuardDeps {
  dataDir: string
  /** Returns the bytes inside the store's files that new rows can use. */
  reusableBytes(): Promise<number>
  log: Log
  /** Default: `statfs` of the data folder. */
  probe?: (() => Promise<Space>) | undefined
}

/** Returns the free bytes below which work is refused: 256 MiB, or one twentieth of a disk under 5 GiB. */
export function watermarkOf(totalBytes: number): number {
  return Math.min(WATERMARK_BYTES, totalBytes / WATERMARK_PART)
}

/** Creates the guard; it checks nothing before `start` or `check`. */
export function createDiskGuard(deps: DiskGuardDeps): DiskGuard {
  const ballastPath = join(deps.dataDir, 'ballast')
  const probe = deps.probe ?? (() => probeFolder(deps.dataDir))
  let low = false
  let lastFreeBytes = 0
  let hasBallast: boolean | undefined
  let hasFailed = false
  let timer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    const { freeBytes, totalBytes, reason = `${Math.floor(freeBytes / MIB)} MiB free` } = await probe()
    lastFreeBytes = freeBytes
    const watermark = watermarkOf(totalBytes) * (low ? RESUME_FACTOR : 1)
    const wasLow = low
    low = freeBytes < watermark / OUTSIDE_PART || freeBytes + (await deps.reusableBytes()) < watermark
    if (low !== wasLow) logChange(low, reason)
    await trim(freeBytes, totalBytes)
  }

  /** Writes the reserve file while much space is free, and deletes it when even the store's log has no space. */
  async function trim(freeBytes: number, totalBytes: number): Promise<void> {
    if (hasBallast !== false && freeBytes < BALLAST_BYTES) {
      await rm(ballastPath, { force: true })
      hasBallast = false
    } else if (hasBallast !== true && freeBytes > watermarkOf(totalBytes) * RESUME_FACTOR + 2 * BALLAST_BYTES) {
      // Written bytes, because a sparse file would reserve no space.
      await writeFile(ballastPath, Buffer.alloc(BALLAST_BYTES), { mode: 0o600 })
      hasBallast = true
    }
  }

  function logChange(isLow: boolean, reason: string): void {
    if (isLow) deps.log.error('disk nearly full: writes are refused', { reason })
    else deps.log.info('disk space restored: writes are accepted', { reason })
  }

  async function checkRepeatedly(): Promise<void> {
    try {
      await check()
      hasFailed = false
    } catch (error) {
      // The same failure each second would fill the log.
      if (!hasFailed) deps.log.error('disk space check failed', { error })
      hasFailed = true
    }
    if (timer !== undefined) timer = setTimeout(checkRepeatedly, CHECK_MS)
  }

  return {
    isLow: () => low,
    freeBytes: () => lastFreeBytes,
    check,
    async start() {
      timer = setTimeout(() => {}, 0)
      await checkRepeatedly()
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
