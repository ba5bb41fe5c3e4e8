// The answer of each DELETE, but for messages of an inbox, whose answer is the inbox.

import { z } from '@hono/zod-openapi'

export const DELETED = { status: 200, schema: z.object({ deleted: z.literal(true) }).openapi('Deleted') } as const
