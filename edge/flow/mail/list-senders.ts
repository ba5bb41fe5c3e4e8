// Lists the senders that a step may name: those that people of the organisation have entered.

import type { EmailLook } from '../../../contract/resources/notification-config.ts'

/** @returns the addresses of the config and of integrations, in lower case */
export function listSenders(look: EmailLook | undefined, others: readonly ({ address: string } | null)[]): string[] {
  const addresses = [look?.senderAddress, ...[...(look?.senders ?? []), ...others].map((one) => one?.address)]
  return addresses.filter((address) => address != null).map((address) => address.toLowerCase())
}
