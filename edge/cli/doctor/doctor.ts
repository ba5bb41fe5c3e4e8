// Implements `nc doctor`, which reports the faults of a set-up.

import { findIgnoredParameters, findUnknownVariables, type Settings } from '../../config.ts'
import type { Command } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { checkAddress } from './check-address.ts'
import { checkDriver } from './check-driver.ts'
import { checkDisk, checkFolder, checkKeyFile, checkNode, checkWidget } from './check-machine.ts'
import { checkMailServer } from './check-mail-server.ts'
import { checkRedis } from './check-redis.ts'
import { checkReach } from './check-settings.ts'
import { checkInside, checkTables } from './check-store.ts'
import { checkTenants } from './check-tenants.ts'
import { type Finding, finding, messageOf } from './finding.ts'

export const doctorCommands: Command[] = [
  {
    noun: 'doctor',
    summary: 'Looks at settings, machine, store, Redis, secrets and environments, and reports what is wrong.',
    async run(_, context) {
      const findings = await examine(context)
      const wrong = findings.filter(({ verdict }) => verdict === 'wrong').length
      const rows = findings.map(({ check, verdict, words }) => [check, verdict, words])
      const last = wrong === 0 ? 'Nothing is wrong.' : `${wrong} of ${findings.length} checks found a fault.`
      const data = { healthy: wrong === 0, findings }
      return { data, lines: [last, ''], table: { columns: ['Check', 'Verdict', 'What'], rows }, failed: wrong > 0 }
    },
  },
]

/** Checks the base first: what depends on a faulty part is not checked. */
async function examine(context: CommandContext): Promise<Finding[]> {
  const settings = readSettings(context)
  if ('verdict' in settings) return [checkNode(), settings]
  const { databaseUrl, redisUrl } = settings
  const warnings = [...findUnknownVariables(context.env), ...findIgnoredParameters(context.env)]
  const unknown = warnings.map((words) => finding('Settings', 'note', words))
  const read = finding('Settings', 'ok', 'All settings can be read.')
  const found = [
    checkNode(),
    read,
    ...unknown,
    ...checkReach(settings),
    checkWidget(),
    ...(await checkRedis(redisUrl, databaseUrl)),
    ...(await checkMailServer(settings)),
  ]
  found.push(...(await checkDriver(databaseUrl)))
  const folder = checkFolder(settings)
  // With PostgreSQL the folder has no data that must be kept.
  if (databaseUrl === null || folder.verdict !== 'wrong') found.push(folder)
  if (databaseUrl === null && folder.verdict === 'wrong') return found
  if (folder.verdict !== 'wrong') found.push(checkDisk(settings))
  const key = checkKeyFile(settings)
  const { isSound, isInUse, found: tables } = await checkTables(context)
  found.push(key, ...tables, ...(await checkAddress(settings, isInUse)))
  if (!isSound) return found
  const inside = await checkInside(context)
  found.push(...inside)
  // The finding explains why the store cannot be opened.
  if (inside.some(({ check, verdict }) => check === 'Store' && verdict === 'wrong')) return found
  const hasKey = key.verdict !== 'wrong' || settings.masterKeys !== null
  return hasKey ? [...found, ...(await checkTenants(await context.tools()))] : found
}

function readSettings(context: CommandContext): Settings | Finding {
  try {
    return context.settings()
  } catch (error) {
    return finding('Settings', 'wrong', messageOf(error))
  }
}
