// Defines the first set-up: the first organisation and its owner, while no organisation has a member.

import type { AuditEntry } from '../audit.ts'
import type { NewOrganisation } from '../organisation.ts'
import type { Account } from './person.ts'

export interface SetUps {
  /** Whether any organisation has a member. */
  hasMembers(): Promise<boolean>
  /**
   * Creates the organisation and its owner with their audit entries.
   * @returns False when there is a member by now: of two calls at the same moment, one sets up.
   */
  setUp(organisation: NewOrganisation, owner: Account, audit: AuditEntry[]): Promise<boolean>
}
