// Returns order data that a customer's own database has and an event does not contain.

import { createHash } from 'node:crypto'
import { PLANTS } from '../page/shop/plants.ts'

export interface OrderLine {
  plant: string
  count: number
  price: number
}

export interface Order {
  orderId: string
  lines: OrderLine[]
  total: number
  currency: 'EUR'
}

/**
 * Derives an order from the digits of its number, because the demo has no checkout.
 * @returns undefined when the id is no order number (`L-` and digits)
 */
export function findOrder(orderId: string): Order | undefined {
  if (!/^L-\d{1,12}$/.test(orderId)) return undefined
  const dice = createHash('sha256').update(orderId).digest()
  const chosen = PLANTS.filter((_, at) => (dice[at] as number) % 3 === 0)
  const plants = chosen.length === 0 ? PLANTS.slice(0, 1) : chosen.slice(0, 3)
  const lines = plants.map(({ name, price }, at) => ({ plant: name, count: 1 + ((dice[at + 8] as number) % 2), price }))
  const total = lines.reduce((sum, { count, price }) => sum + count * price, 0)
  return { orderId, lines, total, currency: 'EUR' }
}
