// Serves GET and PUT /v1/inbox/preferences: categories, channels and quiet hours of the user.

import { z } from '@hono/zod-openapi'
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { JsonObject } from '../../../contract/json.ts'
import { freshParam } from '../../../contract/resources/page.ts'
import { type PreferencesInput, preferencesChange } from '../../../contract/resources/preferences.ts'
import { inboxPreferences } from '../../../contract/schemas.ts'
import { isTimeZone } from '../../domain/sending/quiet-hours.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Guard } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'

const PATH = '/v1/inbox/preferences'

export function addInboxPreferencesRoutes(
  http: Http,
  { managePreferences }: Pick<Services, 'managePreferences'>,
  guards: readonly Guard<'widget'>[] = [],
): void {
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
  addRoute<'widget', PreferencesInput>(
    http,
    {
      ...common,
      method: 'put',
      summary: 'Set channels of categories, and quiet hours; absent fields stay unchanged',
      body: preferencesChange,
      faults: findZoneFaults,
      answer,
      errors: ['request/rate-limited'],
    },
    (call) => managePreferences.put(call.session, call.body),
  )
}

function findZoneFaults({ quietHours }: JsonObject): ErrorDetail[] {
  const hasZone = typeof quietHours === 'object' && quietHours !== null && 'timeZone' in quietHours
  const zone = hasZone ? quietHours.timeZone : undefined
  if (typeof zone !== 'string' || zone.trim() === '' || zone.length > 64 || isTimeZone(zone)) return []
  return [{ path: 'quietHours.timeZone', message: 'This is no time zone such as Europe/London.' }]
}
