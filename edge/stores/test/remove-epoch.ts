// Removes the epoch from a closed SQLite store that tests copy: each copy gets its own when it is opened.

import { loadDriver } from '../sqlite/driver.ts'

export async function removeEpoch(path: string): Promise<void> {
  const connection = (await loadDriver()).open(path, 0)
  connection.exec(`DELETE FROM meta WHERE name = 'store_epoch'`)
  connection.close()
}
