// Logs at a start what `nc doctor` would find wrong with settings, machine, helpers and waiting work.

import type { Settings } from '../../config.ts'
import type { Stores } from '../../domain/stores.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { checkAddressAtStart } from './check-address.ts'
import { checkDriver } from './check-driver.ts'
import { checkDisk, checkFolder, checkKeyFile, checkNode, checkWidget } from './check-machine.ts'
import { checkMailServer } from './check-mail-server.ts'
import { checkRedis } from './check-redis.ts'
import { checkReach } from './check-settings.ts'
import { checkWork } from './check-store.ts'
import type { Finding } from './finding.ts'

export interface StartChecks {
  settings: Settings
  stores: Pick<Stores, 'waitings' | 'givenUps' | 'doubts'>
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
}

/**
 * Logs what is wrong as a warning, what is worth a look at level `info`. Environments are left to `nc doctor`: there may be
 * thousands. @returns A function after which nothing more is logged: a silent mail server is waited for beyond a stop.
 */
export function logFindings({ settings, stores, clock, log }: StartChecks): () => void {
  let isStopped = false
  const checks: (() => Finding[] | Promise<Finding[]>)[] = [
    () => [checkNode(), checkWidget(), checkFolder(settings), checkDisk(settings), checkKeyFile(settings)],
    () => checkDriver(settings.databaseUrl),
    () => checkReach(settings),
    () => checkAddressAtStart(settings),
    () => checkRedis(settings.redisUrl, settings.databaseUrl),
    () => checkMailServer(settings),
    () => checkWork(stores, clock),
  ]
  for (const check of checks) void logCheck(check)

  async function logCheck(check: (typeof checks)[number]): Promise<void> {
    try {
      const findings = await check()
      if (!isStopped) for (const one of findings) logFinding(log, one)
    } catch (error) {
      if (!isStopped) log.warn('start check failed', { error })
    }
  }
  return () => {
    isStopped = true
  }
}

function logFinding(log: StartChecks['log'], { check, verdict, words }: Finding): void {
  if (verdict === 'wrong') log.warn('the doctor finds a fault', { kind: check, reason: words })
  else if (verdict === 'note') log.info('the doctor has a note', { kind: check, reason: words })
}
