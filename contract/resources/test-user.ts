// Describes the test user of a person, by whom the person tries the inbox of an environment.

import { z } from 'zod'

export const testUser = z
  .object({
    apiKey: z.string().meta({ description: 'The Front API Key.' }),
    userId: z.string(),
    token: z.string().meta({ description: 'For a sign-in with `backendToken`, until it expires.' }),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'TestUser' })

export type TestUserAnswer = z.output<typeof testUser>
