// Waits until a property of the element in a page has a value.

import type { Page } from 'playwright-core'

/** `tag`: the element, where another version has a tag of its own. Fails when the page's patience ends, with the value that stands there. */
export async function has(page: Page, property: string, value: unknown, tag = 'notification-center'): Promise<void> {
  try {
    await page.waitForFunction(
      ([tag, name, wanted]) => Reflect.get(document.querySelector(tag as string) ?? {}, name as string) === wanted,
      [tag, property, value] as const,
      { polling: 20 },
    )
  } catch (cause) {
    const read = ([tag, name]: readonly [string, string]) => `${Reflect.get(document.querySelector(tag) ?? {}, name)}`
    const stands = await page.evaluate(read, [tag, property] as const).catch(() => 'out of reach')
    throw new Error(`${property} is ${stands}, not ${value}: ${cause}`, { cause })
  }
}
