// Refuses requests that a page of another site may have caused (CSRF).

import { ApiError } from '../../lib/api-error.ts'
import { headerOf, type RequestContext } from '../kernel/context.ts'

/**
 * A page of another site cannot send `X-NC-Request`, because the dashboard's routes answer no preflight.
 * @throws ApiError `authorization/not-allowed` without that header and without an origin of this site.
 */
export function requireOwnOrigin(c: RequestContext, publicUrl: () => string): void {
  if (headerOf(c, 'x-nc-request') === '1') return
  const origin = headerOf(c, 'origin')
  if (origin !== undefined && origin === new URL(publicUrl()).origin) return
  throw new ApiError('authorization/not-allowed', {
    message: 'Send the header X-NC-Request: 1, or call from a page of this site.',
    reason: 'cross-site',
  })
}
