// Defines the changes of how a person signs in that the person is informed about.

import type { Person } from './person.ts'

export type AccountChange =
  | 'password'
  | 'totp-on'
  | 'totp-off'
  | 'passkey-added'
  | 'passkey-removed'
  | 'passkeys-removed'

/** Informs the person by mail, after the change is stored. Never throws; without a mail server it does nothing. */
export type NotifyPerson = (
  person: Pick<Person, 'id' | 'email'>,
  change: AccountChange,
  correlationId: string | undefined,
) => void
