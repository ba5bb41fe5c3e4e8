// Where a press of a mouse or finger goes by its place: a locator's own click waits in the same way.

import type { Locator } from 'playwright-core'

/** @returns The box of what can be pressed now: it is seen, stands still, is enabled, and nothing lies over it. */
export async function stableBox(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  await locator.click({ trial: true })
  const box = await locator.boundingBox()
  if (box === null) throw new Error(`${locator} has gone.`)
  return box
}

/** @returns Its middle. */
export async function stablePlace(locator: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = await stableBox(locator)
  return { x: x + width / 2, y: y + height / 2 }
}
