// Describes the table of organisations.

import type { Organisation, SettingsDetail } from '../../domain/organisation.ts'
import { type ColumnsOf, integer, json, namesOf, orNull, table, text } from './table.ts'

const organisation = {
  id: integer(),
  name: text(),
  region: orNull(text()),
  onboardedAt: orNull(integer()),
  retentionDays: integer(),
  createdAt: integer(),
} satisfies ColumnsOf<Organisation>

export const ORGANISATION = table('organisation', {
  ...organisation,
  /** Null: they were not created yet. */
  settings: orNull(json<SettingsDetail>()),
  revision: integer(),
})

export const ORGANISATION_FIELDS = namesOf(organisation)
