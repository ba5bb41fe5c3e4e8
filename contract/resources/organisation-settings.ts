// Describes the settings of an organisation: how long details are kept, and defaults for people and users.

import { z } from 'zod'
import { isLocale, withHyphens } from '../locale.ts'
import { textOf } from './fields.ts'

/** Ten years: beyond it, a number is a slip. */
export const MAX_RETENTION_DAYS = 3650
const RETENTION_RULE = `A whole number of days from 1 to ${MAX_RETENTION_DAYS}.`

export const retentionDays = z
  .number(RETENTION_RULE)
  .int(RETENTION_RULE)
  .min(1, RETENTION_RULE)
  .max(MAX_RETENTION_DAYS, RETENTION_RULE)

const settings = {
  retentionDays,
  locale: textOf(64, (text) => (isLocale(text) ? undefined : 'This is no locale such as en or pt-BR.'))
    .overwrite(withHyphens)
    .meta({ format: 'locale', example: 'en-GB' }),
  timeZone: textOf(64, (text) => (isTimeZone(text) ? undefined : 'This is no time zone such as Europe/London.')).meta({
    format: 'time-zone',
    example: 'Europe/London',
  }),
  /** Whether it is an address, the server tells. */
  contactEmail: textOf(320).meta({ format: 'email' }).nullable(),
}

export const organisationSettingsChange = z.object(settings).partial().meta({
  id: 'OrganisationSettingsChange',
  description: 'Absent fields keep their value, at first the default.',
})

/** As they are answered with their organisation. */
export const settingsOfOrganisation = z.object({
  retentionDays: z.number().int(),
  locale: z.string(),
  timeZone: z.string(),
  contactEmail: z.string().nullable(),
})

export const organisationSettings = settingsOfOrganisation
  .extend({ revision: z.number().int().meta({ description: 'That of the organisation.' }) })
  .meta({ id: 'OrganisationSettings' })

export type OrganisationSettingsChange = z.output<typeof organisationSettingsChange>
export type OrganisationSettings = z.output<typeof settingsOfOrganisation>

function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}
