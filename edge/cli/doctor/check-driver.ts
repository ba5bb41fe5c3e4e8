// Checks for `nc doctor` and for a start that the faster driver of SQLite works, which a change of Node.js may end.

import { IS_ARCHIVE } from '../../lib/command-line.ts'
import { loadDriver } from '../../stores/sqlite/driver.ts'
import { type Finding, finding } from './finding.ts'

/** @returns No finding with PostgreSQL. */
export async function checkDriver(databaseUrl: string | null): Promise<Finding[]> {
  if (databaseUrl !== null) return []
  const { name, fault } = await loadDriver()
  if (fault === undefined) return [finding('SQLite driver', 'ok', `${name} works.`)]
  return [
    finding(
      'SQLite driver',
      'note',
      `better-sqlite3 does not work here, so ${name} takes its place, with some two thirds of its commits. ${remedyFor(fault)}`,
    ),
  ]
}

/** @param fault Why the driver could not be loaded. */
export function remedyFor(fault: unknown, isArchive = IS_ARCHIVE): string {
  if (isArchive)
    return 'Start the archive with the major version of Node.js that packed it, on the same kind of machine.'
  const words = fault instanceof Error ? fault.message : ''
  // The second attempt of a process has the second message.
  if (/NODE_MODULE_VERSION|did not self-register/.test(words)) {
    return 'It was installed for another version of Node.js. Run npm rebuild better-sqlite3.'
  }
  if (/^Cannot find (package|module) 'better-sqlite3'/.test(words)) return 'It is not installed. Run npm ci.'
  return 'Its binary is missing or faulty. Run npm rebuild better-sqlite3.'
}
