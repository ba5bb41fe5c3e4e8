// Serves GET /openapi.json: OpenAPI 3.1, generated from the schemas of the routes.

import type { HttpApp } from '../kernel/context.ts'
import type { Http } from '../kernel/http.ts'
import type { Services } from '../kernel/services.ts'
import { addFileRoute, fileAnswer, type ServedFile, toServedFile } from './file-route.ts'

const DESCRIPTION = `Tracked events in, notifications out. Every answer carries \`X-Correlation-Id\`; a valid one that the caller sent is kept.
An error is \`{ code, message, correlationId }\` with further fields for some codes; branch on \`code\`. Lists are \`{ data, nextCursor }\`, newest first.
Each operation that takes an sdkSecretKey and has \`x-dashboard-role\` is also served, with the same bodies and answers, below \`/v1/dashboard/environments/{envId}\` in place of \`/v1\`, for people who have at least that role.`

/** Generates the OpenAPI document. Must be called after all routes are added. */
export function describeApi(app: HttpApp, about: { version: string; publicUrl: string }): object {
  const registry = app.openAPIRegistry
  registry.registerComponent('securitySchemes', 'sdkSecretKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'The sdkSecretKey of an environment. Never in a browser or an app.',
  })
  registry.registerComponent('securitySchemes', 'widgetSession', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The sessionToken that `POST /v1/users/auth` answers.',
  })
  registry.registerComponent('securitySchemes', 'dashboardSession', {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-nc_session',
    description:
      'The session of a person in the dashboard; below a path of a host the name begins with `__Secure-`. Calls other than GET also send `X-NC-Request: 1` or an `Origin` of this site.',
  })
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Notification service', version: about.version, description: DESCRIPTION, license: { name: 'MIT' } },
    servers: [{ url: about.publicUrl }],
  })
}

/** Serves the document, which is generated once, at the first request. @param version Of this deployment. */
export function addOpenApi(http: Http, { publicUrl }: Pick<Services, 'publicUrl'>, version: string): void {
  let file: ServedFile | undefined
  addFileRoute(http, '/openapi.json', async (c) => {
    file ??= toServedFile(
      Buffer.from(JSON.stringify(describeApi(http.app, { version, publicUrl: publicUrl() }))),
      'application/json',
    )
    return fileAnswer(c, file, { 'cache-control': 'no-cache', 'access-control-allow-origin': '*' })
  })
}
