// Reads the settings of an organisation (contract section 11: retention "and the rest").

import type { ErrorDetail } from '../../../contract/errors.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { OrganisationSettings } from '../organisation.ts'
import { createReader, isRecord } from '../steps/reader.ts'
import { isAddress, isLocale } from './parse-config.ts'

const MOST_DAYS = 3650

export const DEFAULT_SETTINGS: OrganisationSettings = {
  retentionDays: 90,
  locale: 'en',
  timeZone: 'UTC',
  contactEmail: null,
}

/** What is absent stays as `former` has it; null takes the contact away. Throws `request/invalid-body` with `details`. */
export function parseSettings(input: unknown, former: OrganisationSettings): OrganisationSettings {
  if (!isRecord(input)) throw new ApiError('request/invalid-body', { message: 'Settings are an object.' })
  const faults: ErrorDetail[] = []
  const reader = createReader(input, '', faults)
  const days = reader.raw('retentionDays') ?? former.retentionDays
  if (typeof days !== 'number' || !Number.isInteger(days) || days < 1 || days > MOST_DAYS) {
    reader.fault('retentionDays', `A whole number of days from 1 to ${MOST_DAYS}.`)
  }
  const locale = reader.optionalText('locale', 64) ?? former.locale
  if (!isLocale(locale)) reader.fault('locale', 'This is no locale such as en or pt-BR.')
  const timeZone = reader.optionalText('timeZone', 64) ?? former.timeZone
  if (!isTimeZone(timeZone)) reader.fault('timeZone', 'This is no time zone such as Europe/London.')
  const contact = reader.optionalText('contactEmail', 320)
  if (contact !== undefined && !isAddress(contact)) reader.fault('contactEmail', 'This is no e-mail address.')
  if (faults.length > 0) throw new ApiError('request/invalid-body', { details: faults })
  const contactEmail = reader.isNull('contactEmail') ? null : (contact ?? former.contactEmail)
  return { retentionDays: days as number, locale, timeZone, contactEmail }
}

function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}
