// Declares the function that commits a plan of any kind and publishes its changes.

import type { MailOutcome, MailPlan } from './mail/mail.ts'
import type { PurgeStep } from './organisation.ts'
import type { DeliveryOutcome, DeliveryPlan, InboxOutcome, InboxPlan, TrackOutcome, TrackPlan } from './plan.ts'

/** Removes a bounded part of the rows of an environment that are older than `before` (epoch ms). */
export interface PurgePlan {
  kind: 'purge'
  environmentId: number
  before: number
}

/** Resolves after the commit, with its changes published. Rejects, with nothing published, when nothing was committed. */
export interface CommitPlan {
  (plan: TrackPlan): Promise<TrackOutcome>
  (plan: DeliveryPlan): Promise<DeliveryOutcome>
  (plan: InboxPlan): Promise<InboxOutcome>
  (plan: MailPlan): Promise<MailOutcome>
  (plan: PurgePlan): Promise<PurgeStep>
}
