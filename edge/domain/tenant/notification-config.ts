// The notification config: a named set of an organisation that campaigns refer to (specification section 2.8, contract section 11).

import type { AuditEntry } from '../audit.ts'

export interface ConfigCategory {
  key: string
  name: string
  /** Its messages are sent whatever the user prefers. */
  critical: boolean
  /** Where it goes unless the user prefers otherwise. */
  channels: { inbox: boolean; email: boolean }
}

export interface WidgetLook {
  theme: 'auto' | 'light' | 'dark'
  /** `#rrggbb`; null: the widget's own. */
  accentColor: string | null
  /** Texts in place of the widget's own, by locale and name of the text. */
  texts: Record<string, Record<string, string>>
}

export interface EmailLook {
  senderName: string | null
  /** Null: the address of the integration that sends. */
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
  /** False when the organisation has one of that name. The audit entry is written in the same transaction. */
  insertOnce(config: NotificationConfig, audit: AuditEntry): Promise<boolean>
  /** Writes name and content. False when the name is another one's. */
  save(config: NotificationConfig, audit: AuditEntry): Promise<boolean>
  /** Of any organisation: whoever asks compares `organisationId`, because the answers for none and for another's differ. */
  find(id: number): Promise<NotificationConfig | undefined>
  /** One query for many, of any organisation. */
  findMany(ids: number[]): Promise<NotificationConfig[]>
  /** Newest first. */
  list(organisationId: number, before: number | null, limit: number): Promise<NotificationConfig[]>
  findByName(organisationId: number, name: string): Promise<NotificationConfig | undefined>
}
