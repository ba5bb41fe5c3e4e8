// Describes topics and the change of their subscribers.

import { z } from 'zod'
import { LIMITS } from '../limits.ts'
import { pageOf } from '../schemas.ts'
import { cursorParam, limitParam, pageQuery } from './page.ts'
import { beginningParam, userId } from './user.ts'

/** Subscribers that a list of topics counts at most. */
export const COUNTED_SUBSCRIBERS = 1000

export const topic = z
  .object({
    key: z.string(),
    subscribers: z
      .number()
      .int()
      .meta({ description: `At most ${COUNTED_SUBSCRIBERS} are counted.` }),
    subscribersCapped: z.boolean().meta({ description: 'There may be more.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Topic' })
export type TopicAnswer = z.output<typeof topic>

/** Ids, the latest subscribers first. */
export const subscriberPage = pageOf(z.string())
  .extend({
    names: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Of those who have one; with `names=true`.' }),
  })
  .meta({ id: 'SubscriberPage' })
export type SubscriberPageAnswer = z.output<typeof subscriberPage>

export const subscribersQuery = pageQuery.extend({ names: z.enum(['true', 'false']).default('false') })
export type SubscribersQuery = z.output<typeof subscribersQuery>

export const topicsQuery = z.object({ q: beginningParam, limit: limitParam, cursor: cursorParam })
export type TopicsQuery = z.output<typeof topicsQuery>

export const subscriberChange = z
  .object({
    add: z.array(userId).max(LIMITS.subscriberChanges).default([]),
    remove: z.array(userId).max(LIMITS.subscriberChanges).default([]),
  })
  .refine(
    ({ add, remove }) => add.length + remove.length <= LIMITS.subscriberChanges,
    `At most ${LIMITS.subscriberChanges} changes per call.`,
  )
  .meta({ id: 'SubscriberChange', description: 'A user may be in only one of the two lists.' })
export type SubscriberChange = z.output<typeof subscriberChange>
