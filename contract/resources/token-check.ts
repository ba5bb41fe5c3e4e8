// Describes the check of a user token, for people who set up the sign-in of the widget.

import { z } from 'zod'
import { AUTH_TYPES } from '../tenant.ts'

export const tokenCheck = z
  .object({
    authType: z.enum(AUTH_TYPES).default('backendToken'),
    userId: z.string().optional(),
    token: z.string().min(1),
  })
  .meta({ id: 'TokenCheck' })

export const checkedToken = z
  .object({
    ok: z.boolean(),
    code: z.string().optional().meta({ description: 'The code that a sign-in would answer.' }),
    reason: z.string().optional(),
    user: z
      .object({
        userId: z.string(),
        email: z.string().optional(),
        name: z.string().optional(),
        locale: z.string().optional(),
      })
      .optional(),
    leftOut: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({
        description: 'Configured claims that are absent or cannot be taken; the sign-in passes without them.',
      }),
    expiresAt: z.iso
      .datetime()
      .optional()
      .meta({ description: 'When the token itself expires; absent for one that does not.' }),
  })
  .meta({ id: 'CheckedToken' })

export type TokenCheckInput = z.input<typeof tokenCheck>
export type CheckedToken = z.output<typeof checkedToken>
