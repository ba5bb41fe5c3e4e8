// Checks the machine for `nc doctor`: Node.js, the built widget, the data folder, the disk, the generated master key.

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Settings } from '../../config.ts'
import { WIDGET_DIST } from '../../lib/widget-dist.ts'
import { type Finding, finding } from './finding.ts'

const MIB = 1024 * 1024
const LEAST_FREE_BYTES = 512 * MIB
/** With less free space, a growing store may reach the watermark within days. */
const LITTLE_FREE_PART = 0.1
const LEAST_NODE = [20, 19] as const
const WIDGET = join(WIDGET_DIST, 'notification-center.js')

export function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isEnough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])
  const words = `Node.js ${process.versions.node}; ${LEAST_NODE.join('.')} or later is wanted.`
  return finding('Node.js', isEnough ? 'ok' : 'wrong', words)
}

export function checkWidget(): Finding {
  if (existsSync(WIDGET)) return finding('Widget', 'ok', 'The widget is built.')
  return finding('Widget', 'wrong', 'The widget is not built: pages get no bell. Run npm run build.')
}

export function checkFolder({ dataDir }: Settings): Finding {
  const path = resolve(dataDir)
  if (!existsSync(path)) {
    return finding('Data folder', 'wrong', `${path} does not exist. Start the server once, or set DATA_DIR.`)
  }
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return finding('Data folder', 'wrong', `${path} cannot be written by this account. Change its owner or its mode.`)
  }
  if ((statSync(path).mode & 0o007) !== 0) {
    return finding('Data folder', 'note', `${path} is open to other accounts. Close it: chmod 700.`)
  }
  return finding('Data folder', 'ok', `${path} can be read and written.`)
}

export function checkDisk({ dataDir }: Settings): Finding {
  const { bavail, blocks, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const words = `${Math.floor(free / MIB)} MiB are free.`
  if (free < LEAST_FREE_BYTES) {
    const most = LEAST_FREE_BYTES / MIB
    return finding(
      'Disk',
      'wrong',
      `${words} Below ${most} MiB writes may be refused soon: make room, or keep details for fewer days (retention set).`,
    )
  }
  const isLittle = bavail < blocks * LITTLE_FREE_PART
  if (isLittle) return finding('Disk', 'note', `${words} That is less than a tenth of the disk.`)
  return finding('Disk', 'ok', words)
}

export function checkKeyFile({ masterKeys, dataDir }: Settings): Finding {
  if (masterKeys !== null) {
    const words =
      masterKeys.length === 1
        ? 'MASTER_KEY holds one key.'
        : `MASTER_KEY holds ${masterKeys.length} keys. Call master-key rotate, then keep the first alone.`
    return finding('Master key', masterKeys.length === 1 ? 'ok' : 'note', words)
  }
  const path = join(resolve(dataDir), 'master.key')
  if (!existsSync(path)) {
    return finding(
      'Master key',
      'wrong',
      `${path} is missing and MASTER_KEY is not set. Restore the file: sealed secrets open with no other key.`,
    )
  }
  if ((statSync(path).mode & 0o077) !== 0) {
    return finding('Master key', 'wrong', `${path} is open to other accounts. Close it: chmod 600.`)
  }
  return finding('Master key', 'ok', `${path} is there, for this account only.`)
}
