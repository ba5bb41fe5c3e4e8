// Defines the notification config: a named set of an organisation that campaigns refer to.

import type { Appearance } from '../../../contract/api.ts'
import type { Channel } from '../../../contract/delivery.ts'
import type { AuditEntry } from '../audit.ts'
import type { Revised } from './revised.ts'

export interface ConfigCategory {
  key: string
  name: string
  /** Its messages are sent whatever the user prefers. */
  critical: boolean
  /** Default channels, which preferences override. */
  channels: Record<Channel, boolean>
}

export interface WidgetLook extends Omit<Appearance, 'texts'> {
  /** Texts that replace the widget's own, by locale and name of the text. */
  texts: Record<string, Appearance['texts']>
}

export interface EmailLook {
  senderName: string | null
  /** Null: the address of the sending integration. */
  senderAddress: string | null
  replyTo: string | null
  /** Liquid around each mail, with `{{ content }}` in it; null: none. */
  layout: string | null
  tracking: { opens: boolean; clicks: boolean }
}

export interface ConfigContent {
  categories: ConfigCategory[]
  widget: WidgetLook
  email: EmailLook
}

export interface NotificationConfig extends ConfigContent {
  id: number
  organisationId: number
  /** Unique in the organisation. */
  name: string
  createdAt: number
  updatedAt: number
}

export interface NotificationConfigs {
  /** False when the organisation has one of that name. Writes the audit entry in the same transaction. */
  insertOnce(config: NotificationConfig, audit: AuditEntry): Promise<boolean>
  /**
   * Updates name and content. `taken`: another config has the name; `changed`: the config was changed since it was
   * read.
   */
  save(config: Revised<NotificationConfig>, audit: AuditEntry): Promise<'saved' | 'taken' | 'changed'>
  /** Finds one of any organisation: callers compare `organisationId`, because their answers differ. */
  find(id: number): Promise<Revised<NotificationConfig> | undefined>
  /** Reads many in one query, of any organisation. */
  findMany(ids: number[]): Promise<NotificationConfig[]>
  /** Newest first. */
  list(organisationId: number, before: number | null, limit: number): Promise<NotificationConfig[]>
  findByName(organisationId: number, name: string): Promise<NotificationConfig | undefined>
}
