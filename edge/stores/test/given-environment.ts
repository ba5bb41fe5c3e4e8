// Fills a store with a closed environment for the tests of its file, and writes and reads that file.

import type { Stores } from '../../domain/stores.ts'
import type { TransportKey } from '../../lib/transport-key.ts'
import type { ExportSource } from '../portable/check-export.ts'
import { checkEnvironment, readHead } from '../portable/environment/check-environment.ts'
import { exportEnvironment } from '../portable/environment/export-environment.ts'
import { completeImport, importEnvironment } from '../portable/environment/import-environment.ts'
import type { MaintenanceStore } from '../portable/maintenance-store.ts'

export const ENVIRONMENT = 4096 * 1000
export const ORGANISATION = 4096 * 900
export const USERS = 700
export const NOW = Date.UTC(2026, 6, 1)

const open = async (sealed: string) => sealed.replace('sealed:', '')
const seal = async (text: string) => `sealed:${text}`

/** Creates the organisation with an environment of `USERS` users, which is closed. */
export async function fillEnvironment(stores: Stores): Promise<void> {
  await stores.organisations.create({
    ...{ id: ORGANISATION, name: 'Shop', region: 'eu', onboardedAt: 1, retentionDays: 90, createdAt: 1 },
  })
  const secret = { ...{ id: 4096 * 1001, environmentId: ENVIRONMENT, hash: 'h1', plain: null, lastUsedAt: null } }
  await stores.environments.create(
    {
      ...{ id: ENVIRONMENT, organisationId: ORGANISATION, name: 'prod', isProduction: true, allowedOrigins: [] },
      ...{ requireExpiringTokens: false, sdkKeyMayManage: false, identityProvider: null, publicKey: null },
      ...{ requirePublishApproval: true, publishRole: 'admin' },
      ...{ disabledAt: null, notificationConfigId: null, createdAt: 1, closedAt: NOW, closedFor: 'operator' },
    },
    [{ ...secret, kind: 'authSecretKey', sealed: await seal('a secret'), createdAt: 1, retiresAt: null }],
  )
  const all = Array.from({ length: USERS }, (_, n) => `u${n}`)
  await stores.topics.change(ENVIRONMENT, 'all', all, [], 1)
  for (const userId of all.slice(0, 5)) await stores.users.upsert(ENVIRONMENT, userId, { name: `N ${userId}` }, 5)
}

export const sourceOf = (lines: readonly string[]): ExportSource => ({
  async *lines() {
    yield* lines
  },
})

/** Ends with an error after so many rows. */
export const interruptedAfter = (lines: readonly string[], rows: number): ExportSource => ({
  async *lines() {
    let left = rows
    for (const line of lines) {
      if (line.startsWith('[') && left-- === 0) throw new Error('killed')
      yield line
    }
  },
})

/** @returns The lines of the file. */
export async function exportLines(store: MaintenanceStore, key: TransportKey, salt: string): Promise<string[]> {
  const lines: string[] = []
  const given = { environmentId: ENVIRONMENT, takenAt: '2026-07-01T00:00:00.000Z', region: 'eu', salt, key, open }
  await exportEnvironment(store, { write: (line) => void lines.push(line) }, given)
  return lines
}

/** @param source The lines as they are read the second time; the file itself without it */
export async function importLines(
  store: MaintenanceStore,
  key: TransportKey,
  lines: readonly string[],
  source = sourceOf(lines),
): Promise<void> {
  const checked = await checkEnvironment(sourceOf(lines), await readHead(sourceOf(lines)), key)
  const given = { key, seal, organisationId: null, now: () => NOW, restMs: () => 0 }
  await importEnvironment(store, source, checked, given)
  await completeImport(store, checked, NOW)
}
