// Serves GET and PUT /v1/inbox/preferences: categories, channels and quiet hours of the user.

import { z } from '@hono/zod-openapi'
import type { JsonObject } from '../../../contract/json.ts'
import { freshParam } from '../../../contract/resources/page.ts'
import { channelSwitches, clockTime, inboxPreferences } from '../../../contract/schemas.ts'
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

const zone = z.string().min(1).max(64).openapi({ format: 'time-zone', example: 'Europe/London' })

/** For the reference only: `domain/sending/parse-preferences.ts` validates the body and reports all errors with their path. */
const changeSchema = z
  .object({
    categories: z.array(z.object({ key: z.string(), channels: channelSwitches.partial() })).optional(),
    quietHours: z
      .object({ start: clockTime, end: clockTime, timeZone: zone.nullable().optional() })
      .nullable()
      .optional(),
  })
  .openapi('PreferencesChange', {
    description: 'Absent fields stay unchanged; `quietHours: null` removes the quiet hours.',
    ...atLeastOne('categories', 'quietHours'),
  })

export function addInboxPreferencesRoutes(http: Http, { managePreferences, guards = [] }: InboxPreferencesDeps): void {
  const common = { path: PATH, tag: 'Inbox', caller: 'widget', guards } as const
  const answer = { status: 200, schema: inboxPreferences }
  addRoute(
    http,
    {
      ...common,
      method: 'get',
      summary: 'Read the channels of each category, and the quiet hours',
      query: z.object({ fresh: freshParam }),
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
