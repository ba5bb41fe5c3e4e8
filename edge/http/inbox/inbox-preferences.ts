// Serves GET and PUT /v1/inbox/preferences: categories, channels and quiet hours of the user.

import { z } from '@hono/zod-openapi'
import { byChannel } from '../../../contract/delivery.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { ManagePreferences } from '../../flow/inbox/manage-preferences.ts'
import type { Http } from '../http.ts'
import { atLeastOne } from '../reference.ts'
import { addRoute } from '../route.ts'
import type { Guard } from '../route-spec.ts'

export interface InboxPreferencesDeps {
  managePreferences: ManagePreferences
  /** Rate limits of inbox calls. */
  guards?: readonly Guard<'widget'>[]
}

const PATH = '/v1/inbox/preferences'

const time = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
  .openapi({ description: 'HH:MM', example: '22:00' })
const channels = z.object(
  byChannel(({ needsAddress }) =>
    needsAddress
      ? z.boolean().optional().openapi({ description: 'Present only if the environment can send on this channel.' })
      : z.boolean(),
  ),
)

const preferencesSchema = z
  .object({
    categories: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        critical: z.boolean().openapi({ description: 'Always sent, whatever the preferences are.' }),
        channels,
      }),
    ),
    quietHours: z.object({ start: time, end: time, timeZone: z.string() }).nullable(),
  })
  .openapi('Preferences')

const zone = z.string().min(1).max(64).openapi({ format: 'time-zone', example: 'Europe/London' })

/** For the reference only: `domain/sending/parse-preferences.ts` validates the body and reports all errors with their path. */
const changeSchema = z
  .object({
    categories: z.array(z.object({ key: z.string(), channels: channels.partial() })).optional(),
    quietHours: z.object({ start: time, end: time, timeZone: zone.nullable().optional() }).nullable().optional(),
  })
  .openapi('PreferencesChange', {
    description: 'Absent fields stay unchanged; `quietHours: null` removes the quiet hours.',
    ...atLeastOne('categories', 'quietHours'),
  })

export function addInboxPreferencesRoutes(http: Http, { managePreferences, guards = [] }: InboxPreferencesDeps): void {
  const common = { path: PATH, tag: 'Inbox', caller: 'widget', guards } as const
  const answer = { status: 200, schema: preferencesSchema }
  addRoute(
    http,
    {
      ...common,
      method: 'get',
      summary: 'Read the channels of each category, and the quiet hours',
      answer,
      errors: ['request/rate-limited'],
    },
    (call) => managePreferences.get(call.session),
  )
  addRoute<'widget', JsonObject>(
    http,
    {
      ...common,
      method: 'put',
      summary: 'Set channels of categories, and quiet hours; absent fields stay unchanged',
      ownBody: changeSchema,
      answer,
      errors: ['request/rate-limited'],
    },
    (call) => managePreferences.put(call.session, call.body),
  )
}
