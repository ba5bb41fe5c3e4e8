// Spoils stored versions of campaigns, as a fault of an earlier release could have.

import { join } from 'node:path'
import { loadDriver } from '../sqlite/driver.ts'

/** Gives the e-mail steps of a campaign's versions a type that does not exist. The SQLite store is closed. */
export async function spoilVersions(dataDir: string, campaignId: number): Promise<void> {
  const connection = (await loadDriver()).open(join(dataDir, 'store.db'), 1000)
  connection.exec(
    `UPDATE campaign_version SET definition = REPLACE(definition, '"type":"email"', '"type":"nothing"') WHERE campaign_id = ${campaignId}`,
  )
  connection.close()
}
