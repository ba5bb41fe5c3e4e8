// Suppresses an address of mail, and makes all nodes ask for suppressions after the first one of an environment.

import type { SuppressionReason } from '../../../contract/resources/suppression.ts'
import type { Bus } from '../../domain/bus.ts'
import type { SendRules } from '../../domain/sending/send-rules.ts'

export interface SuppressAddressDeps {
  sendRules: Pick<SendRules, 'suppress'>
  bus: Pick<Bus, 'publish'>
}

/** Nothing more is sent to the address; a repeat keeps the first reason. */
export async function suppressAddress(
  { sendRules, bus }: SuppressAddressDeps,
  { environmentId, address, reason }: { environmentId: number; address: string; reason: SuppressionReason },
  now: number,
): Promise<void> {
  const { first } = await sendRules.suppress({ environmentId, channel: 'email', address }, reason, now)
  if (first) bus.publish('send-rules-changed', { environmentId })
}

/** Suppresses the recipient of whom a provider says that there is no such mailbox. Does nothing for other outcomes. */
export async function suppressUnknown(
  deps: SuppressAddressDeps,
  environmentId: number,
  outcome: { outcome: string; unknownAddress?: string },
  now: number,
): Promise<void> {
  const { unknownAddress: address } = outcome
  if (address !== undefined) await suppressAddress(deps, { environmentId, address, reason: 'bounce' }, now)
}
