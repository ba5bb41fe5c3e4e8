// The organisation: owner of environments (specification section 2.8).

import type { AuditEntry } from './audit.ts'
import type { InboxPush } from './plan.ts'

export interface Organisation {
  id: number
  name: string
  region: string | null
  onboardedAt: number | null
  retentionDays: number
  createdAt: number
}

export interface NewOrganisation extends Organisation {}

/** What an organisation settles beside its retention: the defaults of its people and users. */
export interface SettingsDetail {
  /** BCP 47, such as `en-GB`; for users whose profile has none. */
  locale: string
  /** IANA, such as `Europe/London`. */
  timeZone: string
  /** Whom the operator writes to. */
  contactEmail: string | null
}

/** Created once, then changed (`organization-settings/already-exists`). */
export interface OrganisationSettings extends SettingsDetail {
  retentionDays: number
}

/** A person who signs in to the dashboard, with the role on one organisation. The password is a scrypt hash. */
export interface NewMember {
  organisationId: number
  email: string
  name: string
  role: 'owner' | 'admin' | 'editor' | 'viewer'
  passwordHash: string
  createdAt: number
}

export interface Organisations {
  /** With the audit entry in the same transaction, when there is one. */
  create(organisation: NewOrganisation, audit?: AuditEntry): Promise<void>
  addMember(member: NewMember): Promise<void>
  find(id: number): Promise<Organisation | undefined>
  list(): Promise<Organisation[]>
  /** False when it has a region already, or there is no such organisation. */
  setRegion(id: number, region: string, audit: AuditEntry): Promise<boolean>
  /** Undefined while there are none. */
  findSettings(id: number): Promise<OrganisationSettings | undefined>
  /** Creates them (`once`) or changes those that exist. False when that is not how it stands, or there is no such organisation. */
  saveSettings(id: number, settings: OrganisationSettings, once: boolean, audit: AuditEntry): Promise<boolean>
}

/** What one step of retention did. `rows` 0: nothing is left that is old enough. */
export interface PurgeStep {
  rows: number
  /** Messages that went out of inboxes (`remove`); to be published after the commit. */
  pushes: InboxPush[]
}

/** Retention: details go after a number of days, counters stay (contract section 7). */
export interface Retention {
  /**
   * Removes a bounded number of the oldest details before an instant (epoch ms), in a transaction of its own. `byNotice`: the
   * caller has no bus, so nodes hear of the changed inboxes by a notice.
   */
  purgeStep(environmentId: number, before: number, byNotice?: boolean): Promise<PurgeStep>
  /** When the oldest detail of an environment came; null when there is none. */
  findOldestAt(environmentId: number): Promise<number | null>
  /** False when there is no such organisation. The audit entry, where there is one, is written in the same transaction. */
  setDays(organisationId: number, days: number, audit?: AuditEntry): Promise<boolean>
}
