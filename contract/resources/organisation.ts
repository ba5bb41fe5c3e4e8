// Describes an organisation: its creation, its region, and the steps of its onboarding.

import { z } from 'zod'
import { nameField } from './fields.ts'
import { role } from './member.ts'
import { settingsOfOrganisation } from './organisation-settings.ts'

export const ONBOARDING_STEPS = ['region', 'settings', 'environment'] as const
const [first, second, third] = ONBOARDING_STEPS

export const newOrganisation = z.object({ name: nameField }).meta({ id: 'NewOrganisation' })

/** Which regions are served, the server tells. */
export const regionChoice = z.object({ region: z.string().min(1).max(64) }).meta({ id: 'RegionChoice' })

export const organisation = z
  .object({
    id: z.string(),
    name: z.string(),
    region: z.string().nullable(),
    /** The address that serves the region; null without a region, and for another region that REGION_HOSTS has not. */
    host: z.string().nullable(),
    role,
    // Not the named schema: the reference would let its answers be null, too.
    settings: settingsOfOrganisation.nullable(),
    onboarding: z.object({
      completed: z.boolean(),
      completedAt: z.iso.datetime().nullable(),
      steps: z.object({ [first]: z.boolean(), [second]: z.boolean(), [third]: z.boolean() }),
      /** The first step that is open; null when the onboarding is completed. */
      next: z.enum(ONBOARDING_STEPS).nullable(),
    }),
    regions: z
      .array(z.object({ region: z.string(), host: z.string().nullable() }))
      .meta({ description: 'Those that may be chosen.' }),
    createdAt: z.iso.datetime(),
    revision: z.number().int(),
  })
  .meta({ id: 'Organisation' })

export type OnboardingStep = (typeof ONBOARDING_STEPS)[number]
export type OrganisationAnswer = z.output<typeof organisation>
