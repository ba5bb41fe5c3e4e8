// Describes the table of notification configs.

import type { ConfigContent } from '../../../contract/resources/notification-config.ts'
import { integer, json, table, text } from './table.ts'

/** Configs from before a field existed have none. */
type StoredContent = Omit<ConfigContent, 'siteUrl'> & Partial<Pick<ConfigContent, 'siteUrl'>>

export const NOTIFICATION_CONFIG = table('notification_config', {
  id: integer(),
  organisationId: integer(),
  name: text(),
  content: json<StoredContent>(),
  createdAt: integer(),
  updatedAt: integer(),
  revision: integer(),
})
