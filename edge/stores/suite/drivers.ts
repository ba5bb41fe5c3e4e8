// Lists the SQLite drivers that the store's tests run on.

import { createRequire } from 'node:module'
import type { DriverName } from '../sqlite-driver.ts'

/**
 * Both drivers; only libsql where npm omitted better-sqlite3 because it could not be built. `npm test` prints which.
 */
export const DRIVERS: readonly [DriverName, ...DriverName[]] = isInstalled('better-sqlite3')
  ? ['better-sqlite3', 'libsql']
  : ['libsql']

/** An installed package that does not load fails its tests. */
function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}
