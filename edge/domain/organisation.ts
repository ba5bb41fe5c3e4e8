// The organisation: owner of environments (specification section 2.8).

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
  create(organisation: NewOrganisation): Promise<void>
  addMember(member: NewMember): Promise<void>
  find(id: number): Promise<Organisation | undefined>
  list(): Promise<Organisation[]>
}

/** What one step of retention did. `rows` 0: nothing is left that is old enough. */
export interface PurgeStep {
  rows: number
  /** Messages that went out of inboxes (`remove`); to be published after the commit. */
  pushes: InboxPush[]
}

/** Retention: details go after a number of days, counters stay (contract section 7). */
export interface Retention {
  /** Removes a bounded number of the oldest details before an instant (epoch ms), in a transaction of its own. */
  purgeStep(environmentId: number, before: number): Promise<PurgeStep>
  /** When the oldest detail of an environment came; null when there is none. */
  findOldestAt(environmentId: number): Promise<number | null>
  /** False when there is no such organisation. */
  setDays(organisationId: number, days: number): Promise<boolean>
}
