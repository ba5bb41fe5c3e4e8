// Defines the notification config: a named set of an organisation that campaigns refer to.

import type { ConfigContent } from '../../../contract/resources/notification-config.ts'
import type { AuditEntry } from '../audit.ts'
import type { Revised } from './revised.ts'

export interface NotificationConfig extends ConfigContent {
  id: number
  organisationId: number
  /** Unique in the organisation. */
  name: string
  createdAt: number
  updatedAt: number
}

/** What names a config: environments, and keys of campaigns that are not archived; the first of each. */
export interface ConfigUses {
  environments: string[]
  campaigns: string[]
}

export interface NotificationConfigs {
  /** False when the organisation has one of that name. Writes the audit entry in the same transaction. */
  insertOnce(config: NotificationConfig, audit: AuditEntry): Promise<boolean>
  /**
   * Updates name and content. `taken`: another config has the name; `changed`: the config was changed since it was
   * read.
   */
  save(config: Revised<NotificationConfig>, audit: AuditEntry): Promise<'saved' | 'taken' | 'changed'>
  /** Removes a config that nothing names. Returns what names it; `changed`: it was changed or removed since it was read. */
  remove(config: Revised<NotificationConfig>, audit: AuditEntry): Promise<ConfigUses | 'changed'>
  /** Finds one of any organisation: callers compare `organisationId`, because their answers differ. */
  find(id: number): Promise<Revised<NotificationConfig> | undefined>
  /** Reads many in one query, of any organisation. */
  findMany(ids: number[]): Promise<NotificationConfig[]>
  /** Newest first. */
  list(organisationId: number, before: number | null, limit: number): Promise<Revised<NotificationConfig>[]>
  /** Reads those of the names in one query. */
  findByNames(organisationId: number, names: string[]): Promise<NotificationConfig[]>
}
