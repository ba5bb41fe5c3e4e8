// `nc doctor`: says in words what is wrong with a set-up (contract section 12).

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadMasterKeys } from '../../auth/master-key.ts'
import type { Settings } from '../../config.ts'
import { createSealer } from '../../lib/seal.ts'
import { isSqliteInUse } from '../../stores/sqlite-backup.ts'
import type { Command } from '../command.ts'
import type { Workplace } from '../workplace.ts'

interface Finding {
  check: string
  verdict: 'ok' | 'note' | 'wrong'
  words: string
}

const LEAST_FREE_BYTES = 512 * 1024 * 1024
const LEAST_NODE = [20, 19] as const
const WIDGET = fileURLToPath(new URL('../../../widget/dist/notification-center.js', import.meta.url))

export const doctorCommands: Command[] = [
  {
    noun: 'doctor',
    summary: 'Looks at settings, data folder, permissions, master key, store, disk and builds, and says what is wrong.',
    async run(_, place) {
      const findings = await examine(place)
      const wrong = findings.filter(({ verdict }) => verdict === 'wrong').length
      const rows = findings.map(({ check, verdict, words }) => [check, verdict, words])
      const last = wrong === 0 ? 'Nothing is wrong.' : `${wrong} of ${findings.length} checks found a fault.`
      const data = { healthy: wrong === 0, findings }
      return { data, lines: [last, ''], table: { columns: ['Check', 'Verdict', 'What'], rows }, failed: wrong > 0 }
    },
  },
]

async function examine(place: Workplace): Promise<Finding[]> {
  const settings = readSettings(place)
  if ('verdict' in settings) return [checkNode(), settings]
  const folder = checkFolder(settings)
  const found = [checkNode(), finding('Settings', 'ok', 'All settings can be read.'), folder, checkWidget()]
  if (folder.verdict === 'wrong') return found
  return [
    ...found,
    checkDisk(settings),
    await checkLock(settings),
    checkKeyFile(settings),
    ...(await checkStore(place)),
  ]
}

function finding(check: string, verdict: Finding['verdict'], words: string): Finding {
  return { check, verdict, words }
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isEnough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])
  const words = `Node.js ${process.versions.node}; ${LEAST_NODE.join('.')} or later is wanted.`
  return finding('Node.js', isEnough ? 'ok' : 'wrong', words)
}

function readSettings(place: Workplace): Settings | Finding {
  try {
    return place.settings()
  } catch (error) {
    return finding('Settings', 'wrong', error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error))
  }
}

function checkFolder({ dataDir }: Settings): Finding {
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

function checkDisk({ dataDir }: Settings): Finding {
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const words = `${Math.floor(free / 1024 / 1024)} MiB are free.`
  if (free >= LEAST_FREE_BYTES) return finding('Disk', 'ok', words)
  return finding(
    'Disk',
    'wrong',
    `${words} Below ${LEAST_FREE_BYTES / 1024 / 1024} MiB writes may fail soon: make room.`,
  )
}

async function checkLock({ dataDir }: Settings): Promise<Finding> {
  const isInUse = await isSqliteInUse(dataDir)
  return finding('Server', 'ok', isInUse ? 'A server works on the folder.' : 'No server works on the folder.')
}

function checkKeyFile({ masterKeys, dataDir }: Settings): Finding {
  if (masterKeys !== null) return finding('Master key', 'ok', `MASTER_KEY holds ${masterKeys.length} key(s).`)
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

/** Opens nothing when there is no key: that would make a new one. */
async function checkStore(place: Workplace): Promise<Finding[]> {
  const settings = place.settings()
  if (settings.masterKeys === null && !existsSync(join(settings.dataDir, 'master.key'))) return []
  try {
    const { stores } = await place.tools()
    await stores.ping()
    return [finding('Store', 'ok', `${stores.engine}, with tables of this version.`), await checkSealed(place)]
  } catch (error) {
    return [finding('Store', 'wrong', error instanceof Error ? error.message : String(error))]
  }
}

async function checkSealed(place: Workplace): Promise<Finding> {
  const settings = place.settings()
  const { stores } = await place.tools()
  const sealer = createSealer(await loadMasterKeys(settings.masterKeys, settings.dataDir))
  let afterId = 0
  let count = 0
  for (;;) {
    const page = await stores.rotations.listSealed(afterId, 100)
    for (const { id, sealed } of page) {
      afterId = id
      count++
      try {
        sealer.open(sealed)
      } catch {
        const words =
          'A secret does not open with the master key. Set MASTER_KEY to the list that has the former key too.'
        return finding('Sealed secrets', 'wrong', words)
      }
    }
    if (page.length < 100) return finding('Sealed secrets', 'ok', `All ${count} open with the master key.`)
  }
}

function checkWidget(): Finding {
  if (existsSync(WIDGET)) return finding('Widget', 'ok', 'The widget is built.')
  return finding('Widget', 'wrong', 'The widget is not built: pages get no bell. Run npm run build.')
}
