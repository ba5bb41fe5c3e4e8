// Suppresses an address of mail, and makes all nodes ask for suppressions after the first one of an environment.

import type { SuppressionReason } from '../../../contract/resources/suppression.ts'
import type { Core } from '../../domain/core.ts'

type Taken = Pick<Core, 'sendRules' | 'bus'>

/** Nothing more is sent to the address; a repeat keeps the first reason. */
export async function suppressAddress(
  { sendRules, bus }: Taken,
  { environmentId, address, reason }: { environmentId: number; address: string; reason: SuppressionReason },
  now: number,
): Promise<void> {
  const { first } = await sendRules.suppress({ environmentId, channel: 'email', address }, reason, now)
  if (first) bus.publish('send-rules-changed', { environmentId })
}

/** Suppresses the recipient of whom a provider says that there is no such mailbox. Does nothing for other outcomes. */
export async function suppressUnknown(
  deps: Taken,
  environmentId: number,
  outcome: { outcome: string; unknownAddress?: string },
  now: number,
): Promise<void> {
  const { unknownAddress: address } = outcome
  if (address !== undefined) await suppressAddress(deps, { environmentId, address, reason: 'bounce' }, now)
}
