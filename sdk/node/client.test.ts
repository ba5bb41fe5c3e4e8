// Tests the client's options: which are refused, without their value in the message, and which are never inspectable.

import { expect, test } from 'vitest'
import { NotificationClient } from './index.ts'
import { givenClient, SECRETS } from './test/given.ts'

const SECRET = 'very-secret-value'

test.each([
  ['authSecretKey', ''],
  ['authSecretKey', undefined],
  ['authSecretKey', 7],
  ['sdkSecretKey', undefined],
  ['sdkSecretKey', ''],
  ['sdkSecretKey', '  '],
  ['sdkSecretKey', `${SECRET}\nx: y`],
  ['sdkSecretKey', `${SECRET}é`],
  ['sdkSecretKey', `nc_auth_eu_${SECRET}`],
  ['sdkSecretKey', ` nc_front_eu_${SECRET}`],
  ['authSecretKey', `nc_sdk_eu_${SECRET}`],
  ['authSecretKey', `whsec_${SECRET}`],
  ['webhookSigningSecret', `nc_auth_eu_${SECRET}`],
  ['webhookSigningSecret', ''],
  ['webhookSigningSecret', `whsec_${SECRET}!`],
  ['webhookSigningSecret', 'whsec_'],
  ['baseUrl', `ftp://${SECRET}`],
  ['baseUrl', `https://user:${SECRET}@example.com`],
  ['baseUrl', `https://example.com/?key=${SECRET}`],
  ['baseUrl', ''],
  ['timeoutMs', -1],
  ['timeoutMs', Number.NaN],
  ['timeoutMs', '10'],
  ['retryDelaysMs', 1000],
  ['retryDelaysMs', [1, 'x']],
  ['fetch', {}],
  ['now', 0],
  ['onEnricherError', {}],
])('%s %j is refused, and not repeated', (name, value) => {
  const options = { baseUrl: 'http://127.0.0.1:3000', ...SECRETS, [name]: value }
  const build = () => new NotificationClient(options as never)
  expect(build).toThrow(TypeError)
  expect(build).toThrow(name)
  expect(build).not.toThrow(SECRET)
})

test('options are needed', () => {
  expect(() => new NotificationClient(undefined as never)).toThrow(TypeError)
})

test('without a signing secret it tracks and mints, and a dispatch says what is missing', async () => {
  const client = givenClient({ webhookSigningSecret: undefined })
  expect(client.generateHashedToken('u')).toMatch(/^[0-9a-f]{64}$/)
  const answer = await client.dispatch({})
  expect(answer).toEqual({
    ok: false,
    error: { code: 'internal', message: expect.stringContaining('webhookSigningSecret') },
  })
})

test('an address may have a path and a slash at its end', async () => {
  const asked: string[] = []
  const fetch = async (url: string | URL | Request) => {
    asked.push(String(url))
    return Response.json({ eventId: 'evt_1' }, { status: 202 })
  }
  for (const baseUrl of ['https://example.com', 'https://example.com/', 'https://example.com/notify//']) {
    await givenClient({ baseUrl, fetch }).track({ name: 'a', userId: 'u' })
  }
  expect(asked).toEqual([
    'https://example.com/v1/events/track',
    'https://example.com/v1/events/track',
    'https://example.com/notify/v1/events/track',
  ])
})
