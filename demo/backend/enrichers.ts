// Defines the shop's enrichers with the SDK, like a customer's.

import { z } from 'zod'
import type { NotificationClient } from '../../sdk/node/index.ts'
import { findOrder } from './orders.ts'

export const ORDER_DETAILS = 'order-details'

/** Registers the enrichers on one environment's client; `server.ts` serves them. */
export function addEnrichers(client: NotificationClient): NotificationClient {
  return client.enricher(ORDER_DETAILS, z.object({ orderId: z.string().max(40) }), ({ orderId }) => {
    const order = findOrder(orderId)
    if (order === undefined) throw new Error(`There is no order ${orderId}.`)
    const { lines, total, currency } = order
    return { lines, total, currency, plants: lines.reduce((sum, { count }) => sum + count, 0) }
  })
}
