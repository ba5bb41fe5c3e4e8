// Defines the organisation, which owns environments.

import type { AuditEntry } from './audit.ts'
import type { InboxPush } from './plan.ts'
import type { Revised } from './tenant/revised.ts'

export interface Organisation {
  id: number
  name: string
  /** Null until it is chosen, once. */
  region: string | null
  /** When its first environment was created, which completes the onboarding; null while that is open. */
  onboardedAt: number | null
  retentionDays: number
  createdAt: number
}

/** The tenant of a sandbox that stands for an organisation, where no environment is meant: negative, as no id of an environment is. */
export const tenantOfOrganisation = (organisationId: number): number => -organisationId

export interface NewOrganisation extends Organisation {}

/** Settings of an organisation other than its retention: defaults for its people and users. */
export interface SettingsDetail {
  /** BCP 47, such as `en-GB`; for users whose profile has none. */
  locale: string
  /** IANA, such as `Europe/London`; for users whose profile has none. */
  timeZone: string
  /** Contact address for the operator. */
  contactEmail: string | null
}

/** Created once, then changed (`organization-settings/already-exists`). */
export interface OrganisationSettings extends SettingsDetail {
  retentionDays: number
}

/** The person who creates an organisation and becomes its owner. */
export interface Founder {
  personId: number
  audit: AuditEntry
}

export interface Organisations {
  /** Writes the audit entry, if given, and the membership of the founder in the same transaction. */
  create(organisation: NewOrganisation, audit?: AuditEntry, founder?: Founder): Promise<void>
  find(id: number): Promise<Revised<Organisation> | undefined>
  list(): Promise<Organisation[]>
  /** False when it has a region already, or does not exist. */
  setRegion(id: number, region: string, audit: AuditEntry): Promise<boolean>
  /** Undefined before they are created. */
  findSettings(id: number): Promise<OrganisationSettings | undefined>
  /** Creates or replaces them. False when the organisation was changed since it was read, or does not exist. */
  saveSettings(id: number, revision: number, settings: OrganisationSettings, audit: AuditEntry): Promise<boolean>
}

/** The result of one step of retention. `rows` 0: nothing old enough is left. */
export interface PurgeStep {
  rows: number
  /** Messages removed from inboxes, to be published after the commit. */
  pushes: InboxPush[]
}

/** Removes details after a number of days; counters stay. */
export interface Retention {
  /**
   * Removes a limited number of the oldest details before an instant (epoch ms), in its own transaction. `byNotice`:
   * the caller has no bus, so a notice informs the nodes of changed inboxes.
   */
  purgeStep(environmentId: number, before: number, byNotice?: boolean): Promise<PurgeStep>
  /** Returns the instant of the oldest detail of an environment; null without one. */
  findOldestAt(environmentId: number): Promise<number | null>
  /** False when there is no such organisation. Writes the audit entry, if given, in the same transaction. */
  setDays(organisationId: number, days: number, audit?: AuditEntry): Promise<boolean>
}
