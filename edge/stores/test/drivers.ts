// Lists the SQLite drivers that the store's tests run on.

import { createRequire } from 'node:module'
import type { DriverName } from '../sqlite/driver.ts'

/** Both drivers; only libsql where npm could not build better-sqlite3. `npm test` prints which of them there are. */
export const DRIVERS: readonly [DriverName, ...DriverName[]] = isInstalled('better-sqlite3')
  ? ['better-sqlite3', 'libsql']
  : ['libsql']

/** Only checks the package: one that is installed and does not load must fail its tests. */
function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}
