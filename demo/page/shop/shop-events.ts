// Sends tracked events for orders and questions through the shop's backend.

import { backend } from '../backend.ts'
import { addEntry } from '../journal.ts'
import type { Page } from '../state.ts'
import type { Plant } from './plants.ts'

/** Sends the event for the signed-in user. @returns true when the edge accepted it */
async function track(page: Page, name: string, properties: object): Promise<boolean> {
  const { environment, userId } = page.choice.get()
  const answer = await backend.track(environment, { name, userId, properties })
  addEntry({
    lane: 'tracked',
    title: name,
    note: answer.ok ? `202 · ${answer.body.eventId}` : `${answer.status} ${answer.body.code}`,
    tone: answer.ok ? 'good' : 'bad',
    detail: JSON.stringify(properties, null, 2),
  })
  return answer.ok
}

/** @returns the order number, or undefined when the shop cannot accept it now */
export async function order(page: Page, plant: Plant): Promise<string | undefined> {
  const orderId = `L-${String(Date.now()).slice(-6)}`
  const taken = await track(page, 'order.shipped', {
    orderId,
    summary: plant.name,
    carrier: 'Green Post',
    total: plant.price,
    slug: plant.slug,
  })
  return taken ? orderId : undefined
}

export function answerQuestion(page: Page, plant: Plant, question: string): Promise<boolean> {
  const text = question.endsWith('?')
    ? `Good question! ${plant.water.toLowerCase()} is what it wants, and ${plant.light.toLowerCase()}.`
    : `Thank you for “${question.slice(0, 80)}”. We put it on the plant’s page.`
  return track(page, 'comment.created', {
    author: 'Ada from the greenhouse',
    plant: plant.name,
    slug: plant.slug,
    text,
  })
}
