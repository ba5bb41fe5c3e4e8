// Finds what is doubtful in a change of a profile: a locale or time zone that nothing knows, an address that no mail goes to.

import type { Doubt, RecordDoubt } from '../../domain/doubt.ts'
import { findTimeZone } from '../../domain/sending/time-zone.ts'
import { isKnownLocale } from '../../domain/tenant/locale-tags.ts'
import type { ProfileChange } from '../../domain/user.ts'
import { isOddAddress } from '../../lib/mail-address.ts'

/** Records the doubts of a change that was written. */
export function doubtProfile(record: RecordDoubt, environmentId: number, userId: string, change: ProfileChange): void {
  const { email, locale, timeZone } = change
  const doubtOf = (kind: Doubt['kind'], message: string, example: string): Doubt => ({
    kind,
    subject: { type: 'user', id: userId },
    message,
    example,
    userId,
  })
  if (isWritten(email) && isOddAddress(email)) {
    const message = 'The e-mail address is not valid: the user gets no mail.'
    record(environmentId, doubtOf('invalid-email', message, email))
  }
  if (isWritten(locale) && !isKnownLocale(locale)) {
    const message = 'The locale is no language: the user gets the texts of the default language.'
    record(environmentId, doubtOf('unknown-locale', message, locale))
  }
  if (isWritten(timeZone) && findTimeZone(timeZone) === undefined) {
    const message = 'The time zone is unknown: the default of the organisation holds, else UTC.'
    record(environmentId, doubtOf('unknown-time-zone', message, timeZone))
  }
}

const isWritten = (text: string | null | undefined): text is string => typeof text === 'string' && text.trim() !== ''
