// Serves the first set-up of a new installation at /v1/dashboard/auth/setup.

import { me, setUp as setUpBody, setUpState } from '../../../contract/resources/own-account.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { CallHead } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'
import { beginSession, originOf, type SessionServices } from './begin-session.ts'
import { requireOwnOrigin } from './own-origin.ts'

const PATH = '/v1/dashboard/auth/setup'
const TAG = 'Dashboard sign-in'
const MAX_BYTES = 8 * 1024

export function addDashboardSetUpRoutes(
  http: Http,
  {
    setUp,
    isLocalCall,
    attempts,
    publicUrl,
    ...session
  }: SessionServices & Pick<Services, 'setUp' | 'isLocalCall' | 'attempts' | 'publicUrl'>,
): void {
  addRoute(
    http,
    {
      method: 'get',
      path: PATH,
      summary: 'Read whether the first set-up is open, and whether this caller needs its code',
      tag: TAG,
      caller: 'none',
      answer: { status: 200, schema: setUpState },
      errors: [],
    },
    async ({ c }) => {
      const open = await setUp.isOpen()
      return { open, needsCode: open && !isLocalCall(c) }
    },
  )
  addRoute(
    http,
    {
      method: 'post',
      path: PATH,
      summary: 'Create the first organisation and its owner, and sign in; once, while there is no member',
      tag: TAG,
      caller: 'none',
      guards: [({ c }: CallHead<'none'>) => requireOwnOrigin(c, publicUrl), () => setUp.requireOpen()],
      body: setUpBody,
      maxBytes: MAX_BYTES,
      answer: { status: 201, schema: me },
      errors: ['authorization/not-allowed', 'request/conflict', 'request/rate-limited'],
    },
    async (call) => {
      const { c } = call
      const origin = { isLocal: isLocalCall(c), ...originOf(call) }
      const { token } = await attempts.limit(c, 'set-up', () => setUp.setUp(call.body, origin))
      return beginSession(session, call, token)
    },
  )
}
